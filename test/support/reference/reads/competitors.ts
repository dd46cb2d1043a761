import type { Window } from '../days.js';
import { currentWindow, priorWindow } from '../days.js';
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
import type { DatasetRecord } from '../records.js';
import { roundTo } from '../rounding.js';
import { blendedRuns } from '../runs.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Tally } from '../tally.js';
import { tally } from '../tally.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';

export interface ExpectedCompetitor {
  id: string;
  name: string;
  domain: string;
  is_brand: boolean;
  visibility: number;
  share_of_voice: number;
  share_of_voice_fraction: number;
  citation_share: number | null;
  sentiment_index: number | null;
  avg_position: number | null;
  intervals: object;
  change: object;
}

export interface ExpectedCompetitors {
  body: { brand: BrandReference; competitors: ExpectedCompetitor[] };
  listing: ExpectedCompetitor[];
}

/** Body: by share of voice desc, name, id. Listing: every row by id, as pages walk it. Null = 404. */
export function expectedCompetitors(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
): ExpectedCompetitors | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const runs = blendedRuns(records, brand.id, currentWindow(scope.today));
  const tracked = entitiesOf(records, brand);
  const measured = tracked.map((entity) => ({ entity, sums: tally(runs, entity, rules) }));
  const inWindow = (window: Window) =>
    measuredIn({ window, runs: blendedRuns(records, brand.id, window) }, tracked, rules);
  const now = inWindow(currentWindow(scope.today));
  const before = inWindow(priorWindow(scope.today));
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
    ...uncertainty(entity),
  }));
  const listing = [...competitors].sort((a, b) => byCodePoint(a.id, b.id));
  return { body: { brand: referenceTo(brand), competitors }, listing };
}

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
  };
}
