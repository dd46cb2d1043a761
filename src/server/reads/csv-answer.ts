/** The main rows of a read as CSV: the bytes that `--format csv` of the command prints. */
import { mainRows } from '../../contract/main-rows.js';
import type { Read } from '../../contract/read.js';
import { type ReadName, reads } from '../../contract/registry.js';
import { bodyCsv } from '../../rows/body-csv.js';
import { onlyZeros } from '../../rows/unmeasured.js';
import type { Brand } from '../accounts/access.js';
import { etagOf, type Validated } from '../http/response.js';
import type { RawParams } from '../parameters.js';
import { answerAs, answerRead, type Caller, type ReadEnvironment } from './answer-read.js';

export interface CsvAnswer extends Validated {
  /** The cursor of the page that follows; null: there is none, or the request asks for no page. */
  readonly nextCursor: string | null;
}

/** The main rows of a read, from the cache or computed. */
export function answerCsv(
  env: ReadEnvironment,
  name: ReadName,
  caller: Caller,
  brand: Brand,
  raw: RawParams,
): Promise<CsvAnswer> {
  const read: Read = reads[name];
  /** Whether any run was collected, where the rows do not show it: the overview with the same parameters counts runs. */
  const isMeasured = async (body: object, gone: AbortSignal): Promise<boolean> => {
    const rows = mainRows(read, body);
    if (!read.zeros || rows.length === 0 || !onlyZeros(rows, read.zeros)) return true;
    const overview = await answerRead(env, 'overview', { ...caller, gone }, brand, raw);
    return JSON.parse(overview.json).run_count > 0;
  };
  return answerAs(env, name, caller, brand, raw, {
    name: 'csv',
    encode: async (body, gone) => {
      const bytes = Buffer.from(bodyCsv(read, body, await isMeasured(body, gone)));
      return { bytes, etag: etagOf(bytes), nextCursor: (body.next_cursor as string | undefined) ?? null };
    },
  });
}
