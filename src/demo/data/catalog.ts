/** Generates the workspace, its three brands, and their competitors, prompts and folders. */
import type { DatasetRecord, RecordOf } from '../../server/intake/dataset/records/index.js';
import { closingDay, dateText, dayOf, timeText } from './calendar.js';
import { type Demand, espresso, type Market } from './market.js';

export const demoWorkspaceId = 'demo';

const START = '2026-01-12T09:00:00Z';
const CLOSING_SECOND = 17 * 3600;

/** The time when collection for the archived brand ended. */
export const archivedAt = (now: Date): string => timeText(closingDay(dayOf(now)), CLOSING_SECOND);

const demandOf = ({ volume, band, confidence, query, impressions }: Demand) => ({
  ...(volume === undefined ? {} : { est_volume: volume }),
  ...(band === undefined ? {} : { est_volume_band: [...band] as [number, number] }),
  ...(confidence === undefined ? {} : { volume_confidence: confidence }),
  ...(query === undefined ? {} : { matched_gsc_query: query }),
  ...(impressions === undefined ? {} : { gsc_impressions_28d: impressions }),
});

function promptsOf(market: Market, now: Date): RecordOf<'prompt'>[] {
  return market.prompts.map(({ id, text, topic, tags, stage, status }) => ({
    type: 'prompt',
    id,
    brand: market.brand,
    text,
    topic,
    tags: [...tags],
    active: status !== 'seasonal',
    created_at: status === 'new' ? `${dateText(dayOf(now))}T00:00:00Z` : START,
    ...(stage === undefined ? {} : { stage }),
    ...demandOf(market.demand[id] ?? {}),
  }));
}

function* brandOf(
  market: Market,
  createdAt: string,
  closedAt: string | null,
  now: Date,
): Generator<DatasetRecord> {
  const [brand, ...competitors] = market.entities;
  yield {
    type: 'brand',
    id: market.brand,
    workspace: demoWorkspaceId,
    name: brand!.name,
    domain: brand!.domain!,
    aliases: [...brand!.aliases],
    created_at: createdAt,
    ...(closedAt === null ? {} : { archived_at: closedAt }),
  };
  for (const { id, name, domain, aliases } of competitors) {
    const own = domain === undefined ? {} : { domain };
    yield {
      type: 'competitor',
      id,
      brand: market.brand,
      name,
      ...own,
      aliases: [...aliases],
      created_at: START,
    };
  }
  for (const { id, name } of market.topics) yield { type: 'topic', id, brand: market.brand, name };
  yield* promptsOf(market, now);
}

/** A brand that was set up but has no runs: two prompts wait for their first run. */
function* unsampledBrand(): Generator<DatasetRecord> {
  const brand = 'slumbrook';
  yield {
    type: 'brand',
    id: brand,
    workspace: demoWorkspaceId,
    name: 'Slumbrook',
    domain: 'slumbrook.example',
    created_at: '2026-03-02T10:00:00Z',
  };
  const texts = ['Best mattress for side sleepers', 'Which mattress stays cool in summer?'];
  for (const [i, text] of texts.entries()) yield { type: 'prompt', id: `m${i + 1}`, brand, text };
}

/** All tracked records. The main brand is the oldest one, so it is the default brand of reads. */
export function* catalog(main: Market, archived: Market, now: Date): Generator<DatasetRecord> {
  yield { type: 'workspace', id: demoWorkspaceId, name: 'Demo workspace', plan: 'growth' };
  yield* brandOf(main, START, null, now);
  yield* brandOf(archived, '2026-02-02T09:00:00Z', archivedAt(now), now);
  yield* unsampledBrand();
  for (const [i, { tags, ...group }] of espresso.tagGroups.entries()) {
    const created_at = `2026-01-13T09:0${i}:00Z`;
    yield { type: 'tag_group', ...group, brand: main.brand, tags: [...tags], created_at };
  }
  const labels = { 'homegrounds.co': 'editorial', 'beanhaul.example': 'partner' };
  for (const [domain, classification] of Object.entries(labels)) {
    yield { type: 'reclassification', workspace: demoWorkspaceId, domain, classification };
  }
}
