/** Plans and subjects for tests of the collector. */
import type { CollectPlan, Endpoint, Target } from '../../../src/collect/plan/plan.js';
import type { ProviderName } from '../../../src/collect/protocols/capabilities.js';
import type { ProtocolName } from '../../../src/collect/protocols/index.js';
import type { ProviderSettings } from '../../../src/collect/protocols/provider.js';
import type { Subject } from '../../../src/collect/subject.js';
import type { EngineId } from '../../../src/contract/engines.js';

export const endpoint = (baseUrl: string, changed: Partial<Endpoint> = {}): Endpoint => ({
  ...{ protocol: 'openai-chat', baseUrl, model: 'm', concurrency: 4, keyEnv: null, timeoutSeconds: 60 },
  ...{ maxOutputTokens: null, inputUsdPerMtok: 1, outputUsdPerMtok: 10, callUsd: 0.01 },
  provider: null,
  ...changed,
});

export const target = (baseUrl: string, protocol: ProtocolName, changed: Partial<Target> = {}): Target => ({
  ...endpoint(baseUrl, { protocol }),
  engine: 'chatgpt',
  search: true,
  maxSearches: null,
  region: 'us',
  ...changed,
});

/** An engine behind a provider, in the US. */
export const shownTarget = (
  baseUrl: string,
  protocol: ProviderName,
  engine: EngineId,
  changed: Partial<Omit<Target, 'provider'>> & { readonly provider?: Partial<ProviderSettings> } = {},
): Target => ({
  ...target(baseUrl, 'openai-chat'),
  ...{ protocol, engine, model: engine, inputUsdPerMtok: 0, outputUsdPerMtok: 0, concurrency: 4 },
  ...changed,
  provider: {
    ...{ live: false, waitMinutes: 1, language: 'en', zone: null, dataset: null },
    ...changed.provider,
  },
});

export const plan = (targets: Target[], changed: Partial<CollectPlan> = {}): CollectPlan => ({
  samples: 1,
  targets,
  extraction: null,
  ...changed,
});

/** The brand Fleetfoot with its competitor Stride, and some prompts. */
export const subject = (prompts: number, stored: readonly string[] = []): Subject => ({
  brand: { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
  prompts: Array.from({ length: prompts }, (_, at) => ({
    ...{ type: 'prompt' as const, id: `p${at + 1}`, brand: 'shoes', text: `Question ${at + 1}?` },
  })),
  tracked: [['Fleetfoot', 'Fleet Foot'], ['Stride']],
  stored: async (ids) => new Set(ids.filter((id) => stored.includes(id))),
  days: async () => [],
});
