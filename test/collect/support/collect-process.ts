/** A collection as a process of its own, to be killed. Its argument is JSON. */
import { collect } from '../../../src/collect/collect.js';
import type { ProviderName } from '../../../src/collect/protocols/capabilities.js';
import { timeBy } from '../../../src/collect/time.js';
import type { EngineId } from '../../../src/contract/engines.js';
import { DATE } from './collecting.js';
import { endpoint, plan, shownTarget, subject, target } from './plans.js';

export interface Killed {
  readonly base: string;
  readonly out: string;
  readonly prompts: number;
  readonly maxUsd: number | null;
  /** Without it the model of a loopback engine is asked. */
  readonly provider?: readonly [name: ProviderName, engine: EngineId];
}

const { base, out, prompts, maxUsd, provider } = JSON.parse(process.argv[2]!) as Killed;
const never = new AbortController().signal;
await collect(
  {
    plan: provider
      ? plan([shownTarget(base, ...provider)])
      : plan([target(base, 'openai-chat')], { extraction: endpoint(base, { model: 'names' }) }),
    subject: subject(prompts),
    date: DATE,
    out,
    ...{ resume: false, retry: [] },
  },
  {
    limits: { maxUsd, maxCalls: null },
    ...{ keyOf: () => null, stop: never, abort: never, rawFolder: null, allowPrivate: false },
    ...{
      onWait: () => {},
      onProgress: () => {},
      time: timeBy(() => new Date()),
      polls: { firstMs: 1, mostMs: 5, listedMs: 0 },
    },
  },
);
