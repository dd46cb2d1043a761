import { z } from 'zod';
import type { HttpRequest } from './vendor-request.js';

/**
 * The JSON in the text of a model's reply; undefined if the text is not JSON. Some models put a code fence around it, although
 * the request asks for JSON only.
 */
export function replyJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/, '$1'));
  } catch {
    return undefined;
  }
}

/** US dollars per million tokens; null: not stated. */
interface TokenPrices {
  readonly inputUsdPerMtok: number | null;
  readonly outputUsdPerMtok: number | null;
}

const TOKENS_OF_A_PRICE = 1_000_000;

/** The tokens of a request; null: the endpoint does not state them. */
export interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
}

/** US dollars for the tokens of some requests: tokens × price, not rounded. Null: a number or a price is not stated. */
export function tokenCost(requests: readonly Tokens[], prices: TokenPrices): number | null {
  const { inputUsdPerMtok, outputUsdPerMtok } = prices;
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null;
  let sum = 0;
  for (const { input, output } of requests) {
    if (input === null || output === null) return null;
    sum += input * inputUsdPerMtok + output * outputUsdPerMtok;
  }
  return sum / TOKENS_OF_A_PRICE;
}

/** Rounded to 1e-8, which is smaller than the cost of a token and larger than floating-point errors. */
export const roundedUsd = (amount: number): number => Math.round(amount * 1e8) / 1e8;

// The chat completions API of OpenAI, which most other vendors and local servers offer too:
// https://platform.openai.com/docs/api-reference/chat

export interface ChatMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A JSON Schema that the reply must match. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** @param schema Of strict objects without optional fields, as vendors require. */
export function replySchema(name: string, schema: z.ZodType): ReplySchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema);
  return { name, schema: json };
}

/** The headers of a key as OpenAI expects it. */
export const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { Authorization: `Bearer ${key}` };

/** @param reply Undefined: the reply is free text. */
export function chatRequest(
  key: string | null,
  body: { readonly model: string; readonly messages: readonly ChatMessage[] },
  reply: ReplySchema | undefined,
): HttpRequest {
  const format = reply && {
    response_format: { type: 'json_schema', json_schema: { strict: true, ...reply } },
  };
  return { path: '/chat/completions', headers: bearer(key), body: { ...body, ...format } };
}

/** A field that may be absent or null. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish();

/** No call uses more tokens or dollars than this. */
const MAX_AMOUNT = 1e9;
/** A count or a cost. A value that cannot be one counts as not stated, because the answer was paid anyway. */
export const amount = maybe(z.number().min(0).max(MAX_AMOUNT)).catch(null);
/** The usage in a response, with the same rule. */
export const lenientObject = <S extends z.ZodRawShape>(fields: S) => maybe(z.object(fields)).catch(null);

const annotation = z.object({
  type: z.string(),
  url_citation: maybe(z.object({ url: z.string(), title: maybe(z.string()) })),
});
const choice = z.object({
  finish_reason: maybe(z.string()),
  message: z.object({
    content: maybe(z.string()),
    refusal: maybe(z.string()),
    annotations: maybe(z.array(annotation)),
  }),
});
const charged = z.object({
  usage: lenientObject({ prompt_tokens: amount, completion_tokens: amount, cost: amount }),
});
/** The response. Unknown fields are ignored. */
export const chatCompletion = charged.extend({
  model: maybe(z.string()),
  choices: z.array(choice).min(1),
});

/** What a response charges, even if the rest of it is malformed. */
export function chargedOf(body: unknown): Tokens & { readonly costUsd: number | null } {
  const usage = charged.safeParse(body).data?.usage;
  return {
    input: usage?.prompt_tokens ?? null,
    output: usage?.completion_tokens ?? null,
    costUsd: usage?.cost ?? null,
  };
}
