/** The data of a market, from which the generators make runs. */
import type { EngineId } from '../../contract/engines.js';
import type { Run } from '../../server/dataset/records/run.js';

export const regions = ['us', 'gb', 'de'] as const;
export type Region = (typeof regions)[number];

export interface Product {
  /** As the answers call it, without the maker's name. */
  readonly model: string;
  /** List price in US dollars. */
  readonly price: number;
}

/** Weights of the three tones. */
export interface Tones {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
}

/** The brand, a tracked competitor, or (without an id) a name that is not tracked. */
export interface Maker {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly products: readonly Product[];
  /** Mean probability that an answer about the market names it. */
  readonly presence: number;
  /** Pull towards the front of an answer. */
  readonly strength: number;
  readonly tones: Tones;
  /** Factors on `presence`; 1 where nothing is said, 0 for an engine that never names it. */
  readonly engines?: Partial<Record<EngineId, number>>;
  readonly topics?: Readonly<Record<string, number>>;
  /** By prompt id. */
  readonly prompts?: Readonly<Record<string, number>>;
  /** How much presence gains over a rise: 1 is from half to one and a half times `presence`. */
  readonly growth?: number;
  /** Phrases for its negative tone, on top of the market's own. */
  readonly complaints?: readonly string[];
}

export interface Entity extends Maker {
  readonly id: string;
  /** Absent: the maker has no site of its own. */
  readonly domain?: string;
}

export interface DemoPrompt {
  readonly id: string;
  readonly text: string;
  readonly topic: string;
  readonly tags: readonly string[];
  /** Absent: the funnel stage was never set. */
  readonly stage?: string;
  /** `seasonal`: inactive, sampled only when a quarter opens. `new`: added today, never sampled. */
  readonly status?: 'seasonal' | 'new';
  /** Entities that the prompt itself names. */
  readonly about?: readonly string[];
  /** Factor on every presence: how readily an answer names makers at all. Absent: 1. */
  readonly naming?: number;
  /** Answers may come with products to buy. */
  readonly shopping?: boolean;
}

/** The estimated search volume of a prompt. Each part may be unknown. */
export interface Demand {
  readonly volume?: number;
  readonly band?: readonly [number, number];
  readonly confidence?: string;
  readonly query?: string;
  readonly impressions?: number;
}

/** `{name}` and `{product}` are filled in; the text in brackets is the span that the tone is read from. */
export interface Phrases {
  readonly positive: readonly string[];
  readonly neutral: readonly string[];
  readonly negative: readonly string[];
  /** For mentions without a tone: no brackets. */
  readonly unscored: readonly string[];
  /** Says a maker's name again at the end. */
  readonly closing: readonly string[];
  readonly openings: readonly string[];
  /** By topic: an answer without any name. */
  readonly general: Readonly<Record<string, string>>;
}

export interface Page {
  readonly url: string;
  /** Absent: no engine reports one. */
  readonly title?: string;
  /** Absent: cited under every topic. */
  readonly topics?: readonly string[];
  /** Absent: cited in every region. */
  readonly region?: Region;
  readonly weight: number;
}

export interface Merchant {
  readonly name: string;
  /** Start of its product links. */
  readonly link: string;
}

/** An ad as an engine states it, and how often it is drawn. */
export interface AdUnit {
  readonly weight: number;
  readonly ad: NonNullable<Run['ad']>;
}

export interface Topic {
  readonly id: string;
  readonly name: string;
  /** Searches that engines run behind answers, besides the prompt itself. */
  readonly searches: readonly string[];
}

export interface Market {
  /** Id of the brand, which is the first of the entities. */
  readonly brand: string;
  readonly entities: readonly Entity[];
  readonly untracked: readonly Maker[];
  readonly topics: readonly Topic[];
  readonly prompts: readonly DemoPrompt[];
  /** By prompt id. */
  readonly demand: Readonly<Record<string, Demand>>;
  readonly phrases: Phrases;
  readonly pages: readonly Page[];
  /** Pages of the entities' own sites, by entity id. */
  readonly sites: Readonly<Record<string, readonly Page[]>>;
  readonly merchants: Readonly<Record<Region, readonly Merchant[]>>;
  readonly ads: readonly AdUnit[];
  /** The suffix of a product's name in a carousel: `Torvello Arco` + this. */
  readonly productKind: string;
  /** A prompt meets an engine once in this many days. */
  readonly cadenceDays: number;
  /** Engines that every prompt meets each day. */
  readonly dailyEngines: readonly EngineId[];
}
