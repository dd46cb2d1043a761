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

/** Engines that always state it, and those of which a run observes it. */
export function observableEngines(
  what: 'ads' | 'carousels',
  always: readonly string[],
  runs: { engine: string; observes?: string[] | null }[],
): string[] {
  const observes = (engine: string) =>
    runs.some((run) => run.engine === engine && run.observes?.includes(what));
  return ENGINES.filter((engine) => always.includes(engine) || observes(engine));
}

/** The engines with a shopping surface, and whether their payloads carry product data today. */
export const SHOPPING_CHANNELS = [
  { engine: 'chatgpt', status: 'parses-today' },
  { engine: 'aio', status: 'parses-today' },
  { engine: 'aimode', status: 'parses-today' },
  { engine: 'copilot', status: 'awaiting-payload' },
  { engine: 'perplexity', status: 'parses-today' },
  { engine: 'gemini', status: 'awaiting-payload' },
] as const;

/** The engines whose payloads carry product data. */
export const CAROUSEL_ENGINES: readonly string[] = ['chatgpt', 'aio', 'aimode', 'perplexity'];
