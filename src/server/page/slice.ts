/** Which window and engines a page is about, from its query: the parameters of the reads, checked as the API checks them. */
import type { EngineId } from '../../contract/engines.js';
import type { Params } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import { history } from '../../contract/reads/history.js';
import { type ReadName, reads } from '../../contract/registry.js';
import { parseParams, type RawParams } from '../parameters.js';

const { days, from, to, engine } = history.params;
const sliceParams = { days, from, to, engine } as const satisfies Params;

export interface Slice {
  /** Days of the window; undefined: from and to are given. */
  readonly days: number | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The engine filter; undefined: the blended engines. */
  readonly engine: readonly EngineId[] | undefined;
}

/**
 * The slice of a query. An empty value, as a form sends it for an empty field, counts as absent.
 * @throws 400 as the API does.
 */
export function sliceOf(query: RawParams): Slice {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  const parsed = parseParams(sliceParams, given) as Partial<Slice>;
  const isRange = parsed.from !== undefined;
  return {
    days: isRange ? undefined : (parsed.days ?? days.default),
    from: parsed.from,
    to: parsed.to,
    engine: parsed.engine,
  };
}

/** The parameters of links that keep the slice. */
export const queryOf = ({ days, from, to, engine }: Slice): Record<string, string | number | undefined> => ({
  days,
  from,
  to,
  engine: engine?.join(','),
});

/** The part of the slice that a read has parameters for, as its query. */
export function paramsFor(name: ReadName, slice: Slice): Record<string, string> {
  const { params }: Read = reads[name];
  const allowed = Object.entries(queryOf(slice)).filter(
    ([key, value]) => value !== undefined && accepts(params, key, value),
  );
  return Object.fromEntries(allowed.map(([key, value]) => [key, String(value)]));
}

const accepts = (params: Params, name: string, value: string | number): boolean => {
  const param = params[name];
  return param !== undefined && (param.kind !== 'choice' || param.values.includes(value));
};
