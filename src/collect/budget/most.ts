/** The most that a call may cost, by what its request allows. `--max-usd` reserves it before the call is sent. */
import { outputLimit } from '../plan/plan.js';
import { protocols } from '../protocols/index.js';
import type { EngineInput } from '../protocols/protocol.js';
import { type CallKind, costOf } from './budget.js';

/** What no vendor limits: the pages that a search puts before the model. Four times what one search takes on average. */
const FIRST_SEARCH_TOKENS = 36_000;
const FURTHER_SEARCH_TOKENS = 18_000;
/** What vendors add to a request: the form of a conversation, the description of a tool. */
const ADDED_TOKENS = 1000;
/** Of a text whose length is not known yet. */
const BYTES_PER_TOKEN = 4;
const DEFAULT_OUTPUT = 8192;

export interface MostUsed {
  readonly input: number;
  readonly output: number;
  readonly searches: number;
  /** US dollars; null: a price is not stated. */
  readonly usd: number | null;
}

/**
 * @param input The content of the call: a token is at least one byte of it.
 * @param answerTokens Tokens that come to the input: those of an answer that does not exist yet.
 */
export function mostOf(kind: CallKind, input: EngineInput, answerTokens = 0): MostUsed {
  const { endpoint, search } = kind;
  const protocol = protocols[endpoint.protocol];
  const request = JSON.stringify(protocol.request(endpoint, input, null).body);
  const searches = search ? (input.maxSearches ?? protocol.mostSearches(endpoint.model)) : 0;
  const found = search ? FIRST_SEARCH_TOKENS + (searches - 1) * FURTHER_SEARCH_TOKENS : 0;
  const used = {
    input: Buffer.byteLength(request) + ADDED_TOKENS + found + answerTokens * BYTES_PER_TOKEN,
    output: mostOutput(kind),
    searches,
  };
  return { ...used, usd: costOf({ ...used, costUsd: null }, endpoint, search) };
}

/** The most tokens of an answer. */
export const mostOutput = ({ endpoint }: CallKind): number => outputLimit(endpoint) ?? DEFAULT_OUTPUT;
