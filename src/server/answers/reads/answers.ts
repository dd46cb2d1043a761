import { engineIds } from '../../../contract/engines.js';
import { CAPS, SEARCHED_ANSWERS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { type Answer, type Tone, tones } from '../../../contract/reads/answers.js';
import { plannedStatement, statement } from '../../base/statement.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN } from '../sums/run-choice.js';
import { answersChosenBy, FILTERED, type FilterBindings } from './answer-filters.js';
import { excerptOf } from './answer-spans.js';
import { totalOf } from './answer-total.js';
import { cutPage, encodeCursor, rowsToFetch } from './list-page.js';
import { brandRefOf, type ReadContext, type Reader, withCaching } from './reader.js';
import { requireRunsSince, sliceOf } from './slice.js';
import { daysFields } from './slice-days.js';

/** A run. Its arrays hold one element per mention or citation; names and URLs are keys of the brand's dictionaries. */
export interface AnswerRow {
  id: string;
  date: string;
  region: string;
  engine: string;
  model: string;
  prompt_id: string;
  nameKeys: number[];
  orders: number[];
  /** −1, 0, 1 or null. */
  tones: (number | null)[];
  evidences: (string | null)[];
  urlKeys: number[];
}

/** Longer texts are read one after the other, so that a page of them does not fill the memory. In bytes. */
const MAX_TEXT = 100_000;

/** Most excerpts need no more of a text, in code points. */
const BEGINNING = 600;

interface PageBindings extends Record<string, unknown> {
  beforeDay: string | null;
  beforeId: string | null;
  rows: number;
}

const newestFirst = (runs: string): string =>
  withChildren(`
     select * from ${runs}
       and (cast(:beforeDay as date) is null or (day, id) < (cast(:beforeDay as date), :beforeId))`);

/** The newest of some runs, as rows of answers. */
const withChildren = (runs: string): string =>
  `with page as materialized (
     ${runs}
     order by day desc, id desc limit :rows
   )
   select r.id, r.day as date, r.region, r.engine, r.model, p.id as prompt_id, to_json(r.m_name) as "nameKeys",
     to_json(r.m_order) as orders, to_json(r.m_tone) as tones, to_json(r.m_evidence) as evidences, to_json(r.c_url) as "urlKeys"
   from page r join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   order by r.day desc, r.id desc`;

/** Runs of a window, newest first by (day, id), after a given one. */
const answersNewestFirst = statement<
  AnswerRow,
  PageBindings & { brandKey: number; start: string; end: string }
>('answers_newest_first', newestFirst('runs where brand_key = :brandKey and day between :start and :end'));

/** Chosen runs of a window, newest first by (day, id), after a given one. */
const chosenAnswersNewestFirst = plannedStatement<AnswerRow, PageBindings & ChosenBindings>(
  'chosen_answers_newest_first',
  newestFirst(chosenRuns()),
);

// Of chosen runs, those that cite, name or say something: the newest so many are searched.

const searched = `
  select * from ${chosenRuns()}
    and (cast(:beforeDay as date) is null or (day, id) < (cast(:beforeDay as date), :beforeId))
  order by day desc, id desc limit ${SEARCHED_ANSWERS}`;

export const filteredAnswersNewestFirst = plannedStatement<
  AnswerRow,
  PageBindings & ChosenBindings & FilterBindings
>('filtered_answers_newest_first', withChildren(`select r.* from (${searched}) r where ${FILTERED}`));

/** The place of the oldest run that is searched; none: there are fewer. */
export const lastSearched = plannedStatement<{ day: string; id: string }, PageBindings & ChosenBindings>(
  'last_searched_answer',
  `select day, id from (${searched}) r order by day desc, id desc offset ${SEARCHED_ANSWERS - 1}`,
);

interface RunsBindings extends Record<string, unknown> {
  brandKey: number;
  ids: readonly string[];
}

interface TextBeginning {
  id: string;
  beginning: string;
  /** Bytes of the whole text. */
  bytes: number;
}

/**
 * The beginnings of the texts of runs, as far as they were collected. No join with the page of runs: a plan for any number of
 * rows may read the texts of the whole brand.
 */
const beginningsOfRuns = statement<TextBeginning, RunsBindings>(
  'beginnings_of_runs',
  `select run_id as id, left(answer, ${BEGINNING}) as beginning, octet_length(answer) as bytes from run_answers
   where brand_key = :brandKey and run_id = any(cast(:ids as text[]))`,
);

/** The whole texts of runs. */
const textsOfRuns = statement<{ id: string; text: string }, RunsBindings>(
  'texts_of_runs',
  `select run_id as id, answer as text from run_answers
   where brand_key = :brandKey and run_id = any(cast(:ids as text[]))`,
);

interface KeysBindings extends Record<string, unknown> {
  brandKey: number;
  keys: readonly number[];
}

interface MentionedName {
  key: number;
  name: string;
  /** 0: the brand; null: not tracked. */
  entity: number | null;
  /** The id of the competitor, if it is one. */
  competitor: string | null;
}

/** The names behind keys of mentions. */
export const namesByKey = statement<MentionedName, KeysBindings>(
  'names_by_key',
  `select n.name_key as key, n.name, n.entity, c.id as competitor
   from mention_names n
   left join competitors c on c.brand_key = :brandKey and c.entity = n.entity
   where n.brand_key = :brandKey and n.name_key = any(cast(:keys as integer[]))`,
);

/** The URLs behind keys of citations, and their domains. */
const urlsByKey = statement<{ key: number; url: string; domain: string }, KeysBindings>(
  'urls_by_key',
  `select u.url_key as key, u.url, d.domain
   from cited_urls u join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
   where u.brand_key = :brandKey and u.url_key = any(cast(:keys as integer[]))`,
);

const compute: Reader<'answers'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params, engineIds);
  const { engines, window, runs, selection } = slice;
  if (selection) await requireRunsSince(context, window.start, params);
  const chosen = await answersChosenBy(context, params);
  const [beforeDay = null, beforeId = null] = page?.after ?? [];
  const bindings = { brandKey: brand.key, ...window, beforeDay, beforeId };
  const ofRuns = { ...bindings, engines, ...(runs ?? EVERY_RUN) };
  const newest = async (rows: number): Promise<AnswerRow[]> => {
    if (chosen)
      return chosen.bindings ? filteredAnswersNewestFirst(db, { ...ofRuns, ...chosen.bindings, rows }) : [];
    return runs === null && engines.length === engineIds.length
      ? answersNewestFirst(db, { ...bindings, rows })
      : chosenAnswersNewestFirst(db, { ...ofRuns, rows });
  };
  const wanted = page ? rowsToFetch(page) : CAPS.answers;
  const [found, extent, total] = await Promise.all([
    newest(wanted),
    daysFields(context, slice),
    totalOf(db, brand.key, slice, chosen),
  ]);
  const isShort = chosen?.bindings && found.length < wanted;
  const [last] = isShort ? await lastSearched(db, { ...ofRuns, rows: wanted }) : [];
  const { rows, next_cursor } = page
    ? cutPage(page, found, (row) => [row.date, row.id])
    : { rows: found, next_cursor: null };
  const searched =
    last && !page ? fact('searched_newest', { total: SEARCHED_ANSWERS, since: last.day }) : null;
  return {
    brand: brandRefOf(brand),
    answers: await answersOf(context, rows),
    ...extent,
    ...noted([extent.notes, searched]),
    filter: chosen?.filter ?? null,
    total,
    ...(page && { next_cursor: last ? encodeCursor(page.listing, [last.day, last.id]) : next_cursor }),
  };
};

/** Pages go by day and id, newest first. */
export const reader = withCaching(compute, { cursor: ['day', 'text'] });

/**
 * Looks up names and URLs once for all rows, because they repeat: that is several times faster than joins that the
 * database makes for each row.
 */
export async function answersOf(
  { db, brand }: Pick<ReadContext, 'db' | 'brand'>,
  rows: readonly AnswerRow[],
): Promise<Answer[]> {
  const [names, urls] = await Promise.all([
    namesByKey(db, { brandKey: brand.key, keys: distinct(rows.map(({ nameKeys }) => nameKeys)) }),
    urlsByKey(db, { brandKey: brand.key, keys: distinct(rows.map(({ urlKeys }) => urlKeys)) }),
  ]);
  const nameOf = new Map(names.map((row) => [row.key, row]));
  const citationOf = new Map(urls.map(({ key, domain, url }) => [key, { domain, url }]));
  const mentionedIn = (row: AnswerRow) => row.nameKeys.map((key) => nameOf.get(key)!);
  const excerpts = await excerptsOf(db, brand.key, rows, mentionedIn);
  return rows.map((row) => {
    const mentioned = mentionedIn(row);
    return {
      id: row.id,
      date: row.date,
      region: row.region,
      engine: row.engine,
      model: row.model,
      prompt_id: row.prompt_id,
      brand_present: mentioned.some(({ entity }) => entity === 0),
      mentions: row.nameKeys
        .map((_, place) => mentionOf(row, place, mentioned[place]!, brand.id))
        .sort((a, b) => a.order - b.order),
      citations: row.urlKeys.map((key) => citationOf.get(key)!),
      excerpt: excerpts.get(row.id) ?? null,
    };
  });
}

/** The excerpts of the runs whose text was collected, by id; only the texts whose beginning is not enough are read whole. */
async function excerptsOf(
  db: ReadContext['db'],
  brandKey: number,
  rows: readonly AnswerRow[],
  mentionedIn: (row: AnswerRow) => readonly { name: string; entity: number | null }[],
): Promise<Map<string, string>> {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const excerptOfRun = (id: string, text: string, isWhole: boolean): string | null => {
    const mentioned = mentionedIn(rowOf.get(id)!);
    const names = mentioned.map(({ name }) => name);
    const isBrand = mentioned.map(({ entity }) => entity === 0);
    return excerptOf(text, names, isBrand, isWhole);
  };
  const excerpts = new Map<string, string>();
  const short: string[] = [];
  const long: string[] = [];
  for (const { id, beginning, bytes } of await beginningsOfRuns(db, { brandKey, ids: [...rowOf.keys()] })) {
    const excerpt = excerptOfRun(id, beginning, Buffer.byteLength(beginning) === bytes);
    if (excerpt === null) (bytes <= MAX_TEXT ? short : long).push(id);
    else excerpts.set(id, excerpt);
  }
  for (const ids of [short, ...long.map((id) => [id])].filter(({ length }) => length > 0))
    for (const { id, text } of await textsOfRuns(db, { brandKey, ids }))
      excerpts.set(id, excerptOfRun(id, text, true)!);
  return excerpts;
}

const distinct = (keys: number[][]): number[] => [...new Set(keys.flat())];

function mentionOf(
  { orders, tones: values, evidences }: AnswerRow,
  place: number,
  { name, entity, competitor }: MentionedName,
  brandId: string,
) {
  return {
    name,
    order: orders[place]!,
    sentiment: toneOf(values[place]!),
    evidence: evidences[place]!,
    entity: entity === 0 ? brandId : competitor,
  };
}

/** The tone of a mention from its number. */
export const toneOf = (tone: number | null): Tone | null => (tone === null ? null : tones[tone + 1]!);
