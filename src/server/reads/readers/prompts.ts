import type { Prompt } from '../../../contract/reads/prompts.js';
import { windowEnding } from '../../days.js';
import * as metric from '../../metrics/entity-metrics.js';
import { round } from '../../metrics/rounding.js';
import { type PromptRow, promptsByAge, promptsById, tagGroups } from '../../queries/prompts.js';
import { cutPage, rowsToFetch } from '../page.js';
import { brandRefOf, type Compute } from '../reader.js';

export const readPrompts: Compute<'prompts'> = async ({ db, brand, today, page }) => {
  const window = { brandKey: brand.key, ...windowEnding(today) };
  const envelope = { brand: brandRefOf(brand), tag_groups: await tagGroups(db, { brandKey: brand.key }) };
  if (!page) return { ...envelope, prompts: (await promptsByAge(db, window)).map(promptOf) };
  const found = await promptsById(db, { ...window, after: page.after?.[0] ?? null, rows: rowsToFetch(page) });
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.id]);
  return { ...envelope, prompts: rows.map(promptOf), next_cursor };
};

/** Never sampled in the window (no run) is null; sampled and absent is 0 with a run_count above 0. */
function promptOf(row: PromptRow): Prompt {
  const { est_volume_low: low, est_volume_high: high } = row;
  return {
    id: row.id,
    text: row.text,
    stage: row.stage,
    topic: row.tags[0] ?? null,
    topic_id: row.topic_id,
    topic_name: row.topic_name,
    tags: row.tags,
    est_volume: row.est_volume,
    est_volume_band: low === null || high === null ? null : [low, high],
    volume_confidence: row.volume_confidence,
    matched_gsc_query: row.matched_gsc_query,
    gsc_impressions_28d: row.gsc_impressions_28d,
    presence_rate: round(metric.presenceRate(row, row.runs), 3),
    visibility: round(metric.visibility(row, row.runs), 0),
    avg_position: metric.avgPosition(row),
    run_count: row.runs,
  };
}
