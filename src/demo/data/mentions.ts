/** Decides which makers an answer names, in which order and in which tone. */
import type { EngineId } from '../../contract/engines.js';
import { channelOf } from './channels.js';
import type { Entity, Maker, Market, Product, Tones } from './market.js';
import type { Random } from './random.js';
import type { Slot } from './schedule.js';
import { momentum, weeklySwing } from './trend.js';

export type ToneName = keyof Tones;

/** One name in one answer, before its sentence is written. */
export interface Naming {
  readonly maker: Maker;
  readonly name: string;
  readonly product: Product;
  /** Null: the answer does not judge the maker. */
  readonly tone: ToneName | null;
}

const MOST_NAMES = 7;
const ALIAS_SHARE = 0.08;
const UNSCORED_SHARE = 0.22;
const ABOUT_PRESENCE = 0.97;
/** The weight of the random part of a rank, relative to the maker's strength. */
const RANK_SPREAD = 1.1;
const toneNames: readonly ToneName[] = ['positive', 'neutral', 'negative'];

/** Probability that the answer of this slot names the maker. */
function presenceOf(maker: Maker, slot: Slot): number {
  const rise = 1 + (maker.growth ?? 0) * (momentum(slot.day) - 0.5);
  const { engines, topics, prompts } = maker;
  const fit =
    (engines?.[slot.engine] ?? 1) * (topics?.[slot.prompt.topic] ?? 1) * (prompts?.[slot.prompt.id] ?? 1);
  const presence =
    maker.presence * rise * fit * (slot.prompt.naming ?? 1) * weeklySwing(maker.name, slot.day);
  return Math.min(0.95, presence);
}

function toneOf(maker: Maker, engine: EngineId, random: Random): ToneName | null {
  if (random.chance(UNSCORED_SHARE)) return null;
  return random.weighted(
    toneNames,
    (tone) => maker.tones[tone] * (tone === 'negative' ? channelOf(engine).critical : 1),
  );
}

function namingOf(maker: Maker, engine: EngineId, random: Random): Naming {
  const isAlias = maker.aliases.length > 0 && random.chance(ALIAS_SHARE);
  return {
    maker,
    name: isAlias ? random.pick(maker.aliases) : maker.name,
    product: random.pick(maker.products),
    tone: toneOf(maker, engine, random),
  };
}

/** The namings of an answer in order, each maker at most once. */
export function namingsOf(market: Market, slot: Slot, random: Random): Naming[] {
  const isAbout = (maker: Maker | Entity) => 'id' in maker && slot.prompt.about?.includes(maker.id) === true;
  return [...market.entities, ...market.untracked]
    .filter((maker) => random.chance(isAbout(maker) ? ABOUT_PRESENCE : presenceOf(maker, slot)))
    .map((maker) => ({
      maker,
      rank: maker.strength + (isAbout(maker) ? 1 : 0) + random.next() * RANK_SPREAD,
    }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST_NAMES)
    .map(({ maker }) => namingOf(maker, slot.engine, random));
}
