import { addDays, dayOf } from '../days.js';
import { ENGINES, isBlended, KNOWLEDGE_ENGINES } from '../engines.js';
import type { RunRecord } from '../records.js';
import type { Page } from './citations.js';
import { randomCitations } from './citations.js';
import type { Draw } from './draw.js';
import { randomIds } from './ids.js';
import { randomMentions } from './mentions.js';
import { randomText } from './texts.js';
import { randomInstant, spellInstant } from './times.js';

const REGIONS = ['us', 'de', 'in', 'br'] as const;
const PARSED_CAROUSELS: readonly string[] = ['chatgpt', 'aio', 'aimode', 'perplexity'];
const AD_ENGINE = 'chatgpt';

/** Days (0 = today, 1 = tomorrow) and engines that the runs of one brand come from. */
export interface Collection {
  firstDay: number;
  lastDay: number;
  engines: readonly string[];
}

const EVERYTHING: Collection = { firstDay: -20, lastDay: 0, engines: ENGINES };
const COLLECTIONS: readonly Collection[] = [
  EVERYTHING,
  EVERYTHING,
  EVERYTHING,
  { firstDay: -13, lastDay: 0, engines: ENGINES },
  { firstDay: -6, lastDay: 0, engines: ENGINES },
  { firstDay: -13, lastDay: -7, engines: ENGINES },
  { firstDay: -20, lastDay: -14, engines: ENGINES },
  { firstDay: -20, lastDay: 0, engines: KNOWLEDGE_ENGINES },
];

/** What the runs of one brand draw on. */
export interface RunSource {
  brand: string;
  prompts: readonly string[];
  entityNames: readonly string[][];
  untracked: readonly string[];
  pages: readonly Page[];
  today: string;
  archivedAt: number;
}

/** `count` runs; those after the archive date are left out. */
export function randomRuns(draw: Draw, source: RunSource, count: number): RunRecord[] {
  const collection = draw.pick(COLLECTIONS);
  const unshown = draw.pick([0, 0.1, 0.3]);
  const surface = randomSurfaces(draw, source.today);
  const runs = randomIds(draw, count).map((id) => {
    const asked = randomRun(draw, id, source, collection);
    const run = { ...asked, ...surface(asked) };
    return draw.chance(unshown) ? withoutAnswer(run) : run;
  });
  return runs.filter((run) => Date.parse(run.collected_at) <= source.archivedAt);
}

function randomRun(draw: Draw, id: string, source: RunSource, collection: Collection): RunRecord {
  const day = addDays(source.today, draw.int(collection.firstDay, collection.lastDay));
  // Midnight to tomorrow is the one later instant that is less than a day ahead at any time of today.
  const ahead = collection.lastDay === 0 && draw.chance(0.02);
  const instant = ahead ? Date.parse(`${addDays(source.today, 1)}T00:00:00Z`) : randomInstant(draw, day);
  const engine = draw.pick(collection.engines);
  const run: RunRecord = {
    type: 'run',
    id,
    brand: source.brand,
    prompt: draw.pick(source.prompts),
    engine,
    ...draw.pick([{}, { model: null }, { model: 'v-5.1' }]),
    region: draw.pick(REGIONS),
    collected_at: spellInstant(draw, instant),
    ...draw.pick([{}, {}, { outcome: null }, { outcome: 'answered' as const }]),
    ...draw.pick([{}, { observes: null }, { observes: [] }, { observes: ['carousels', 'ads'] as const }]),
    ...draw.pick([{}, { answer: null }, { answer: 'An answer in words.' }]),
    mentions: randomMentions(draw, source.entityNames, source.untracked),
    citations: randomCitations(draw, source.pages),
    ...randomCaptures(draw, engine),
  };
  return run.answer ? { ...run, answer: randomText(run) } : run;
}

/** How the runs of a brand were collected: in any way, in another way from some day on, or each engine in its way. */
function randomSurfaces(draw: Draw, today: string): (run: RunRecord) => Pick<RunRecord, 'surface'> {
  const changed = addDays(today, -draw.int(0, 12));
  const any = () => draw.pick([{}, { surface: null }, { surface: 'api' }, { surface: 'ui' }] as const);
  const newer = (run: RunRecord) => (dayOf(run.collected_at) < changed ? 'api' : 'ui');
  return draw.pick([
    any,
    any,
    (run: RunRecord) => ({ surface: newer(run) }),
    (run: RunRecord) => (draw.chance(0.2) ? {} : { surface: draw.pick(['api', newer(run)] as const) }),
    ({ engine }: RunRecord) => ({ surface: engine === 'aio' ? 'serp' : 'ui' }),
  ] as const);
}

/** The same question, to which the engine showed nothing. */
function withoutAnswer({ answer: _, carousels: __, ad: ___, fanouts: ____, ...asked }: RunRecord): RunRecord {
  return { ...asked, outcome: 'not_shown', mentions: [], citations: [] };
}

/** Carousels, ads and searches change none of the core reads; each only where its engine may have it. */
function randomCaptures(draw: Draw, engine: string): Partial<RunRecord> {
  const captures: Partial<RunRecord> = {};
  if (PARSED_CAROUSELS.includes(engine) && draw.chance(0.2)) {
    captures.carousels = [{ placements: [{ slot: 1, product: 'Acme Widget', url: 'https://acme.com/w' }] }];
  }
  if (engine === AD_ENGINE && draw.chance(0.2)) captures.ad = { advertiser: 'Globex' };
  if (isBlended(engine) && draw.chance(0.2)) captures.fanouts = ['best crm 2026'];
  return captures;
}
