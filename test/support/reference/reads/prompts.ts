import { entitiesOf } from '../entities.js';
import { averagePosition, presenceRate, visibility } from '../formulas.js';
import type { SliceParams } from '../parameters.js';
import type { DatasetRecord, PromptRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import { roundTo } from '../rounding.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Echo } from '../slices.js';
import { chosenRuns } from '../slices.js';
import type { Tally } from '../tally.js';
import { tally } from '../tally.js';
import { byCodePoint, byCreation } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import type { ExpectedTagGroup } from './tag-groups.js';
import { expectedTagGroups } from './tag-groups.js';

export interface ExpectedPrompt {
  id: string;
  text: string;
  stage: string;
  topic: string | null;
  topic_id: string | null;
  topic_name: string | null;
  tags: string[];
  est_volume: number | null;
  est_volume_band: [number, number] | null;
  volume_confidence: string | null;
  matched_gsc_query: string | null;
  gsc_impressions_28d: number | null;
  presence_rate: number | null;
  visibility: number | null;
  avg_position: number | null;
  run_count: number;
}

export interface ExpectedPrompts {
  body: Echo & {
    brand: BrandReference;
    tag_groups: ExpectedTagGroup[];
    prompts: ExpectedPrompt[];
  };
  listing: ExpectedPrompt[];
}

/** What of a slice chooses the runs behind the prompts; no part of it chooses prompts. */
export type PromptsSlice = Pick<SliceParams, 'from' | 'to' | 'engines'>;

/** Body: active prompts by creation. Listing: the same rows by id, as pages walk them. Null = 404. */
export function expectedPrompts(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  slice: PromptsSlice = {},
): ExpectedPrompts | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const { runs, echo } = chosenRuns(records, brand, scope.today, slice);
  const own = entitiesOf(records, brand)[0]!;
  const active = recordsOfBrand(records, 'prompt', brand.id)
    .filter((prompt) => prompt.active !== false)
    .sort(byCreation);
  const topicNames = new Map(recordsOfBrand(records, 'topic', brand.id).map(({ id, name }) => [id, name]));
  const prompts = active.map((prompt) => {
    const sampled = runs.filter((run) => run.prompt === prompt.id);
    return row(prompt, tally(sampled, own, rules), topicNames);
  });
  const listing = [...prompts].sort((a, b) => byCodePoint(a.id, b.id));
  const groups = recordsOfBrand(records, 'tag_group', brand.id);
  return {
    body: { brand: referenceTo(brand), tag_groups: expectedTagGroups(groups, active), prompts, ...echo },
    listing,
  };
}

function row(prompt: PromptRecord, sums: Tally, topicNames: Map<string, string>): ExpectedPrompt {
  const presence = presenceRate(sums);
  const score = visibility(sums);
  return {
    id: prompt.id,
    text: prompt.text,
    stage: prompt.stage ?? '—',
    topic: prompt.tags?.[0] ?? null,
    topic_id: prompt.topic ?? null,
    topic_name: prompt.topic ? (topicNames.get(prompt.topic) ?? null) : null,
    tags: prompt.tags ?? [],
    est_volume: prompt.est_volume ?? null,
    est_volume_band: prompt.est_volume_band ?? null,
    volume_confidence: prompt.volume_confidence ?? null,
    matched_gsc_query: prompt.matched_gsc_query ?? null,
    gsc_impressions_28d: prompt.gsc_impressions_28d ?? null,
    presence_rate: presence === null ? null : roundTo(presence, 3),
    visibility: score === null ? null : roundTo(score, 0),
    avg_position: averagePosition(sums),
    run_count: sums.runs,
  };
}
