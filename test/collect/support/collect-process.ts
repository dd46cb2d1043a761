/** A collection as a process of its own, to be killed: BASE_URL, FILE, prompts, US dollars. */
import { collect } from '../../../src/collect/collect.js';
import { DATE } from './collecting.js';
import { endpoint, plan, subject, target } from './plans.js';

const [base = '', out = '', prompts = '', maxUsd] = process.argv.slice(2);
const never = new AbortController().signal;
await collect(
  {
    plan: plan([target(base, 'openai-chat')], { extraction: endpoint(base, { model: 'names' }) }),
    subject: subject(Number(prompts)),
    date: DATE,
    out,
    ...{ resume: false, retry: [] },
  },
  {
    limits: { maxUsd: maxUsd === undefined ? null : Number(maxUsd), maxCalls: null },
    ...{ keyOf: () => null, stop: never, abort: never, rawFolder: null, allowPrivate: false },
    ...{ onWait: () => {}, onProgress: () => {}, polls: { firstMs: 1, mostMs: 5 } },
  },
);
