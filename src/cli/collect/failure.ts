/** Which failure a collection ends with. */

import type { LimitName } from '../../collect/budget/budget.js';
import type { Cause } from '../../collect/calls/cause.js';
import type { CollectionResult } from '../../collect/collection.js';
import type { Preview } from '../../collect/report/preview.js';
import type { Problem, TargetTally } from '../../collect/report/tally.js';
import type { NonAnswer } from '../../contract/surfaces.js';
import { CommandError, type FailureKind } from '../failure/command-error.js';
import { counted, usd } from '../render/view.js';
import { heldSentences } from './views.js';

const missingOf = (tally: TargetTally): number =>
  tally.refused +
  tally.filtered +
  tally.truncated +
  tally.malformed +
  tally.failed +
  tally.held +
  tally.waiting;

/** Failures that do not end when the same command is repeated. */
const LASTING: readonly FailureKind[] = ['authentication', 'not_allowed'];

/** Null: every run of the plan exists. @param held Runs that earlier collections got no answer for. */
export function failureOf(
  result: CollectionResult,
  held: Preview['held'],
  isStopped: boolean,
): CommandError | null {
  const missing = result.targets.reduce((sum, tally) => sum + missingOf(tally), 0);
  if (missing === 0) return null;
  const waiting = result.targets.reduce((sum, tally) => sum + tally.waiting, 0);
  const runs = `${counted(missing, 'run')} of the plan ${missing === 1 ? 'is' : 'are'} missing`;
  const goesOn = waiting > 0 ? ['The same command goes on, and asks for nothing twice.'] : [];
  const hint = [...goesOn, ...heldSentences(heldAfter(result, held))].join('\n') || undefined;
  if (isStopped) return new CommandError('interrupted', `Stopped; ${runs}.`, { hint });
  if (result.limit !== null) {
    const [reached, advice] = limitText(result, result.limit);
    return new CommandError('incomplete', `${reached}; ${runs}.`, { hint: advice });
  }
  const nothing = result.targets.every(({ answered, stored }) => answered + stored === 0);
  const kind = nothing ? (commonKind(result) ?? 'incomplete') : 'incomplete';
  return new CommandError(kind, `${runs}.`, { hint, retryable: waiting > 0 && !LASTING.includes(kind) });
}

/** What was reached, and what goes on. */
function limitText({ overrun }: CollectionResult, limit: LimitName): [reached: string, advice: string] {
  if (overrun !== null) {
    const { model, cost_usd, reserved_usd } = overrun;
    return [
      `A call to ${model} cost ${usd(cost_usd)}, more than the ${usd(reserved_usd)} that its request allows, so nothing more was sent`,
      `Check the prices of the plan. The same command goes on, and reserves ${usd(cost_usd)} for each such call.`,
    ];
  }
  return limit === 'maxCalls'
    ? ['--max-calls is reached', 'The same command with a higher limit goes on.']
    : [
        '--max-usd has no room for another call',
        'A call is sent only if the most that it may cost fits. A higher limit goes on; a lower max_output_tokens or max_searches in the plan lets more calls fit.',
      ];
}

/** Runs without an answer that the same command does not ask for again. */
function heldAfter({ targets }: CollectionResult, before: Preview['held']): Preview['held'] {
  const now = (column: 'failed' | NonAnswer) =>
    before[column] + targets.reduce((sum, tally) => sum + tally[column], 0);
  return {
    ...{ failed: now('failed'), lost: before.lost, refused: now('refused'), filtered: now('filtered') },
    ...{ truncated: now('truncated'), malformed: now('malformed') },
  };
}

/** The kind of failure if nothing was collected, and all calls failed in one way. */
function commonKind({ problems }: CollectionResult): FailureKind | undefined {
  const kinds = new Set(problems.map(kindOf));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

/** The kinds of the causes that have one. */
const KINDS: Partial<Record<Cause, FailureKind>> = {
  key: 'authentication',
  rights: 'not_allowed',
  credit: 'not_allowed',
  rate_limit: 'rate_limited',
  network: 'network',
  engine: 'server_error',
};

const kindOf = ({ cause }: Problem): FailureKind | undefined => (cause === null ? undefined : KINDS[cause]);
