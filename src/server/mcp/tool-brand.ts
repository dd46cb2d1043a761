import { errors } from '../../contract/errors.js';
import type { Directory } from '../accounts/directory.js';
import type { Brand } from '../accounts/find-brand.js';
import { refuse } from '../errors.js';
import type { ToolCall } from './tool.js';

/**
 * The brand of a call.
 * @throws RefusedError: the brand id is unknown or the caller may not see it; no id is given and no brands exist.
 */
export async function toolBrand(
  directory: Directory,
  { access }: ToolCall,
  id: string | undefined,
  needsRuns: boolean,
): Promise<Brand> {
  const answer = await directory.brand(access, id);
  if (answer === 'none' && id === undefined) throw refuse(errors.noBrands());
  if (typeof answer === 'string') throw refuse(errors.unknownBrandId(id ?? ''));
  if (needsRuns && !answer.hasRuns) throw refuse(errors.unknownBrandId(id ?? answer.id));
  return answer;
}
