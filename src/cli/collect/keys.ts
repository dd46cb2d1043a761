/** The keys that a collection sends, from the environment. No message shows a value. */
import type { CollectPlan, Endpoint } from '../../collect/plan/plan.js';
import type { Preview } from '../../collect/report/preview.js';
import type { ScheduledRun } from '../../collect/schedule.js';
import { CommandError } from '../failure/command-error.js';

/** The endpoints of the calls that are still to be sent. */
const endpointsOf = (
  { targets, extraction }: CollectPlan,
  schedule: readonly ScheduledRun[],
): readonly Endpoint[] => [
  ...targets.filter((target) => schedule.some((run) => run.target === target && run.progress === 'ask')),
  ...(extraction && schedule.some(({ progress }) => progress === 'ask' || progress === 'extract')
    ? [extraction]
    : []),
];

/** A sentence for each variable of the endpoints without a usable key. */
function keyFaults(endpoints: readonly Endpoint[], env: NodeJS.ProcessEnv): string[] {
  const names = [...new Set(endpoints.flatMap(({ keyEnv }) => keyEnv ?? []))];
  return names.flatMap((name) => {
    const value = env[name]?.trim();
    if (!value) return [`${name} is not set.`];
    return /^[\x21-\x7e]+$/.test(value) ? [] : [`${name} has characters that no key has.`];
  });
}

/**
 * The key of each endpoint that calls are left for.
 * @throws CommandError `usage` that names every variable without a usable key.
 */
export function keysOf(
  plan: CollectPlan,
  schedule: readonly ScheduledRun[],
  env: NodeJS.ProcessEnv,
): (endpoint: Endpoint) => string | null {
  const faults = keyFaults(endpointsOf(plan, schedule), env);
  if (faults.length > 0) {
    throw new CommandError('usage', faults.join('\n'), {
      hint: 'Each is a key_env of the plan: set it to a key of the vendor in the environment of this command.',
    });
  }
  return ({ keyEnv }) => (keyEnv === null ? null : (env[keyEnv]?.trim() ?? null));
}

/** The preview, with a note on each variable without a usable key. */
export function withKeyNotes(
  preview: Preview,
  plan: CollectPlan,
  schedule: readonly ScheduledRun[],
  env: NodeJS.ProcessEnv,
): Preview {
  const faults = keyFaults(endpointsOf(plan, schedule), env);
  const notes = faults.map(
    (fault) => `${fault} It is a key_env of the plan: nothing can be sent without it.`,
  );
  return { ...preview, notes: [...preview.notes, ...notes] };
}
