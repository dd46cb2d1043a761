/** The protocols by their names in a plan: the only list of them. */
import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { perplexity } from './perplexity.js';
import type { Protocol } from './protocol.js';

export const protocols = {
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  anthropic,
  gemini,
  perplexity,
} as const satisfies Readonly<Record<string, Protocol>>;

export type ProtocolName = keyof typeof protocols;
export const protocolNames = Object.keys(protocols) as ProtocolName[];
