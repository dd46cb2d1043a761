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

/** Always one row. @param runs The roll-up and its condition on engines. */
const overlap = (runs: string): string => `
  select coalesce(sum(now), 0)::bigint as "currentRuns",
    coalesce(sum(now) filter (where past > 0), 0)::bigint as "currentShared",
    coalesce(sum(past), 0)::bigint as "previousRuns",
    coalesce(sum(past) filter (where now > 0), 0)::bigint as "previousShared"
  from (
    select sum(run_count) filter (where day >= :start) as now, sum(run_count) filter (where day < :start) as past
    from ${runs} group by prompt_key
  ) prompts`;

const WINDOWS = 'brand_key = :brandKey and day between :priorStart and :end';

/** On the blended engines. */
export const blendedPanelOverlap = statement<PanelOverlap, Omit<ComparedBindings, 'engines'>>(
  'blended_panel_overlap',
  overlap(`day_prompt where ${WINDOWS}`),
);

/** On any engines; reads more rows. */
export const panelOverlap = statement<PanelOverlap, ComparedBindings>(
  'panel_overlap',
  overlap(`day_engine_prompt where ${WINDOWS} and engine = any(:engines)`),
);
