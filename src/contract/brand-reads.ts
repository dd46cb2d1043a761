/** The reads of one brand, whoever serves them: a server that is asked, or the readers of this process. */
import { type BodyOf, type ReadName, reads } from './registry.js';
import { asMeasured } from './unmeasured.js';

/** The parameters of a read as a query string has them, without the brand. */
export type ReadParams = Readonly<Record<string, string>>;

/** Why there is no body: the plan is too low, or the runs that it needs were deleted. */
export interface Refused {
  readonly refused: string;
}

export interface BrandReads {
  load<N extends ReadName>(name: N, params?: ReadParams): Promise<BodyOf<N>>;
  loadIfPossible<N extends ReadName>(name: N, params?: ReadParams): Promise<BodyOf<N> | Refused>;
}

/** The reads of a brand with null where nothing was measured, as tables show it. */
export const measuredReads = ({ load, loadIfPossible }: BrandReads): BrandReads => ({
  load: async (name, params) => asMeasured(reads[name].response, await load(name, params)),
  loadIfPossible: async (name, params) =>
    asMeasured(reads[name].response, await loadIfPossible(name, params)),
});

/** A body; undefined if it was refused. */
export const bodyOr = <B extends object>(read: B | Refused): B | undefined =>
  'refused' in read ? undefined : (read as B);
