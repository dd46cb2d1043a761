/** The protocols by their names in a plan. */
import type { ProtocolName } from '../plan/plan.js';
import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { perplexity } from './perplexity.js';
import type { Protocol } from './protocol.js';

export const protocols: { readonly [N in ProtocolName]: Protocol } = {
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  anthropic,
  gemini,
  perplexity,
};
