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
