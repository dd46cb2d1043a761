import { CAPS } from '../../../contract/limits.js';
import { type Answer, tones } from '../../../contract/reads/answers.js';
import { windowEnding } from '../../days.js';
import { type AnswerRow, answersNewestFirst } from '../../queries/answers.js';
import { cutPage, rowsToFetch } from '../page.js';
import { brandRefOf, type Compute, type Reader } from '../reader.js';

const compute: Compute<'answers'> = async ({ db, brand, today, page }) => {
  const [beforeDay = null, beforeId = null] = page?.after ?? [];
  const window = { brandKey: brand.key, ...windowEnding(today), beforeDay, beforeId };
  const envelope = { brand: brandRefOf(brand) };
  if (!page)
    return {
      ...envelope,
      answers: (await answersNewestFirst(db, { ...window, rows: CAPS.answers })).map(answerOf),
    };
  const found = await answersNewestFirst(db, { ...window, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.date, row.id]);
  return { ...envelope, answers: rows.map(answerOf), next_cursor };
};

/** Pages go by day and id, newest first. */
export const answersReader: Reader<'answers'> = { compute, cursor: ['day', 'text'] };

const answerOf = ({ mentions, ...row }: AnswerRow): Answer => ({
  id: row.id,
  date: row.date,
  region: row.region,
  engine: row.engine,
  model: row.model,
  prompt_id: row.prompt_id,
  brand_present: row.brand_present,
  mentions: mentions.map(({ name, order, tone, evidence }) => ({
    name,
    order,
    sentiment: tone === null ? null : tones[tone + 1]!,
    evidence,
  })),
  citations: row.citations,
});
