/** Plans and subjects for tests of the collector. */
import type { CollectPlan, Endpoint, Target } from '../../../src/collect/plan/plan.js';
import type { ProtocolName } from '../../../src/collect/protocols/index.js';
import type { Subject } from '../../../src/collect/subject.js';

export const endpoint = (baseUrl: string, changed: Partial<Endpoint> = {}): Endpoint => ({
  ...{ protocol: 'openai-chat', baseUrl, model: 'm', concurrency: 4, keyEnv: null, timeoutSeconds: 60 },
  ...{ maxOutputTokens: null, inputUsdPerMtok: 1, outputUsdPerMtok: 10, callUsd: 0.01 },
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
