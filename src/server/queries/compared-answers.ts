import type { EngineId } from '../../contract/engines.js';
import { statement } from './statement.js';

/** An answer that mentions the brand, and its prompt. */
export interface ComparedAnswer {
  engine: EngineId;
  prompt: string;
  answer: string;
}

/** Of each engine the newest answer, of any age, that has text and mentions the brand; engines in the order given. */
export const newestAnswers = statement<
  ComparedAnswer,
  { brandKey: number; engines: readonly EngineId[]; rows: number }
>(
  'newest_answers',
  `select e.engine, p.text as prompt, a.answer
   from unnest(cast(:engines as text[])) with ordinality as e(engine, place)
   cross join lateral (
     select run_id from day_newest_answer d
     where d.brand_key = :brandKey and d.engine = e.engine order by d.day desc limit 1
   ) newest
   join run_answers a on a.brand_key = :brandKey and a.run_id = newest.run_id
   join runs r on r.brand_key = :brandKey and r.id = newest.run_id
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   order by e.place limit :rows`,
);
