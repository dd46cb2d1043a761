/** What every protocol does: make the body of a request, and read what the engine answered. */
import type { NonAnswer } from '../../contract/surfaces.js';
import type { Endpoint, ProtocolName } from '../plan/plan.js';

/** A JSON Schema that the reply must match. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The content of a call, independent of the protocol. */
export interface EngineInput {
  /** Without it only the prompt is sent, as a person would type it. */
  readonly instructions?: string;
  readonly prompt: string;
  readonly search: boolean;
  /** The most searches; null: `mostSearches` of the protocol. */
  readonly maxSearches: number | null;
  /** Two letters in upper case; null: no place is sent. */
  readonly country: string | null;
  /** Without it the reply is free text. */
  readonly reply?: ReplySchema;
}

export interface EngineRequest {
  /** Below the base URL, such as `/responses`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export interface Citation {
  readonly url: string;
  readonly title?: string;
}

/** What a call used; null: the engine does not state it. */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  /** Searches that are charged; null: the protocol does not state them. */
  readonly searches: number | null;
  /** US dollars as the engine states them. */
  readonly costUsd: number | null;
}

export interface Answer {
  readonly text: string;
  /** The model that answered; null: the response does not state it. */
  readonly model: string | null;
  /** The pages that the text cites, in its order. What was only retrieved is not in the list. */
  readonly citations: readonly Citation[];
  /** The searches of the engine. */
  readonly fanouts: readonly string[];
}

export type Reply =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly usage: Usage }
  | { readonly kind: NonAnswer; readonly detail: string; readonly usage: Usage };

export interface Protocol {
  readonly name: ProtocolName;
  /** Whether a request can state the country. Else the region is only a label of the runs. */
  readonly statesCountry: boolean;
  /** Searches that one call is charged for at most, as far as the vendor lets a request state or foresee it. */
  mostSearches(model: string): number;
  request(endpoint: Endpoint, input: EngineInput, key: string | null): EngineRequest;
  /** @throws ZodError for a body of another shape. */
  reply(body: unknown): Reply;
}
