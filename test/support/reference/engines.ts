/** The ten engines in table order; the first eight are search-grounded and blended. */
export const ENGINES = [
  'chatgpt',
  'aio',
  'aimode',
  'copilot',
  'perplexity',
  'gemini',
  'grok',
  'claude',
  'deepseek',
  'llama',
] as const;

export const KNOWLEDGE_ENGINES: readonly string[] = ['deepseek', 'llama'];

export function isBlended(engine: string): boolean {
  return !KNOWLEDGE_ENGINES.includes(engine);
}

/** The engines whose payloads state ads. */
export const AD_ENGINES: readonly string[] = ['chatgpt'];

/** The engines with a shopping surface, and whether their payloads carry product data today. */
export const SHOPPING_CHANNELS = [
  { engine: 'chatgpt', status: 'parses-today' },
  { engine: 'aio', status: 'parses-today' },
  { engine: 'aimode', status: 'parses-today' },
  { engine: 'copilot', status: 'awaiting-payload' },
  { engine: 'perplexity', status: 'parses-today' },
  { engine: 'gemini', status: 'awaiting-payload' },
] as const;
