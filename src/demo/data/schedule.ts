/** Decides which prompt runs on which engine, on which day and at what time, and in which region. */
import { type EngineId, engineIds } from '../../contract/engines.js';
import { DAY_SECONDS, dateText, isQuarterOpening } from './calendar.js';
import type { DemoPrompt, Market, Region } from './market.js';
import { randomOf } from './random.js';

export interface Slot {
  readonly day: number;
  readonly date: string;
  readonly engine: EngineId;
  readonly prompt: DemoPrompt;
  readonly region: Region;
  /** Seconds after midnight UTC. */
  readonly second: number;
}

const regionShares: readonly { readonly region: Region; readonly share: number }[] = [
  { region: 'us', share: 0.55 },
  { region: 'gb', share: 0.25 },
  { region: 'de', share: 0.2 },
];

/** The first run of each engine is shortly after midnight, so that a day that has just begun is not empty. */
const FIRST_RUN_SPACING_SECONDS = 5;

/** Whether the prompt runs on the engine: not if the engine never names a maker in the prompt. */
function isAsked(market: Market, prompt: DemoPrompt, engine: EngineId): boolean {
  const named = market.entities.filter((entity) => prompt.about?.includes(entity.id));
  return named.every((entity) => entity.engines?.[engine] !== 0);
}

function isDue(market: Market, day: number, prompt: number, engine: number): boolean {
  const { status } = market.prompts[prompt]!;
  if (status === 'new' || (status === 'seasonal' && !isQuarterOpening(day))) return false;
  return (
    market.dailyEngines.includes(engineIds[engine]!) || (day + prompt + engine) % market.cadenceDays === 0
  );
}

/** The slots of one day, by engine. */
export function* slotsOf(market: Market, day: number): Generator<Slot> {
  const date = dateText(day);
  for (const [engineIndex, engine] of engineIds.entries()) {
    let first = true;
    for (const [promptIndex, prompt] of market.prompts.entries()) {
      if (!isDue(market, day, promptIndex, engineIndex) || !isAsked(market, prompt, engine)) continue;
      const random = randomOf(market.brand, date, engine, prompt.id, 'slot');
      const { region } = random.weighted(regionShares, ({ share }) => share);
      const second = first ? engineIndex * FIRST_RUN_SPACING_SECONDS : random.integer(60, DAY_SECONDS - 1);
      first = false;
      yield { day, date, engine, prompt, region, second };
    }
  }
}
