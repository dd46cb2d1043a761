import { entityMetricNames } from '../../contract/metrics.js';
import type { Competitor } from '../../contract/reads/competitors.js';
import { compareText } from '../../contract/text-order.js';
import * as metric from '../metrics/entity-metrics.js';
import type { Comparison } from '../metrics/intervals/change.js';
import { changesOf, intervalsOf } from '../metrics/intervals/index.js';
import { round } from '../metrics/rounding.js';
import { type TrackedEntity, trackedEntities } from '../sums/tracked-entities.js';
import { comparisons } from './comparison.js';
import { cutPage } from './page.js';
import { brandRefOf, type Reader } from './reader.js';
import { daysFields, requireRunsSince, sliceOf } from './slice.js';

interface Compared {
  readonly entity: TrackedEntity;
  readonly comparison: Comparison;
}

/** Every tracked entity is computed for any page: they are few, and shares need them all. */
export const reader: Reader<'competitors'> = async (context, params) => {
  const { db, brand, page } = context;
  const slice = await sliceOf(context, params);
  if (slice.runs) await requireRunsSince(context, slice.prior.start, params);
  const [tracked, { compare, days }] = await Promise.all([
    trackedEntities(db, { brandKey: brand.key }),
    comparisons(context, 'every entity', slice),
  ]);
  const extent = await daysFields(context, slice, { hasZeros: true, days });
  const entities = tracked.map((entity): Compared => ({ entity, comparison: compare(entity) }));
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const ranked = entities.sort(
      (a, b) =>
        presentOf(b) - presentOf(a) ||
        compareText(a.entity.name, b.entity.name) ||
        compareText(a.entity.id, b.entity.id),
    );
    return { ...envelope, competitors: ranked.map(rowOf), ...extent };
  }
  const after = page.after?.[0];
  const following = entities
    .filter(({ entity }) => after === undefined || compareText(entity.id, after) > 0)
    .sort((a, b) => compareText(a.entity.id, b.entity.id));
  const { rows, next_cursor } = cutPage(page, following, (row) => [row.entity.id]);
  return { ...envelope, competitors: rows.map(rowOf), ...extent, next_cursor };
};

const presentOf = ({ comparison }: Compared): number => comparison.current.entity.present;

function rowOf({ entity, comparison }: Compared): Competitor {
  const { entity: sums, totals } = comparison.current;
  // The share of voice if nobody is mentioned.
  const nobody = totals.runs === 0 ? null : 0;
  return {
    id: entity.id,
    name: entity.name,
    domain: entity.domain,
    is_brand: entity.entity === 0,
    visibility: round(metric.visibility(sums, totals.runs), 1),
    share_of_voice: round(metric.shareOfVoicePercent(sums, totals) ?? nobody, 1),
    share_of_voice_fraction: round(metric.shareOfVoice(sums, totals) ?? nobody, 3),
    citation_share: metric.citationShare(sums, totals, entity.domain !== ''),
    sentiment_index: round(metric.sentimentIndex(sums), 1),
    avg_position: metric.avgPosition(sums),
    intervals: intervalsOf(entityMetricNames, comparison.current),
    change: changesOf(entityMetricNames, comparison),
  };
}
