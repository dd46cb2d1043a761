import { blendedEngineIds } from '../../../contract/engines.js';
import type { Competitor } from '../../../contract/reads/competitors.js';
import { compareText } from '../../../contract/text-order.js';
import { windowEnding } from '../../days.js';
import * as metric from '../../metrics/entity-metrics.js';
import { round } from '../../metrics/rounding.js';
import { entitySums } from '../../queries/entity-sums.js';
import { type TrackedEntity, trackedEntities } from '../../queries/tracked-entities.js';
import { windowSums } from '../../queries/window-sums.js';
import { cutPage } from '../page.js';
import { brandRefOf, type Compute } from '../reader.js';

/** Every tracked entity is computed for any page: they are few, and shares need them all. */
export const readCompetitors: Compute<'competitors'> = async ({ db, brand, today, page }) => {
  const bindings = { brandKey: brand.key, engines: blendedEngineIds, ...windowEnding(today) };
  const [tracked, sums, [window]] = await Promise.all([
    trackedEntities(db, { brandKey: brand.key }),
    entitySums(db, bindings),
    windowSums(db, bindings),
  ]);
  const sumsOf = new Map(sums.map((row) => [row.entity, row]));
  const entities = tracked.map((entity) => ({ entity, sums: sumsOf.get(entity.entity) ?? metric.NO_SUMS }));
  const envelope = { brand: brandRefOf(brand) };
  if (!page) {
    const ranked = entities.sort(
      (a, b) =>
        b.sums.present - a.sums.present ||
        compareText(a.entity.name, b.entity.name) ||
        compareText(a.entity.id, b.entity.id),
    );
    return { ...envelope, competitors: ranked.map((row) => rowOf(row.entity, row.sums, window!)) };
  }
  const after = page.after?.[0];
  const following = entities
    .filter(({ entity }) => after === undefined || compareText(entity.id, after) > 0)
    .sort((a, b) => compareText(a.entity.id, b.entity.id));
  const { rows, next_cursor } = cutPage(page, following, (row) => [row.entity.id]);
  return { ...envelope, competitors: rows.map((row) => rowOf(row.entity, row.sums, window!)), next_cursor };
};

/** Scores have no null in this list: 0 where no run, or no tracked name, was measured. */
function rowOf(entity: TrackedEntity, sums: metric.EntitySums, window: metric.WindowSums): Competitor {
  return {
    id: entity.id,
    name: entity.name,
    domain: entity.domain,
    is_brand: entity.entity === 0,
    visibility: round(metric.visibility(sums, window.runs) ?? 0, 1),
    share_of_voice: round(metric.shareOfVoicePercent(sums, window) ?? 0, 1),
    share_of_voice_fraction: round(metric.shareOfVoice(sums, window) ?? 0, 3),
    citation_share: metric.citationShare(sums, window, entity.domain !== ''),
    sentiment_index: round(metric.sentimentIndex(sums), 1),
    avg_position: metric.avgPosition(sums),
  };
}
