import { type ChosenBindings, chosenRuns } from './run-choice.js';
import { plannedStatement, statement } from './statement.js';

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

interface PageBindings extends Record<string, unknown> {
  beforeDay: string | null;
  beforeId: string | null;
  rows: number;
}

const newestFirst = (runs: string): string =>
  `with page as materialized (
     select * from ${runs}
       and (cast(:beforeDay as date) is null or (day, id) < (cast(:beforeDay as date), :beforeId))
     order by day desc, id desc limit :rows
   )
   select r.id, r.day as date, r.region, r.engine, r.model, p.id as prompt_id, to_json(r.m_name) as "nameKeys",
     to_json(r.m_order) as orders, to_json(r.m_tone) as tones, to_json(r.m_evidence) as evidences, to_json(r.c_url) as "urlKeys"
   from page r join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   order by r.day desc, r.id desc`;

/** Runs of a window, newest first by (day, id), after a given one. */
export const answersNewestFirst = statement<
  AnswerRow,
  PageBindings & { brandKey: number; start: string; end: string }
>('answers_newest_first', newestFirst('runs where brand_key = :brandKey and day between :start and :end'));

/** The same, of chosen runs. */
export const chosenAnswersNewestFirst = plannedStatement<AnswerRow, PageBindings & ChosenBindings>(
  'chosen_answers_newest_first',
  newestFirst(chosenRuns()),
);

interface KeysBindings extends Record<string, unknown> {
  brandKey: number;
  keys: readonly number[];
}

/** The names behind keys of mentions. */
export const namesByKey = statement<{ key: number; name: string; entity: number | null }, KeysBindings>(
  'names_by_key',
  `select name_key as key, name, entity from mention_names
   where brand_key = :brandKey and name_key = any(cast(:keys as integer[]))`,
);

/** The URLs behind keys of citations, and their domains. */
export const urlsByKey = statement<{ key: number; url: string; domain: string }, KeysBindings>(
  'urls_by_key',
  `select u.url_key as key, u.url, d.domain
   from cited_urls u join cited_domains d on d.brand_key = :brandKey and d.domain_key = u.domain_key
   where u.brand_key = :brandKey and u.url_key = any(cast(:keys as integer[]))`,
);
