/** Marks of a brand: what was done, and for which prompts. */
import type { Mark } from '../../../contract/reads/marks.js';
import { statement } from '../../base/statement.js';

/** The marks of some days, the newest first. */
export const marksOf = statement<Mark, { brandKey: number; start: string; end: string }>(
  'marks_of_days',
  `select id, day, text, url, prompts, topics, tags, pages, engines from marks
   where brand_key = :brandKey and day between cast(:start as date) and cast(:end as date) order by day desc, id`,
);

/** Every day that a record may have. */
export const EVER = { start: '1970-01-01', end: '2999-12-31' } as const;

export const markNamed = statement<Mark, { brandKey: number; id: string }>(
  'mark_named',
  `select id, day, text, url, prompts, topics, tags, pages, engines from marks
   where brand_key = :brandKey and id = :id`,
);
