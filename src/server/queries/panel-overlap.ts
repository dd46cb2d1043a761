/** Which runs of two windows are of prompts that were asked in both. */
import type { PanelOverlap } from '../metrics/intervals/change.js';
import type { EngineBindings } from './bindings.js';
import { statement } from './statement.js';

interface ComparedBindings extends EngineBindings {
  /** First day of the earlier window. */
  priorStart: string;
  /** First and last day of the later window, which follows the earlier one. */
  start: string;
  end: string;
}

/**
 * Counts only runs of days with exactly the prompts that a day of the other window has on some engine. All of them are
 * shared; there may be more. Always one row.
 */
export const equalDaysOverlap = statement<PanelOverlap, ComparedBindings>(
  'equal_days_overlap',
  `with cells as materialized (
     select day >= :start as is_current, panel_hash, sum(run_count) as runs from day_panel
     where brand_key = :brandKey and day between :priorStart and :end and engine = any(:engines)
     group by 1, 2
   )
   select coalesce(sum(runs) filter (where is_current), 0)::bigint as "currentRuns",
     coalesce(sum(runs) filter (where is_current and is_shared), 0)::bigint as "currentShared",
     coalesce(sum(runs) filter (where not is_current), 0)::bigint as "previousRuns",
     coalesce(sum(runs) filter (where not is_current and is_shared), 0)::bigint as "previousShared"
   from (select is_current, runs, count(*) over (partition by panel_hash) = 2 as is_shared from cells) each`,
);

/**
 * Counts every shared run, prompt by prompt. Always one row.
 * @param count The runs of some rows.
 * @param rows The rows, which have a day and a prompt.
 */
export const byPrompt = (count: string, rows: string): string => `
  select coalesce(sum(now), 0)::bigint as "currentRuns",
    coalesce(sum(now) filter (where past > 0), 0)::bigint as "currentShared",
    coalesce(sum(past), 0)::bigint as "previousRuns",
    coalesce(sum(past) filter (where now > 0), 0)::bigint as "previousShared"
  from (
    select ${count} filter (where day >= :start) as now, ${count} filter (where day < :start) as past
    from ${rows} group by prompt_key
  ) prompts`;

/** On the blended engines. */
export const blendedPromptOverlap = statement<PanelOverlap, Omit<ComparedBindings, 'engines'>>(
  'blended_prompt_overlap',
  byPrompt('sum(run_count)', 'day_prompt where brand_key = :brandKey and day between :priorStart and :end'),
);

/** On any engines. The days are listed, so that the index finds the engines of each. */
export const promptOverlap = statement<PanelOverlap, ComparedBindings & { days: readonly string[] }>(
  'prompt_overlap',
  byPrompt(
    'sum(run_count)',
    `(
      select day, unnest(prompt_keys) as prompt_key, unnest(run_counts) as run_count from day_engine_prompts
      where brand_key = :brandKey and day = any(cast(:days as date[])) and engine = any(:engines)
    ) asked`,
  ),
);
