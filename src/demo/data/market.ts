/** The data of a market, from which the generators make runs. */
import type { EngineId } from '../../contract/engines.js';
import type { Run } from '../../server/dataset/records/run.js';

export const regions = ['us', 'gb', 'de'] as const;
export type Region = (typeof regions)[number];

export interface Product {
  /** The name of the product in answers, without the maker's name. */
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

/** The brand, a tracked competitor, or, without an id, a name that is not tracked. */
export interface Maker {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly products: readonly Product[];
  /** Mean probability that an answer names the maker. */
  readonly presence: number;
  /** The higher it is, the earlier the answer names the maker. */
  readonly strength: number;
  readonly tones: Tones;
  /** Factors on `presence`; the default is 1; 0: the engine never names the maker. */
  readonly engines?: Partial<Record<EngineId, number>>;
  readonly topics?: Readonly<Record<string, number>>;
  /** By prompt id. */
  readonly prompts?: Readonly<Record<string, number>>;
  /** The growth of presence in a rise of the market: 1 is from 0.5 to 1.5 times `presence`. */
  readonly growth?: number;
  /** Phrases for its negative tone, in addition to those of the market. */
  readonly complaints?: readonly string[];
}

export interface Entity extends Maker {
  readonly id: string;
  /** Undefined if the maker has no site. */
  readonly domain?: string;
}

export interface DemoPrompt {
  readonly id: string;
  readonly text: string;
  readonly topic: string;
  readonly tags: readonly string[];
  /** Undefined if the funnel stage was never set. */
  readonly stage?: string;
  /** `seasonal`: inactive, sampled only at the beginning of a quarter. `new`: added today, never sampled. */
  readonly status?: 'seasonal' | 'new';
  /** Entities that the prompt itself names. */
  readonly about?: readonly string[];
  /** Factor on the presence of every maker; 1 if omitted. */
  readonly naming?: number;
  /** Whether answers may contain product carousels. */
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

/** `{name}` and `{product}` are replaced; the text in brackets is the evidence of the tone. */
export interface Phrases {
  readonly positive: readonly string[];
  readonly neutral: readonly string[];
  readonly negative: readonly string[];
  /** For mentions without a tone, so without brackets. */
  readonly unscored: readonly string[];
  /** Repeats a maker's name at the end. */
  readonly closing: readonly string[];
  readonly openings: readonly string[];
  /** Answers without a name, by topic. */
  readonly general: Readonly<Record<string, string>>;
}

export interface Page {
  readonly url: string;
  /** Undefined if no engine reports a title. */
  readonly title?: string;
  /** If omitted, the page is cited under every topic. */
  readonly topics?: readonly string[];
  /** If omitted, the page is cited in every region. */
  readonly region?: Region;
  readonly weight: number;
}

export interface Merchant {
  readonly name: string;
  /** The prefix of its product links. */
  readonly link: string;
}

/** An ad as an engine reports it, and its weight. */
export interface AdUnit {
  readonly weight: number;
  readonly ad: NonNullable<Run['ad']>;
}

export interface Topic {
  readonly id: string;
  readonly name: string;
  /** The searches that engines run for answers, besides the prompt itself. */
  readonly searches: readonly string[];
}

export interface Market {
  /** The id of the brand, which is the first entity. */
  readonly brand: string;
  readonly entities: readonly Entity[];
  readonly untracked: readonly Maker[];
  readonly topics: readonly Topic[];
  readonly prompts: readonly DemoPrompt[];
  /** By prompt id. */
  readonly demand: Readonly<Record<string, Demand>>;
  readonly phrases: Phrases;
  readonly pages: readonly Page[];
  /** The pages of the entities' own sites, by entity id. */
  readonly sites: Readonly<Record<string, readonly Page[]>>;
  readonly merchants: Readonly<Record<Region, readonly Merchant[]>>;
  readonly ads: readonly AdUnit[];
  /** The suffix of a product's name in a carousel: `Torvello Arco` + this. */
  readonly productKind: string;
  /** The number of days between two runs of a prompt on an engine. */
  readonly cadenceDays: number;
  /** The engines on which every prompt runs each day. */
  readonly dailyEngines: readonly EngineId[];
}
