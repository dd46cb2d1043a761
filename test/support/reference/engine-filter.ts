import { ENGINES, isBlended } from './engines.js';

/** An `engine` parameter as understood: the echo, and which engines count. */
export interface EngineFilter {
  /** In table order, each once; null = unfiltered. */
  engines: string[] | null;
  /** Unfiltered, the eight search-grounded engines; else exactly those listed. */
  counts(engine: string): boolean;
}

export function engineFilter(listed: readonly string[] | undefined): EngineFilter {
  if (listed === undefined) return { engines: null, counts: isBlended };
  const engines = ENGINES.filter((engine) => listed.includes(engine));
  return { engines, counts: (engine) => listed.includes(engine) };
}
