/** The protocols by their names in a plan: the only lists of them. */
import { anthropic } from './anthropic.js';
import { brightdata } from './brightdata.js';
import { isProvider, type ProviderName, providerNames } from './capabilities.js';
import { cloro } from './cloro.js';
import { dataforseo } from './dataforseo.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';
import { perplexity } from './perplexity.js';
import type { Protocol } from './protocol.js';
import type { Provider } from './provider.js';
import { serpapi } from './serpapi.js';

/** The APIs of models. */
export const protocols = {
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  anthropic,
  gemini,
  perplexity,
} as const satisfies Readonly<Record<string, Protocol>>;

export type ProtocolName = keyof typeof protocols;
export const protocolNames = Object.keys(protocols) as ProtocolName[];

/** The providers of answers as people see them. What each can do is in capabilities.ts. */
export const providers: Readonly<Record<ProviderName, Provider>> = {
  cloro,
  dataforseo,
  brightdata,
  serpapi,
};

/** The names of all protocols of a target. */
export const targetProtocols: readonly TargetProtocol[] = [...protocolNames, ...providerNames];
export type TargetProtocol = ProtocolName | ProviderName;

/** The API of a model. Only targets may have a provider instead. */
export const protocolOf = (name: TargetProtocol): Protocol => protocols[name as ProtocolName];

/** Undefined: it is the API of a model. */
export const providerOf = (name: TargetProtocol): Provider | undefined =>
  isProvider(name) ? providers[name] : undefined;
