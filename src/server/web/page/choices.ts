/** The values that the filters of a page can have: those of the brand. */
import { errorCode, errors } from '../../../contract/errors.js';
import { valueLabel } from '../../../contract/glossary.js';
import type { Surface } from '../../../contract/surfaces.js';
import { RefusedError, refuse } from '../../base/errors.js';
import type { PageReads } from './reads.js';
import { type Filter, paramsFor, type Slice } from './slice.js';

/** A value of a filter, and how people read it. */
export interface Choice {
  readonly value: string;
  readonly name: string;
}

export type Choices = Readonly<Record<Exclude<Filter, 'engine'>, readonly Choice[]>>;

/** The values of the active prompts, the regions and the surfaces; without prompts where their read is refused. */
export async function choicesOf(reads: PageReads, slice: Slice): Promise<Choices> {
  const [found, regions, surfaces] = await Promise.all([
    reads.loadIfPossible('prompts', paramsFor('prompts', slice)),
    reads.regions(),
    reads.surfaces(),
  ]);
  const prompts = 'refused' in found ? [] : found.body.prompts;
  const topics = new Map(
    prompts.flatMap(({ topic_id, topic_name }) =>
      topic_id === null ? [] : [[topic_id, topic_name ?? topic_id]],
    ),
  );
  const tags = new Set(prompts.flatMap((prompt) => prompt.tags));
  return {
    prompt: prompts.map(({ id, text }) => ({ value: id, name: text })),
    topic: [...topics].map(([value, name]) => ({ value, name })),
    tag: [...tags].sort().map(itself),
    region: regions.map(itself),
    surface: surfaces.map((value) => ({ value, name: valueLabel('surface', value as Surface) })),
  };
}

const itself = (value: string): Choice => ({ value, name: value });

/** The filters whose refusals do not say which values the brand has. */
const UNEXPLAINED = ['prompt', 'topic', 'tag'] as const;
const UNKNOWN: ReadonlySet<string> = new Set(
  (['unknownPrompt', 'unknownTopic', 'unknownTag'] as const).map(errorCode),
);

/** From the refusal of an unknown value, in the words of the API, to one that says which values the brand has. */
export const namingKnownValues =
  (reads: PageReads, slice: Slice) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof RefusedError)) throw error;
    const { code, parameters, value } = error.refusal;
    const filter = UNKNOWN.has(code) ? UNEXPLAINED.find((each) => parameters?.includes(each)) : undefined;
    if (filter === undefined || value === undefined || !reads.brand.hasRuns) throw error;
    if (!slice[filter]?.includes(value)) throw error;
    const choices = (await choicesOf(reads, slice))[filter];
    const known = choices.map(({ value, name }) => (name === value ? value : `${value} (${name})`));
    throw refuse(errors.unknownFilterValue(filter, value, known));
  };
