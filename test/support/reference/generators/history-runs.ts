import { addDays } from '../days.js';
import { ENGINES, KNOWLEDGE_ENGINES, SHOPPING_CHANNELS } from '../engines.js';
import type { CapturedMention, RunRecord } from '../records.js';
import { randomAd, withAdIdsInOrder } from './ads.js';
import type { Shelf } from './carousels.js';
import { randomCarousels } from './carousels.js';
import { randomCitations } from './citations.js';
import type { Draw } from './draw.js';
import { randomIds } from './ids.js';
import { randomMentions } from './mentions.js';
import type { Collection, RunSource } from './runs.js';
import { randomInstant, spellInstant } from './times.js';

const REGIONS = ['us', 'de'] as const;
const PARSED = SHOPPING_CHANNELS.filter(({ status }) => status === 'parses-today').map(
  ({ engine }) => engine,
);

/** Which days and engines a brand is collected on, and the part of days without a run. */
export interface Coverage extends Collection {
  gaps: number;
  adChance: number;
  surfaces: readonly RunRecord['surface'][];
}

const STEADY: Coverage = {
  firstDay: -80,
  lastDay: 0,
  engines: ENGINES,
  gaps: 0.2,
  adChance: 0.4,
  surfaces: [null, 'api'],
};
const COVERAGES: readonly Coverage[] = [
  STEADY,
  STEADY,
  { ...STEADY, gaps: 0.7, surfaces: ['api', 'ui', 'serp'] },
  { ...STEADY, firstDay: -13 },
  { ...STEADY, firstDay: -6, engines: PARSED },
  { ...STEADY, lastDay: -10 },
  { ...STEADY, lastDay: -50 },
  { ...STEADY, lastDay: -57 },
  { ...STEADY, engines: KNOWLEDGE_ENGINES },
  { ...STEADY, engines: ['chatgpt', 'claude', 'llama'], adChance: 0 },
  { ...STEADY, firstDay: -40, engines: ['chatgpt'], adChance: 1 },
];

/** `count` runs over up to 80 days and none later than today. */
export function randomHistoryRuns(
  draw: Draw,
  source: RunSource,
  shelf: Shelf,
  count: number,
): { runs: RunRecord[]; lastDay: number } {
  const coverage = draw.pick(COVERAGES);
  const days = Array.from(
    { length: coverage.lastDay - coverage.firstDay + 1 },
    (_, index) => coverage.firstDay + index,
  );
  const collected = [coverage.lastDay, ...draw.some(days, 1 - coverage.gaps)];
  const runs = randomIds(draw, count).map((id) => {
    const day = addDays(source.today, draw.pick(collected));
    return randomRun(draw, id, day, source, shelf, coverage);
  });
  return { runs: withAdIdsInOrder(runs), lastDay: coverage.lastDay };
}

function randomRun(
  draw: Draw,
  id: string,
  day: string,
  source: RunSource,
  shelf: Shelf,
  coverage: Coverage,
): RunRecord {
  const engine = draw.pick(coverage.engines);
  const asked: RunRecord = {
    type: 'run',
    id,
    brand: source.brand,
    prompt: draw.pick(source.prompts),
    engine,
    region: draw.pick(REGIONS),
    surface: draw.pick(coverage.surfaces) ?? null,
    collected_at: spellInstant(draw, randomInstant(draw, day)),
    mentions: [],
    citations: [],
  };
  const observes = draw.pick([[], [], ['ads'], ['carousels', 'ads']] as const).slice();
  const isObserved = (what: 'ads' | 'carousels') => observes.some((each) => each === what);
  if (draw.chance(0.1)) return { ...asked, outcome: 'not_shown' };
  return {
    ...asked,
    mentions: inDistinctOrders(randomMentions(draw, source.entityNames, source.untracked)),
    citations: draw.chance(0.4) ? [] : randomCitations(draw, source.pages),
    ...(observes.length > 0 ? { observes } : {}),
    ...(isObserved('carousels') || PARSED.some((each) => each === engine)
      ? randomCarousels(draw, shelf)
      : {}),
    ...((isObserved('ads') || engine === 'chatgpt') && draw.chance(coverage.adChance)
      ? { ad: randomAd(draw) }
      : {}),
  };
}

/** No two mentions of a run share an order, because the order of two such quotes is not specified. */
function inDistinctOrders(mentions: CapturedMention[]): CapturedMention[] {
  const taken = new Set<number>();
  return mentions.map((mention) => {
    let order = mention.order;
    while (taken.has(order)) order += 1;
    taken.add(order);
    return { ...mention, order };
  });
}
