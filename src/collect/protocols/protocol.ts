/**
 * The form of an API: the request of a call, and what its response means. A protocol is one file next to this one, and
 * one entry in index.ts. The second half of this file is what they share.
 */

import type { NonAnswer, Observable } from '../../contract/surfaces.js';
import type { ReplySchema } from '../../server/base/language-model.js';
import type { HttpRequest } from '../../server/base/vendor-request.js';
import type { RecordOf } from '../../server/intake/dataset/records/index.js';

/** The content of a call, independent of the protocol. */
export interface EngineInput {
  /** If omitted, only the prompt is sent, as a person would type it. */
  readonly instructions?: string;
  readonly prompt: string;
  readonly search: boolean;
  /** The most searches; null: `maxSearches` of the protocol. */
  readonly maxSearches: number | null;
  /** Two letters in upper case; null: no place is sent. */
  readonly country: string | null;
  /** If omitted, the reply is free text. */
  readonly reply?: ReplySchema;
}

/** What a request states about the model that it asks. */
export interface AskedModel {
  readonly model: string;
  /** The most tokens of an answer, as the plan states them; null: see `outputLimit`. */
  readonly maxOutputTokens: number | null;
  /** US dollars; null: not stated, so the cost is unknown. */
  readonly outputUsdPerMtok: number | null;
}

/** What an answer may cost is limited even if the plan states no limit: about seven times the usual answer. */
const DEFAULT_OUTPUT_LIMIT = 8192;

/** The most tokens of an answer, which every request states; null: output is free, so the vendor's limit holds. */
export const outputLimit = ({
  maxOutputTokens,
  outputUsdPerMtok,
}: Omit<AskedModel, 'model'>): number | null =>
  maxOutputTokens ?? (outputUsdPerMtok ? DEFAULT_OUTPUT_LIMIT : null);

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
  /** What was looked for apart from the text; undefined: the protocol states neither. */
  readonly observes?: readonly Observable[];
  readonly carousels?: readonly Carousel[];
  /** The first advertiser with its cards. */
  readonly ad?: Ad;
}

type Run = RecordOf<'run'>;
export type Carousel = NonNullable<Run['carousels']>[number];
export type Placement = Carousel['placements'][number];
export type Ad = NonNullable<Run['ad']>;

/** `not_shown`: the engine was asked, and showed no answer. That is a measurement. */
export type Reply =
  | { readonly kind: 'answered' | 'not_shown'; readonly answer: Answer; readonly usage: Usage }
  | { readonly kind: NonAnswer; readonly detail: string; readonly usage: Usage };

export interface Protocol {
  /** Whether a request can state the country. Else the region is only a label of the runs. */
  readonly statesCountry: boolean;
  /** Searches that one call is charged for at most, as far as the vendor lets a request state or foresee it. */
  maxSearches(model: string): number;
  request(asked: AskedModel, input: EngineInput, key: string | null): HttpRequest;
  /** @throws ZodError for a body of another shape. */
  reply(body: unknown): Reply;
}

// Schemas that the protocols share. Unknown fields are ignored; a field of another type makes the response malformed.

export { amount, bearer, lenientObject, maybe } from '../../server/base/language-model.js';

export const NO_USAGE: Usage = { input: null, output: null, searches: null, costUsd: null };

/** A citation without a title if the engine states none, or an empty one. */
export const citationOf = (url: string, title: string | null | undefined): Citation =>
  title == null || title === '' ? { url } : { url, title };

/** The answer if it has a text, else a malformed reply. */
export function answered(answer: Answer, usage: Usage): Reply {
  if (answer.text.trim() !== '') return { kind: 'answered', answer, usage };
  return { kind: 'malformed', detail: 'the response has no text', usage };
}

/** The field if it is set. */
export const optionalField = <K extends string, V>(name: K, value: V | null | undefined): { [N in K]?: V } =>
  (value == null ? {} : { [name]: value }) as { [N in K]?: V };
