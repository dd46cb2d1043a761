/** The newest answers of a slice, as many as a page reads to count something in them. */
import { PAGE_LIMIT } from '../../../contract/limits.js';
import type { Answer } from '../../../contract/reads/answers.js';
import { whole } from './parts/numbers.js';
import { noun } from './parts/text.js';
import type { Loaded, PageReads, Withheld } from './reads.js';
import { paramsFor, type Slice } from './slice.js';

const MAX_PAGES = 5;

export interface NewestAnswers {
  /** Newest first. */
  readonly answers: readonly Answer[];
  /** Whether the slice has no others. */
  readonly isAll: boolean;
  /** The first page of them, which states the window. */
  readonly first: Loaded<'answers'>['body'];
}

/** @param isEnough Whether no older answers need to be read. */
export async function newestAnswers(
  reads: PageReads,
  slice: Slice,
  isEnough: (answers: readonly Answer[]) => boolean = () => false,
): Promise<NewestAnswers | Withheld> {
  const params = { ...paramsFor('answers', slice), limit: String(PAGE_LIMIT.maximum) };
  const begin = await reads.loadIfPossible('answers', params);
  if ('refused' in begin) return begin;
  const { body: first } = begin;
  const answers = [...first.answers];
  let next = cursorOf(first);
  for (let pages = 1; next !== null && pages < MAX_PAGES && !isEnough(answers); pages++) {
    const { body } = await reads.load('answers', { ...params, cursor: next });
    answers.push(...body.answers);
    next = cursorOf(body);
  }
  return { answers, isAll: next === null, first };
}

const cursorOf = (body: object): string | null =>
  (body as { readonly next_cursor?: string | null }).next_cursor ?? null;

/** `the newest 1,000 answers of these days, of all engines`; without `newest` where these are all. */
export const whichAnswers = ({ answers, isAll, first }: NewestAnswers): string => {
  const which = `the ${isAll ? '' : 'newest '}${whole(answers.length)} ${noun(answers.length, 'answer')} of these days`;
  return first.slice?.engines ? which : `${which}, of all engines`;
};
