/** Which failure a collection ends with. */
import type { Cause } from '../../collect/calls/cause.js';
import type { CollectionResult } from '../../collect/collection.js';
import type { Problem, TargetTally } from '../../collect/report/tally.js';
import { CommandError, type FailureKind } from '../failure/command-error.js';
import { counted } from '../render/view.js';

const missingOf = (tally: TargetTally): number =>
  tally.refused +
  tally.filtered +
  tally.truncated +
  tally.malformed +
  tally.failed +
  tally.held +
  tally.waiting;

const LIMITS = { maxUsd: '--max-usd', maxCalls: '--max-calls' } as const;

/** Failures that do not end when the same command is repeated. */
const LASTING: readonly FailureKind[] = ['authentication', 'not_allowed'];

/** Null: every run of the plan exists. */
export function failureOf(result: CollectionResult, isStopped: boolean): CommandError | null {
  const missing = result.targets.reduce((sum, tally) => sum + missingOf(tally), 0);
  if (missing === 0) return null;
  const waiting = result.targets.reduce((sum, tally) => sum + tally.waiting, 0);
  const runs = `${counted(missing, 'run')} of the plan ${missing === 1 ? 'is' : 'are'} missing`;
  const hint = waiting > 0 ? 'The same command goes on, and asks for nothing twice.' : undefined;
  if (isStopped) return new CommandError('interrupted', `Stopped; ${runs}.`, { hint });
  if (result.limit !== null) {
    const text = `${LIMITS[result.limit]} is reached; ${runs}.`;
    return new CommandError('incomplete', text, { hint: 'The same command with a higher limit goes on.' });
  }
  const nothing = result.targets.every(({ answered, stored }) => answered + stored === 0);
  const kind = nothing ? (commonKind(result) ?? 'incomplete') : 'incomplete';
  return new CommandError(kind, `${runs}.`, { hint, retryable: waiting > 0 && !LASTING.includes(kind) });
}

/** The kind of failure if nothing was collected, and all calls failed in one way. */
function commonKind({ problems }: CollectionResult): FailureKind | undefined {
  const kinds = new Set(problems.map(kindOf));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** The kind of each cause; absent: none of its own. */
const KINDS: Partial<Record<Cause, FailureKind>> = {
  key: 'authentication',
  rights: 'not_allowed',
  credit: 'not_allowed',
  rate_limit: 'rate_limited',
  network: 'network',
  engine: 'server_error',
};

const kindOf = ({ cause }: Problem): FailureKind | undefined => (cause === null ? undefined : KINDS[cause]);
