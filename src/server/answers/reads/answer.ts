import { errors } from '../../../contract/errors.js';
import { fact, noted } from '../../../contract/notes.js';
import type { FullAnswer, NameSpan } from '../../../contract/reads/answer.js';
import type { Surface } from '../../../contract/surfaces.js';
import { refuse } from '../../base/errors.js';
import { isStorable, statement } from '../../base/statement.js';
import { spansOf } from './answer-spans.js';
import { type AnswerRow, answersOf, namesByKey, toneOf } from './answers.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';

interface FullAnswerRow extends AnswerRow {
  collectedAt: Date;
  prompt: string;
  text: string | null;
  /** Empty: not stated. */
  surface: Surface | '';
  /** A title per citation; null: not stated. */
  titles: (string | null)[];
  searches: string[];
}

/** A run with its text; no row: the brand has no such run. */
const answerById = statement<FullAnswerRow, { brandKey: number; runId: string }>(
  'answer_by_id',
  `select r.id, r.day as date, r.region, r.engine, r.model, r.surface, r.collected_at as "collectedAt",
     p.id as prompt_id, p.text as prompt, a.answer as text,
     to_json(r.m_name) as "nameKeys", to_json(r.m_order) as orders, to_json(r.m_tone) as tones,
     to_json(r.m_evidence) as evidences, to_json(r.c_url) as "urlKeys",
     array(
       select t.title from unnest(r.c_title) with ordinality as c(title_key, place)
       left join page_titles t on t.brand_key = :brandKey and t.title_key = c.title_key
       order by c.place
     ) as titles,
     array(
       select q.query from unnest(r.f_query) with ordinality as f(query_key, place)
       join fanout_queries q on q.brand_key = :brandKey and q.query_key = f.query_key
       order by f.place
     ) as searches
   from runs r
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   left join run_answers a on a.brand_key = :brandKey and a.run_id = r.id
   where r.brand_key = :brandKey and r.id = :runId`,
);

export const reader: Reader<'answer'> = async (context, { run_id: runId }) => {
  const { db, brand } = context;
  const [row] = isStorable(runId) ? await answerById(db, { brandKey: brand.key, runId }) : [];
  if (!row) throw refuse(errors.unknownRun(runId));
  const [answers, spans] = await Promise.all([answersOf(context, [row]), nameSpansOf(context, row)]);
  const { citations, ...answer } = answers[0]!;
  return {
    brand: brandRefOf(brand),
    answer: {
      ...answer,
      citations: citations.map((page, at) => ({ ...page, title: row.titles[at] ?? null, position: at + 1 })),
      collected_at: row.collectedAt.toISOString(),
      prompt: row.prompt,
      surface: row.surface === '' ? null : row.surface,
      text: row.text,
      spans,
      searches: row.searches,
    } satisfies FullAnswer,
    ...noted([row.text === null && fact('no_answer_text')]),
  };
};

async function nameSpansOf({ db, brand }: ReadContext, row: FullAnswerRow): Promise<NameSpan[]> {
  if (row.text === null || row.nameKeys.length === 0) return [];
  const names = await namesByKey(db, { brandKey: brand.key, keys: row.nameKeys });
  const nameOf = new Map(names.map((each) => [each.key, each]));
  const mentions = row.nameKeys.map((key, place) => ({
    ...nameOf.get(key)!,
    tone: toneOf(row.tones[place]!),
  }));
  const texts = mentions.map(({ name }) => name);
  return spansOf(row.text, texts).map(({ start, end, name: at }) => {
    const { name, entity, competitor, tone } = mentions[at]!;
    return {
      start,
      end,
      name,
      entity: entity === 0 ? brand.id : competitor,
      is_brand: entity === 0,
      sentiment: tone,
    };
  });
}
