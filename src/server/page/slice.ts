/** Which window and engines a page is about, from its query: the parameters of the reads, checked as the API checks them. */
import type { EngineId } from '../../contract/engines.js';
import { errors } from '../../contract/errors.js';
import type { Params } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import { history } from '../../contract/reads/history.js';
import { type ReadName, reads } from '../../contract/registry.js';
import { runFilterNames } from '../../contract/slice.js';
import { windowEnding } from '../days.js';
import { refuse } from '../errors.js';
import { parseParams, type RawParams } from '../parameters.js';
import type { Query } from './paths.js';

const { days, from, to, engine } = history.params;
const sliceParams = { days, from, to, engine } as const satisfies Params;

export interface Slice {
  /** Days of the window; undefined if from and to were given. */
  readonly days: number | undefined;
  readonly from: string;
  /** The last day; that of the request unless from and to were given. */
  readonly to: string;
  readonly engine: readonly EngineId[] | undefined;
}

/**
 * The slice of a query. An empty value, as a form sends it for an empty field, counts as none.
 * @param today The UTC day of the request.
 * @throws 400 as the API does, and for a filter that only the API has: the page would show numbers without it.
 */
export function sliceOf(query: RawParams, today: string): Slice {
  const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const ignored = runFilterNames.find((name) => name in filled);
  if (ignored) throw refuse(errors.filterNotOnPage(ignored));
  const parsed = parseParams(sliceParams, filled) as Partial<Slice>;
  const { engine } = parsed;
  if (parsed.from !== undefined)
    return { days: undefined, from: parsed.from, to: parsed.to as string, engine };
  const length = parsed.days ?? days.default;
  const { start, end } = windowEnding(today, length);
  return { days: length, from: start, to: end, engine };
}

/** The parameters of links that keep the slice. */
export const queryOf = ({ days, from, to, engine }: Slice): Query => ({
  ...(days === undefined ? { from, to } : { days }),
  engine: engine?.join(','),
});

/**
 * The part of the slice that a read has parameters for, as its query. Always the days themselves: with their number some reads
 * end on the newest collected day, and one page would show two windows.
 */
export function paramsFor(name: ReadName, { from, to, engine }: Slice): Record<string, string> {
  const { params }: Read = reads[name];
  return {
    ...('from' in params && { from, to }),
    ...(engine !== undefined && 'engine' in params && { engine: engine.join(',') }),
  };
}
