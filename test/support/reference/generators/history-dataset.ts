import { addDays } from '../days.js';
import { comparableDomain } from '../domains.js';
import { fold } from '../entities.js';
import type { DatasetRecord } from '../records.js';
import { randomShelf } from './carousels.js';
import { citablePages } from './citations.js';
import { randomDailyStats } from './daily-stats.js';
import type { DatasetSize } from './dataset.js';
import type { Draw } from './draw.js';
import { drawFrom } from './draw.js';
import type { RandomEntities } from './entities.js';
import { KNOWN_NAMES, randomEntities } from './entities.js';
import { randomFactChecks } from './fact-checks.js';
import { randomHistoryRuns } from './history-runs.js';
import { randomIds } from './ids.js';
import { randomPrompts } from './prompts.js';

/**
 * A valid data set for the reads that look back: one workspace, one or two brands, runs over up to 80 days with
 * carousels, ads and quotes, daily statistics older than the live horizon, fact checks. `randomDataset` reaches
 * what the core reads depend on; nothing here changes what it draws.
 * @param today the current UTC day, YYYY-MM-DD
 * @param size.runs runs of all brands together, at most; 240 unless said
 */
export function randomHistoryDataset(seed: number, today: string, size: DatasetSize = {}): DatasetRecord[] {
  const draw = drawFrom(seed);
  const brandIds = randomIds(draw, draw.int(1, 2)).map((id) => `brand.${id}`);
  const runsEach = Math.floor((size.runs ?? 240) / brandIds.length);
  const brands = brandIds.flatMap((id) => randomBrand(draw, id, today, runsEach));
  const records: DatasetRecord[] = [
    { type: 'workspace', id: 'ws-1', name: 'Workspace ws-1', plan: 'growth' },
    ...brands,
  ];
  const repeated = draw.some(records, 0.01).map((record) => structuredClone(record));
  return draw.shuffled([...records, ...repeated]);
}

function randomBrand(draw: Draw, id: string, today: string, most: number): DatasetRecord[] {
  const entities = randomEntities(draw, id, 'ws-1', today);
  const { topics, prompts, groups } = randomPrompts(draw, id, today);
  const all = [entities.brand, ...entities.competitors];
  const entityNames = all.map((each) => [each.name, ...(each.aliases ?? [])]);
  const tracked = entityNames.flat().map(fold);
  const domains = all.map((each) => comparableDomain(each.domain ?? ''));
  const source = {
    brand: id,
    prompts: prompts.map((prompt) => prompt.id),
    entityNames,
    untracked: KNOWN_NAMES.filter((name) => !tracked.includes(fold(name))),
    pages: citablePages([...new Set(domains)]),
    today,
    archivedAt: Number.POSITIVE_INFINITY,
  };
  const shelf = randomShelf(draw, entities.brand.domain);
  const count = draw.pick([0, draw.int(1, 12), most, most, most]);
  const { runs, lastDay } = randomHistoryRuns(draw, source, shelf, count);
  archive(draw, entities, lastDay, today);
  const stats = randomDailyStats(
    draw,
    id,
    all.map((each) => each.id),
    runs,
    today,
  );
  const checks = randomFactChecks(draw, id, today, runs);
  return [...all, ...topics, ...prompts, ...groups, ...runs, ...stats, ...checks];
}

/** Archives half of the brands that collection has left. */
function archive(draw: Draw, { brand }: RandomEntities, lastDay: number, today: string): void {
  if (lastDay < 0 && draw.chance(0.5)) brand.archived_at = `${addDays(today, lastDay + 1)}T00:00:00Z`;
}
