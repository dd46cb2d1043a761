/** What a plan file states: which engines are asked, through which API, at which prices. */
import type { EngineId } from '../../contract/engines.js';
import type { TargetProtocol } from '../protocols/index.js';
import type { AskedModel } from '../protocols/protocol.js';
import type { ProviderSettings } from '../protocols/provider.js';

/** US dollars; null: not stated, so the cost is unknown. */
export interface Prices {
  readonly inputUsdPerMtok: number | null;
  readonly outputUsdPerMtok: number | null;
  /** The price of a search that the engine ran; of a provider: of a question. */
  readonly callUsd: number | null;
}

/** A model behind an API, or an engine behind a provider; the model of the latter is the id of the engine. */
export interface Endpoint extends AskedModel, Prices {
  readonly protocol: TargetProtocol;
  /** Without a slash at the end, as https://api.example.com/v1. */
  readonly baseUrl: string;
  /** Calls at the same time. */
  readonly concurrency: number;
  /** The environment variable that holds the key; null: the endpoint needs none. */
  readonly keyEnv: string | null;
  readonly timeoutSeconds: number;
  /** Null: it is a model. */
  readonly provider: ProviderSettings | null;
}

/** One engine in one region. */
export interface Target extends Endpoint {
  readonly engine: EngineId;
  readonly search: boolean;
  /** The most searches of a call; null: that of the protocol. */
  readonly maxSearches: number | null;
  /** A two-letter country code as the plan writes it, or `global`. */
  readonly region: string;
}

export interface CollectPlan {
  /** Runs per prompt, engine and region a day. */
  readonly samples: number;
  readonly targets: readonly Target[];
  /** The model that finds names in answers; null: only tracked names are found. */
  readonly extraction: Endpoint | null;
}

/** No country: nothing about a place is sent. */
export const GLOBAL = 'global';
