/** What a collection needs from the machine: the place of its files, keys from the environment, prices of the plan. */

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ExpectedError } from '../contract/failure.js';
import type { Collection } from '../server/answers/collections.js';
import type { DatabaseLocation } from '../server/database/database.js';
import { arePriced } from './budget.js';
import type { CollectPlan, Endpoint } from './plan/plan.js';
import type { ScheduledRun } from './schedule.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The machine or the plan lacks something that a collection needs. Nothing was sent. */
export class SetupError extends ExpectedError {
  /** What ends it, of a server that collects. */
  readonly remedy: Collection['remedy'];
  constructor(message: string, remedy: Collection['remedy'], hint: string) {
    super('usage', message, { hint });
    this.remedy = remedy;
  }
}

/** Where the runs of a day are kept before they are imported, by database and brand. */
export function stateFile(location: DatabaseLocation, brand: string, date: string, env: Env): string {
  const folder = env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  // A replica makes no other database.
  const database = 'url' in location ? { url: location.url } : location;
  const hash = createHash('sha256').update(JSON.stringify(database)).digest('hex').slice(0, 16);
  return join(folder, 'svc', `collect-${hash}`, `${brand}-${date}.ndjson`);
}

/**
 * @param limit What the limit in US dollars is called.
 * @throws SetupError for calls whose cost is not known.
 */
export function requirePrices(plan: CollectPlan, limit: string): void {
  const unpriced = [
    ...plan.targets.flatMap((target, at) => (arePriced(target, target.search) ? [] : [`target[${at}]`])),
    ...(plan.extraction && !arePriced(plan.extraction, false) ? ['extraction'] : []),
  ];
  if (unpriced.length === 0) return;
  const keys =
    'input_usd_per_mtok, output_usd_per_mtok and, with search, call_usd; of a provider only call_usd';
  throw new SetupError(
    `${limit} needs prices: ${unpriced.join(', ')} of the plan ${unpriced.length === 1 ? 'lacks' : 'lack'} some.`,
    'correct_plan',
    `State ${keys}. State 0 for what is free. Or limit the number of calls with ${limit.replace('usd', 'calls')}.`,
  );
}

// The keys that a collection sends. No message shows a value.

/** The endpoints of the calls that are still to be sent. */
const endpointsOf = (
  { targets, extraction }: CollectPlan,
  schedule: readonly ScheduledRun[],
): readonly Endpoint[] => [
  ...targets.filter((target) =>
    schedule.some(({ target: own, progress }) => own === target && isAsked(progress)),
  ),
  ...(extraction && schedule.some(({ progress }) => isAsked(progress) || progress === 'extract')
    ? [extraction]
    : []),
];

/** Whether the engine or the provider is asked for the run. */
const isAsked = (progress: ScheduledRun['progress']): boolean => progress === 'ask' || progress === 'fetch';

/** A sentence for each variable of the endpoints without a usable key. */
export function keyFaults(endpoints: readonly Endpoint[], env: Env): string[] {
  const names = [...new Set(endpoints.flatMap(({ keyEnv }) => keyEnv ?? []))];
  const ofLogins = endpoints.filter(({ protocol }) => protocol === 'dataforseo').map(({ keyEnv }) => keyEnv);
  return names.flatMap((name) => {
    const value = env[name]?.trim();
    if (!value) return [`${name} is not set.`];
    if (ofLogins.includes(name) && !/^[^:]+:./.test(value))
      return [`${name} is not of the form login:password.`];
    return /^[\x21-\x7e]+$/.test(value) ? [] : [`${name} contains invalid characters.`];
  });
}

/** What is wrong with the keys of every endpoint of a plan. */
export const planKeyFaults = ({ targets, extraction }: CollectPlan, env: Env): string[] =>
  keyFaults([...targets, ...(extraction ? [extraction] : [])], env);

/** What is wrong with the keys that the remaining calls need. */
export const openKeyFaults = (plan: CollectPlan, schedule: readonly ScheduledRun[], env: Env): string[] =>
  keyFaults(endpointsOf(plan, schedule), env);

/**
 * The key of each endpoint that calls are left for.
 * @throws SetupError that names every variable without a usable key.
 */
export function keysOf(
  plan: CollectPlan,
  schedule: readonly ScheduledRun[],
  env: Env,
): (endpoint: Endpoint) => string | null {
  const faults = openKeyFaults(plan, schedule, env);
  if (faults.length > 0)
    throw new SetupError(
      faults.join('\n'),
      'restart',
      'Each is a key_env of the plan: set it to a key of the vendor in the environment of this command.',
    );
  return keyIn(env);
}

/** The key of an endpoint; null: it needs none, or none is set. */
export const keyIn =
  (env: Env) =>
  ({ keyEnv }: Endpoint): string | null =>
    keyEnv === null ? null : (env[keyEnv]?.trim() ?? null);

/** A queue is looked at after two seconds, and then less and less often; a list is trusted after a minute. */
export const POLLS = { firstMs: 2000, mostMs: 15_000, listedMs: 60_000 };
