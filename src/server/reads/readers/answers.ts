import { engineIds } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import { type Answer, tones } from '../../../contract/reads/answers.js';
import {
  type AnswerRow,
  answersNewestFirst,
  chosenAnswersNewestFirst,
  namesByKey,
  urlsByKey,
} from '../../queries/answers.js';
import { EVERY_RUN } from '../../queries/run-choice.js';
import { daysFields } from '../measured.js';
import { cutPage, rowsToFetch } from '../page.js';
import { brandRefOf, type Compute, type ReadContext, type Reader } from '../reader.js';
import { requireRunsSince, sliceOf } from '../slice.js';

const compute: Compute<'answers'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params, engineIds);
  const { engines, window, runs, given } = slice;
  if (given) await requireRunsSince(context, window.start, params);
  const [beforeDay = null, beforeId = null] = page?.after ?? [];
  const bindings = { brandKey: brand.key, ...window, beforeDay, beforeId };
  const newest = (rows: number) =>
    runs === null && engines === engineIds
      ? answersNewestFirst(db, { ...bindings, rows })
      : chosenAnswersNewestFirst(db, { ...bindings, engines, ...(runs ?? EVERY_RUN), rows });
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const [rows, around] = await Promise.all([newest(CAPS.answers), daysFields(context, slice)]);
    return { ...envelope, answers: await answersOf(context, rows), ...around };
  }
  const [found, around] = await Promise.all([newest(rowsToFetch(page)), daysFields(context, slice)]);
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.date, row.id]);
  return { ...envelope, answers: await answersOf(context, rows), ...around, next_cursor };
};

/** Pages go by day and id, newest first. */
export const answersReader: Reader<'answers'> = { compute, cursor: ['day', 'text'] };

/**
 * Looks up names and URLs once for all rows, because they repeat: that is several times faster than joins that the
 * database makes for each row.
 */
async function answersOf({ db, brand }: ReadContext, rows: readonly AnswerRow[]): Promise<Answer[]> {
  const [names, urls] = await Promise.all([
    namesByKey(db, { brandKey: brand.key, keys: distinct(rows.map(({ nameKeys }) => nameKeys)) }),
    urlsByKey(db, { brandKey: brand.key, keys: distinct(rows.map(({ urlKeys }) => urlKeys)) }),
  ]);
  const nameOf = new Map(names.map((row) => [row.key, row]));
  const citationOf = new Map(urls.map(({ key, domain, url }) => [key, { domain, url }]));
  return rows.map((row) => ({
    id: row.id,
    date: row.date,
    region: row.region,
    engine: row.engine,
    model: row.model,
    prompt_id: row.prompt_id,
    brand_present: row.nameKeys.some((key) => nameOf.get(key)!.entity === 0),
    mentions: row.nameKeys
      .map((key, place) => mentionOf(row, place, nameOf.get(key)!.name))
      .sort((a, b) => a.order - b.order),
    citations: row.urlKeys.map((key) => citationOf.get(key)!),
  }));
}

const distinct = (keys: number[][]): number[] => [...new Set(keys.flat())];

function mentionOf({ orders, tones: values, evidences }: AnswerRow, place: number, name: string) {
  const tone = values[place]!;
  return {
    name,
    order: orders[place]!,
    sentiment: tone === null ? null : tones[tone + 1]!,
    evidence: evidences[place]!,
  };
}
