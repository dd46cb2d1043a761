/** Targets to begin with: what `svc init` writes for an engine. Models and prices are examples, and change. */
import { type EngineId, engineIds } from '../../contract/engines.js';

/** In the names of the file. */
export type StatedTable = Readonly<Record<string, string | number | boolean>>;

interface Vendor {
  readonly protocol: string;
  readonly base_url: string;
  /** None: a local server. */
  readonly key_env?: string;
}

const openai = {
  protocol: 'openai-responses',
  base_url: 'https://api.openai.com/v1',
  key_env: 'OPENAI_API_KEY',
};
const anthropic = {
  protocol: 'anthropic',
  base_url: 'https://api.anthropic.com/v1',
  key_env: 'ANTHROPIC_API_KEY',
};
const google = {
  protocol: 'gemini',
  base_url: 'https://generativelanguage.googleapis.com/v1beta',
  key_env: 'GEMINI_API_KEY',
};
const perplexity = {
  protocol: 'perplexity',
  base_url: 'https://api.perplexity.ai',
  key_env: 'PERPLEXITY_API_KEY',
};
const xai = { protocol: 'openai-responses', base_url: 'https://api.x.ai/v1', key_env: 'XAI_API_KEY' };
const deepseek = {
  protocol: 'openai-chat',
  base_url: 'https://api.deepseek.com/v1',
  key_env: 'DEEPSEEK_API_KEY',
};
const local = { protocol: 'openai-chat', base_url: 'http://127.0.0.1:11434/v1' };

/** US dollars per million tokens, and per search. */
type Prices = readonly [input: number, output: number, search?: number];

interface Suggested {
  readonly vendor: Vendor;
  readonly model: string;
  readonly prices: Prices;
  /** The model of the same vendor that finds names in answers, at a lower price; null: it has none. */
  readonly extraction: readonly [protocol: string, model: string, prices: Prices] | null;
}

const suggested: Partial<Record<EngineId, Suggested>> = {
  chatgpt: {
    ...{ vendor: openai, model: 'gpt-5.2', prices: [1.25, 10, 0.01] },
    extraction: ['openai-chat', 'gpt-5-mini', [0.25, 2]],
  },
  claude: {
    ...{ vendor: anthropic, model: 'claude-sonnet-4-5', prices: [3, 15, 0.01] },
    extraction: ['anthropic', 'claude-haiku-4-5', [1, 5]],
  },
  gemini: {
    ...{ vendor: google, model: 'gemini-2.5-flash', prices: [0.3, 2.5, 0.035] },
    extraction: ['gemini', 'gemini-2.5-flash', [0.3, 2.5]],
  },
  perplexity: { vendor: perplexity, model: 'sonar', prices: [1, 1, 0.005], extraction: null },
  grok: { vendor: xai, model: 'grok-4', prices: [3, 15, 0.005], extraction: null },
  deepseek: {
    ...{ vendor: deepseek, model: 'deepseek-chat', prices: [0.28, 0.42] },
    extraction: null,
  },
  llama: {
    ...{ vendor: local, model: 'llama3.1', prices: [0, 0] },
    extraction: ['openai-chat', 'llama3.1', [0, 0]],
  },
};

/** The engines with a suggestion, in the order of the engine table. */
export const suggestedEngines: readonly EngineId[] = engineIds.filter((id) => suggested[id] !== undefined);

/** @param region A two-letter country code; it is stated for engines that search. */
export function suggestedTarget(engine: EngineId, region: string): StatedTable {
  const { vendor, model, prices } = suggested[engine]!;
  const { protocol, base_url, key_env } = vendor;
  const hasSearch = prices.length === 3;
  return {
    ...{ engine, protocol, base_url, model },
    ...(hasSearch ? { search: true, region } : {}),
    ...(key_env === undefined ? {} : { key_env }),
    ...pricesOf(prices),
  };
}

/** The model that finds names, of the first of these engines whose vendor has one; null: none has. */
export function suggestedExtraction(engines: readonly string[]): StatedTable | null {
  for (const engine of engines) {
    const { vendor, extraction } = suggested[engine as EngineId] ?? {};
    if (!vendor || !extraction) continue;
    const [protocol, model, prices] = extraction;
    const { base_url, key_env } = vendor;
    return { protocol, base_url, model, ...(key_env === undefined ? {} : { key_env }), ...pricesOf(prices) };
  }
  return null;
}

const pricesOf = ([input, output, search]: Prices): StatedTable => ({
  ...{ input_usd_per_mtok: input, output_usd_per_mtok: output },
  ...(search === undefined ? {} : { call_usd: search }),
});
