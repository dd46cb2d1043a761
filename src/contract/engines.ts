/**
 * The engine table: the only list of the AI engines and of what the payload of each states. How each can be asked stands in
 * src/collect/plan/engine-access.ts.
 */

export interface Engine {
  readonly id: string;
  readonly label: string;
  /** Search-grounded engines are blended into the headline metrics; engines that answer from model knowledge are not. */
  readonly blended: boolean;
  /** Whether responses of the engine contain product data today, will do so when the vendor sends it, or never (null). */
  readonly shopping: 'parses-today' | 'awaiting-payload' | null;
  /** Whether the payload states that an ad was shown. On other engines ads are unknown, never absent. */
  readonly adsObservable: boolean;
}

/** In contract order. Append only: an engine's place is also its bit in stored engine masks. */
export const engines = [
  { id: 'chatgpt', label: 'ChatGPT', blended: true, shopping: 'parses-today', adsObservable: true },
  { id: 'aio', label: 'AI Overviews', blended: true, shopping: 'parses-today', adsObservable: false },
  { id: 'aimode', label: 'AI Mode', blended: true, shopping: 'parses-today', adsObservable: false },
  { id: 'copilot', label: 'Copilot', blended: true, shopping: 'awaiting-payload', adsObservable: false },
  { id: 'perplexity', label: 'Perplexity', blended: true, shopping: 'parses-today', adsObservable: false },
  { id: 'gemini', label: 'Gemini', blended: true, shopping: 'awaiting-payload', adsObservable: false },
  { id: 'grok', label: 'Grok', blended: true, shopping: null, adsObservable: false },
  { id: 'claude', label: 'Claude', blended: true, shopping: null, adsObservable: false },
  { id: 'deepseek', label: 'DeepSeek', blended: false, shopping: null, adsObservable: false },
  { id: 'llama', label: 'Llama', blended: false, shopping: null, adsObservable: false },
] as const satisfies readonly Engine[];

export type EngineId = (typeof engines)[number]['id'];

export const engineIds: readonly EngineId[] = engines.map((engine) => engine.id);
export const blendedEngineIds: readonly EngineId[] = engines
  .filter((engine) => engine.blended)
  .map((engine) => engine.id);

/** The engines whose payloads carry products. */
export const carouselEngineIds: readonly EngineId[] = engines
  .filter((engine) => engine.shopping === 'parses-today')
  .map(({ id }) => id);
export const shoppingStatuses = ['parses-today', 'awaiting-payload'] as const;
/** The engines whose payloads state ads. */
export const adEngineIds: readonly EngineId[] = engines
  .filter((engine) => engine.adsObservable)
  .map((engine) => engine.id);

/** Some engines, each once and in table order. */
export const inTableOrder = (ids: Iterable<string>): EngineId[] => {
  const wanted = new Set(ids);
  return engineIds.filter((id) => wanted.has(id));
};

export function findEngine(id: string): (Engine & { readonly id: EngineId }) | undefined {
  return engines.find((engine) => engine.id === id);
}

/** The engines of a stored bit mask, in table order. */
export function enginesOfMask(mask: number): EngineId[] {
  return engineIds.filter((_, bit) => (mask & (1 << bit)) !== 0);
}
