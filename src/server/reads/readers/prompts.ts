import { blendedEngineIds } from '../../../contract/engines.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import * as metric from '../../metrics/entity-metrics.js';
import { round } from '../../metrics/rounding.js';
import {
  chosenPromptsByAge,
  chosenPromptsById,
  type PromptRow,
  promptsByAge,
  promptsById,
  tagGroups,
} from '../../queries/prompts.js';
import { EVERY_RUN } from '../../queries/run-choice.js';
import { daysFields } from '../measured.js';
import { cutPage, rowsToFetch } from '../page.js';
import { brandRefOf, type Compute } from '../reader.js';
import { requireRunsSince, sliceOf } from '../slice.js';

export const readPrompts: Compute<'prompts'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  const { engines, window } = slice;
  // The roll-up of prompts is of the blended engines.
  const isRolledUp = engines === blendedEngineIds;
  if (!isRolledUp) await requireRunsSince(context, window.start, params);
  const bindings = { brandKey: brand.key, engines, ...window, ...EVERY_RUN };
  const [tag_groups, around] = await Promise.all([
    tagGroups(db, { brandKey: brand.key }),
    daysFields(context, slice),
  ]);
  const envelope = { brand: brandRefOf(brand), tag_groups };
  if (!page) {
    const found = await (isRolledUp ? promptsByAge(db, bindings) : chosenPromptsByAge(db, bindings));
    return { ...envelope, prompts: found.map(promptOf), ...around };
  }
  const place = { ...bindings, after: page.after?.[0] ?? null, rows: rowsToFetch(page) };
  const found = await (isRolledUp ? promptsById(db, place) : chosenPromptsById(db, place));
  const { rows, next_cursor } = cutPage(page, found, (row) => [row.id]);
  return { ...envelope, prompts: rows.map(promptOf), ...around, next_cursor };
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
