/** Targets to begin with: what `svc init` writes for an engine. Models and prices in suggested.json are examples, and change. */
import { type EngineId, engineIds } from '../../contract/engines.js';
import data from './suggested.json' with { type: 'json' };

/** A table of the file, with the names that the file uses. */
export type StatedTable = Readonly<Record<string, string | number | boolean>>;

/** US dollars per million tokens, and per search. A provider of answers as people see them has only the latter. */
interface Prices {
  readonly input?: number;
  readonly output?: number;
  readonly search?: number;
}

interface Suggested {
  readonly vendor: keyof typeof data.vendors;
  /** None: a provider, which has no choice of models. */
  readonly model?: string;
  readonly usd: Prices;
  /** The model of the same vendor that finds names in answers, at a lower price, if it has one. */
  readonly extraction?: { readonly protocol: string; readonly model: string; readonly usd: Prices };
}

interface Vendor {
  readonly protocol: string;
  /** None: a provider, whose address its protocol has. */
  readonly base_url?: string;
  /** None: a local server. */
  readonly key_env?: string;
}

const vendors: Readonly<Record<Suggested['vendor'], Vendor>> = data.vendors;
const suggested = data.engines as { readonly [E in EngineId]?: Suggested };

/** The engines with a suggestion, in the order of the engine table. */
export const suggestedEngines: readonly EngineId[] = engineIds.filter((id) => suggested[id] !== undefined);

/** @param region A two-letter country code; it is stated for engines that search. */
export function suggestedTarget(engine: EngineId, region: string): StatedTable {
  const { vendor, model, usd } = suggested[engine]!;
  const { protocol, base_url, ...key } = vendors[vendor];
  if (model === undefined || base_url === undefined)
    return { engine, protocol, region, ...key, ...pricesOf(usd) };
  const search = usd.search === undefined ? {} : { search: true, region };
  return { engine, protocol, base_url, model, ...search, ...key, ...pricesOf(usd) };
}

/** The model that finds names, of the first of these engines whose vendor has one; null: none has. */
export function suggestedExtraction(engines: readonly string[]): StatedTable | null {
  for (const engine of engines) {
    const { vendor, extraction } = suggested[engine as EngineId] ?? {};
    if (!vendor || !extraction) continue;
    const { protocol, model, usd } = extraction;
    const { protocol: _, base_url = '', ...key } = vendors[vendor];
    return { protocol, base_url, model, ...key, ...pricesOf(usd) };
  }
  return null;
}

const pricesOf = ({ input, output, search }: Prices): StatedTable => ({
  ...(input === undefined ? {} : { input_usd_per_mtok: input }),
  ...(output === undefined ? {} : { output_usd_per_mtok: output }),
  ...(search === undefined ? {} : { call_usd: search }),
});
