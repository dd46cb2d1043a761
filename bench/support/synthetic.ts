/** A brand of any size for benchmarks: records in the dataset format, the same for the same arguments. */
import { engineIds } from '../../src/contract/engines.js';
import { addDays } from '../../src/server/base/days.js';
import type { DatasetRecord } from '../../src/server/intake/dataset/records/index.js';

const DAYS = 56;
const PROMPTS = 200;
const COMPETITORS = 10;
const SITES = 400;
const MENTIONS = 5;
const CITATIONS = 7;
const TOPICS = 10;
const TAGS = 8;
const REGIONS = ['us', 'gb', 'de'] as const;
/** Each engine has runs on both. */
const SURFACES = ['api', 'ui'] as const;
const TONES = ['negative', 'neutral', 'positive'] as const;

/** A small linear congruential generator: benchmarks need repeatable numbers, not good ones. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The id of the brand with so many runs. */
export const brandOf = (runs: number): string => `b${runs}`;

export function* catalogOf(brand: string): Generator<DatasetRecord> {
  yield { type: 'workspace', id: 'bench', name: 'Bench', plan: 'enterprise' };
  yield { type: 'brand', id: brand, workspace: 'bench', name: 'Own', domain: 'own.example' };
  for (let n = 1; n <= COMPETITORS; n++) {
    yield { type: 'competitor', id: `c${n}`, brand, name: `Rival ${n}`, domain: `rival${n}.example` };
  }
  for (let n = 0; n < TOPICS; n++) yield { type: 'topic', id: `t${n}`, brand, name: `Topic ${n}` };
  for (let n = 0; n < PROMPTS; n++) {
    const place = { topic: `t${n % TOPICS}`, tags: [`tag${n % TAGS}`] };
    yield { type: 'prompt', id: `p${n}`, brand, text: `Question ${n}?`, ...place };
  }
}

/** `count` runs over the 56 days that end on `today`. */
export function* runsOf(
  brand: string,
  count: number,
  today: string,
): Generator<DatasetRecord & { type: 'run' }> {
  const draw = numbers(count);
  const names = [
    'Own',
    ...Array.from({ length: COMPETITORS }, (_, n) => `Rival ${n + 1}`),
    'Nobody Tracked',
    'Elsewhere',
  ];
  for (let n = 0; n < count; n++) {
    const day = addDays(today, -(n % DAYS));
    const time = `${String(draw(12)).padStart(2, '0')}:${String(draw(60)).padStart(2, '0')}:00Z`;
    yield {
      type: 'run',
      id: `r${n}`,
      brand,
      prompt: `p${draw(PROMPTS)}`,
      engine: engineIds[draw(engineIds.length)]!,
      model: 'model-1',
      region: REGIONS[n % REGIONS.length]!,
      surface: SURFACES[n % SURFACES.length]!,
      collected_at: `${day}T${time}`,
      answer: `Answer number ${n}. ${'The quick brown fox compares espresso machines. '.repeat(12)}`,
      mentions: Array.from({ length: MENTIONS }, (_, at) => {
        const scored = draw(3) > 0;
        return {
          name: names[draw(names.length)]!,
          order: at + 1,
          ...(scored ? { sentiment: TONES[draw(3)]!, evidence: `said so ${draw(1000)}` } : {}),
        };
      }),
      citations: Array.from({ length: CITATIONS }, () => citationOf(draw)),
    };
  }
}

/** Few pages are cited often and many rarely, as on the web. */
function citationOf(draw: (below: number) => number) {
  const site = Math.floor(SITES * (draw(1000) / 1000) ** 3);
  const page = Math.floor(60 * (draw(1000) / 1000) ** 2);
  const host =
    site === 0 ? 'own.example' : site <= COMPETITORS ? `rival${site}.example` : `site${site}.example`;
  return { url: `https://${host}/articles/${page}`, title: `Article ${page} of ${host}` };
}

/** Statistics of the days between a year ago and the runs, per entity and engine. */
export function* dailyStatsOf(brand: string, today: string): Generator<DatasetRecord> {
  const draw = numbers(366);
  const entities = [brand, ...Array.from({ length: COMPETITORS }, (_, n) => `c${n + 1}`)];
  for (let back = 365; back >= DAYS; back--) {
    for (const engine of engineIds) {
      for (const entity of entities) {
        yield {
          type: 'daily_stat',
          brand,
          entity,
          engine,
          date: addDays(today, -back),
          run_count: 100,
          visibility: draw(1000) / 10,
          share_of_voice_fraction: draw(1000) / 1000,
        };
      }
    }
  }
}
