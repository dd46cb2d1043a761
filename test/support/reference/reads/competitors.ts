import type { Entity } from '../entities.js';
import { entitiesOf } from '../entities.js';
import {
  averagePosition,
  citationShare,
  sentimentIndex,
  shareOfVoice,
  shareOfVoicePercent,
  visibility,
} from '../formulas.js';
import { expectedUncertainty, measuredIn } from '../intervals.js';
import type { SliceParams } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import { roundTo } from '../rounding.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Echo } from '../slices.js';
import { chosenRuns } from '../slices.js';
import type { Tally } from '../tally.js';
import { tally } from '../tally.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';

export interface ExpectedCompetitor {
  id: string;
  name: string;
  domain: string;
  is_brand: boolean;
  visibility: number | null;
  share_of_voice: number | null;
  share_of_voice_fraction: number | null;
  citation_share: number | null;
  sentiment_index: number | null;
  avg_position: number | null;
  intervals: object;
  change: object;
  measured_since: null;
}

export interface ExpectedCompetitors {
  body: Echo & {
    brand: BrandReference;
    competitors: ExpectedCompetitor[];
  };
  listing: ExpectedCompetitor[];
}

/** Body: by share of voice desc, name, id. Listing: every row by id, as pages walk it. Null = 404. */
export function expectedCompetitors(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  slice: SliceParams = {},
): ExpectedCompetitors | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const { window, prior, runs, priorRuns, isNothing, echo } = chosenRuns(records, brand, scope.today, slice);
  const tracked = entitiesOf(records, brand);
  const measured = tracked.map((entity) => ({ entity, sums: tally(runs, entity, rules) }));
  const now = measuredIn({ window, runs }, tracked, rules);
  const before = measuredIn({ window: prior, runs: priorRuns }, tracked, rules);
  const uncertainty = (entity: Entity) =>
    expectedUncertainty(
      ['visibility', 'share_of_voice_fraction', 'citation_share', 'sentiment_index'],
      now(entity),
      before(entity),
    );
  const all = measured.map(({ sums }) => sums);
  const ranked = measured.sort(
    (a, b) =>
      b.sums.present - a.sums.present ||
      byCodePoint(a.entity.name, b.entity.name) ||
      byCodePoint(a.entity.id, b.entity.id),
  );
  const competitors = ranked.map(({ entity, sums }) => ({
    ...row(entity, sums, all),
    ...(isNothing ? UNMEASURED : {}),
    ...uncertainty(entity),
  }));
  const listing = [...competitors].sort((a, b) => byCodePoint(a.id, b.id));
  return { body: { brand: referenceTo(brand), competitors, ...echo }, listing };
}

/** In place of the zeros of a plain request. */
const UNMEASURED = { visibility: null, share_of_voice: null, share_of_voice_fraction: null };

function row(entity: Entity, sums: Tally, all: Tally[]): Omit<ExpectedCompetitor, 'intervals' | 'change'> {
  const index = sentimentIndex(sums);
  return {
    id: entity.id,
    name: entity.name,
    domain: entity.domain,
    is_brand: entity.is_brand,
    visibility: roundTo(visibility(sums) ?? 0, 1),
    share_of_voice: roundTo(shareOfVoicePercent(sums, all), 1),
    share_of_voice_fraction: roundTo(shareOfVoice(sums, all), 3),
    citation_share: citationShare(sums, entity),
    sentiment_index: index === null ? null : roundTo(index, 1),
    avg_position: averagePosition(sums),
    measured_since: null,
  };
}
