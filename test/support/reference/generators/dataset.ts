import { addDays } from '../days.js';
import { comparableDomain } from '../domains.js';
import { fold } from '../entities.js';
import type { DatasetRecord, ReclassificationRecord, WorkspaceRecord } from '../records.js';
import { citablePages } from './citations.js';
import type { Draw } from './draw.js';
import { drawFrom } from './draw.js';
import type { RandomEntities } from './entities.js';
import { KNOWN_NAMES, randomEntities, spellDomain } from './entities.js';
import { randomIds } from './ids.js';
import { randomPrompts } from './prompts.js';
import { randomRuns } from './runs.js';
import { randomInstant, spellInstant } from './times.js';

export interface DatasetSize {
  /** Runs of all brands together, at most; 150 unless said. */
  runs?: number;
}

const LABELS = ['owned', 'competitor', 'editorial', 'ugc', 'commerce', 'partner'] as const;
const RECLASSIFIED = ['acme.com', 'globex.io', 'reddit.com', 'site-1.example', 'g2.com', 'nobody.example'];

/**
 * A valid data set: one or two workspaces, one to three brands, everything the core reads look at, lines in any
 * order, now and then a line twice. Nothing in it depends on anything but the seed, the day and the size.
 * @param today the current UTC day, YYYY-MM-DD
 */
export function randomDataset(seed: number, today: string, size: DatasetSize = {}): DatasetRecord[] {
  const draw = drawFrom(seed);
  const workspaces = randomWorkspaces(draw);
  const records: DatasetRecord[] = [...workspaces];
  for (const workspace of workspaces) records.push(...randomReclassifications(draw, workspace.id));
  const brandIds = randomIds(draw, draw.int(1, 3)).map((id) => `brand.${id}`);
  const runsEach = Math.floor((size.runs ?? 150) / brandIds.length);
  brandIds.forEach((id, index) => {
    const workspace = index === 0 ? workspaces[0]! : draw.pick(workspaces);
    records.push(...randomBrand(draw, id, workspace.id, today, runsEach));
  });
  const repeated = draw.some(records, 0.01).map((record) => structuredClone(record));
  return draw.shuffled([...records, ...repeated]);
}

function randomWorkspaces(draw: Draw): WorkspaceRecord[] {
  const ids = draw.chance(0.5) ? ['ws-1'] : ['ws-1', 'WS-2'];
  return ids.map((id) => ({ type: 'workspace', id, name: `Workspace ${id}`, plan: 'growth' }));
}

function randomReclassifications(draw: Draw, workspace: string): ReclassificationRecord[] {
  return draw.some(RECLASSIFIED, 0.25).map((domain) => ({
    type: 'reclassification',
    workspace,
    domain: spellDomain(draw, domain),
    classification: draw.pick(LABELS),
  }));
}

/** A brand with all that hangs on it; some brands are archived, some have few runs or none. */
function randomBrand(
  draw: Draw,
  id: string,
  workspace: string,
  today: string,
  most: number,
): DatasetRecord[] {
  const entities = randomEntities(draw, id, workspace, today);
  const { topics, prompts, groups } = randomPrompts(draw, id, today);
  const archivedAt = archive(draw, entities, today);
  const entityNames = [entities.brand, ...entities.competitors].map((each) => [
    each.name,
    ...(each.aliases ?? []),
  ]);
  const tracked = entityNames.flat().map(fold);
  const domains = [entities.brand, ...entities.competitors].map((each) =>
    comparableDomain(each.domain ?? ''),
  );
  const source = {
    brand: id,
    prompts: prompts.map((prompt) => prompt.id),
    entityNames,
    untracked: KNOWN_NAMES.filter((name) => !tracked.includes(fold(name))),
    pages: citablePages([...new Set(domains)]),
    today,
    archivedAt,
  };
  const count = draw.pick([0, draw.int(1, 8), most, most, draw.int(Math.floor(most / 2), most)]);
  const runs = randomRuns(draw, source, count);
  return [entities.brand, ...entities.competitors, ...topics, ...prompts, ...groups, ...runs];
}

/** Archives one brand in six; the instant after which it can have no run, infinite while it is active. */
function archive(draw: Draw, { brand }: RandomEntities, today: string): number {
  if (draw.chance(0.1)) brand.archived_at = null;
  if (!draw.chance(1 / 6)) return Number.POSITIVE_INFINITY;
  const instant = randomInstant(draw, addDays(today, -draw.int(1, 15)));
  brand.archived_at = spellInstant(draw, instant);
  return instant;
}
