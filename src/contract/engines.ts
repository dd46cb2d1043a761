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
  /** Keys of the agents that fetch pages for its answers, into the index of its search or when a user asks; none is known: empty. */
  readonly agents: readonly string[];
}

/** In contract order. Append only: an engine's place is also its bit in stored engine masks. */
export const engines = [
  {
    id: 'chatgpt',
    label: 'ChatGPT',
    blended: true,
    shopping: 'parses-today',
    adsObservable: true,
    agents: ['oai-searchbot', 'chatgpt-user'],
  },
  {
    id: 'aio',
    label: 'AI Overviews',
    blended: true,
    shopping: 'parses-today',
    adsObservable: false,
    agents: ['googlebot'],
  },
  {
    id: 'aimode',
    label: 'AI Mode',
    blended: true,
    shopping: 'parses-today',
    adsObservable: false,
    agents: ['googlebot'],
  },
  {
    id: 'copilot',
    label: 'Copilot',
    blended: true,
    shopping: 'awaiting-payload',
    adsObservable: false,
    agents: ['bingbot'],
  },
  {
    id: 'perplexity',
    label: 'Perplexity',
    blended: true,
    shopping: 'parses-today',
    adsObservable: false,
    agents: ['perplexitybot', 'perplexity-user'],
  },
  {
    id: 'gemini',
    label: 'Gemini',
    blended: true,
    shopping: 'awaiting-payload',
    adsObservable: false,
    agents: ['googlebot'],
  },
  { id: 'grok', label: 'Grok', blended: true, shopping: null, adsObservable: false, agents: [] },
  {
    id: 'claude',
    label: 'Claude',
    blended: true,
    shopping: null,
    adsObservable: false,
    agents: ['claude-searchbot', 'claude-user'],
  },
  { id: 'deepseek', label: 'DeepSeek', blended: false, shopping: null, adsObservable: false, agents: [] },
  { id: 'llama', label: 'Llama', blended: false, shopping: null, adsObservable: false, agents: [] },
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

/** The agents that fetch pages for the answers of some engines, in table order, each once. */
export const agentsOf = (ids: readonly string[]): string[] => [
  ...new Set(engines.filter(({ id }) => ids.includes(id)).flatMap(({ agents }) => agents)),
];

/** Those of all engines. */
export const answerAgents: readonly string[] = agentsOf(engineIds);
