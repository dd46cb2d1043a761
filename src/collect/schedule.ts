/** The runs of a plan on a day, and what is left to do for each. */

import { createHash } from 'node:crypto';
import type { NonAnswer } from '../contract/surfaces.js';
import type { History, Outcome, PastCall } from './journal.js';
import { type CollectPlan, GLOBAL, type Target } from './plan/plan.js';
import { isProvider, surfaceOf } from './protocols/capabilities.js';
import { providerOf } from './protocols/index.js';
import type { EngineInput } from './protocols/protocol.js';
import type { Subject } from './subject.js';

// Ids of runs: `DATE.ENGINE.PROMPT.REGION.SAMPLE`, of answers as people see them `DATE.ENGINE-SURFACE.PROMPT.REGION.SAMPLE`. The
// same plan on the same day makes the same ids.

interface RunKey {
  /** The UTC day, YYYY-MM-DD. */
  readonly date: string;
  readonly target: Target;
  readonly prompt: string;
  /** The number of the sample, from 1. */
  readonly sample: number;
}

/** The longest id of the dataset format. */
const MAX_ID = 64;
const HASH_DIGITS = 12;

/** The id. A prompt id that is too long is replaced by its beginning and a hash of it. */
function runId({ date, target, prompt, sample }: RunKey): string {
  const { engine, region } = target;
  const surface = surfaceOf(target);
  const asked = surface === 'api' ? engine : `${engine}-${surface}`;
  const [before, after] = [`${date}.${asked}.`, `.${region}.${sample}`];
  const room = MAX_ID - before.length - after.length;
  if (prompt.length <= room) return before + prompt + after;
  const hash = createHash('sha256').update(prompt).digest('hex').slice(0, HASH_DIGITS);
  return `${before}${prompt.slice(0, room - HASH_DIGITS - 1)}-${hash}${after}`;
}

/**
 * `stored`: the run exists. `held`: it was asked without an answer, and is not asked again. `write`: answer and
 * names are known. `extract`: the answer is known. `fetch`: it was sent to a provider, which may have the answer. `ask`:
 * nothing is known.
 */
type Progress = 'stored' | 'held' | 'write' | 'extract' | 'fetch' | 'ask';

export interface ScheduledRun {
  readonly id: string;
  readonly target: Target;
  readonly prompt: { readonly id: string; readonly text: string };
  readonly progress: Progress;
  /** How its newest call to the engine ended; null: it was not asked, or the process ended before. */
  readonly outcome: Outcome | null;
}

interface ScheduleRequest {
  readonly plan: CollectPlan;
  readonly subject: Subject;
  readonly history: History;
  /** The UTC day, YYYY-MM-DD. */
  readonly date: string;
  /** Ids of the runs in the output file. */
  readonly written: ReadonlySet<string>;
  /** Whether calls that may have been charged are sent again. */
  readonly resume: boolean;
  /** Answers of these kinds are asked for again, though they were paid. */
  readonly retry: readonly NonAnswer[];
  /** Nothing new is asked. */
  readonly paidOnly?: boolean;
}

/** What an engine is asked: the prompt as a person would type it, and nothing else. */
export const inputOf = ({ prompt, target }: Pick<ScheduledRun, 'prompt' | 'target'>): EngineInput => ({
  prompt: prompt.text,
  search: target.search,
  maxSearches: target.maxSearches,
  country: target.region.toLowerCase() === GLOBAL ? null : target.region.toUpperCase(),
});

/** Whether something is left to do for the run. */
export const isOpen = ({ progress }: ScheduledRun): boolean => progress !== 'stored' && progress !== 'held';

/** The runs of the plan, in the order in which they are asked, after those of earlier days that are paid and not written. */
export async function scheduleOf(request: ScheduleRequest): Promise<ScheduledRun[]> {
  const { subject, written, history, date, paidOnly } = request;
  const runs = runsOf(request);
  const stored = await subject.stored(runs.map(({ id }) => id));
  const scheduled = (run: (typeof runs)[number]): ScheduledRun => ({
    ...run,
    outcome: history.newest(run.id, 'ask')?.outcome?.outcome ?? null,
    progress: stored.has(run.id) || written.has(run.id) ? 'stored' : progressOf(run, request),
  });
  const earlier = history.days
    .filter((day) => day < date)
    .flatMap((day) =>
      runsOf({ ...request, date: day })
        .map(scheduled)
        .filter(isPaid),
    );
  const own = runs.map(scheduled);
  return [...earlier, ...(paidOnly ? own.filter((run) => isPaid(run) || run.progress === 'stored') : own)];
}

/** Whether it was sent, and is not written yet. */
const isPaid = ({ progress }: ScheduledRun): boolean =>
  progress === 'fetch' || progress === 'extract' || progress === 'write';

/** Prompt by prompt, so that all engines are asked at the same time. */
export const runsOf = ({ plan, subject, date }: Pick<ScheduleRequest, 'plan' | 'subject' | 'date'>) =>
  subject.prompts.flatMap((prompt) =>
    Array.from({ length: plan.samples }, (_, at) => at + 1).flatMap((sample) =>
      plan.targets.map((target) => ({
        id: runId({ date, target, prompt: prompt.id, sample }),
        target,
        prompt,
      })),
    ),
  );

function progressOf(
  { id, target }: Pick<ScheduledRun, 'id' | 'target'>,
  { plan, history, resume, retry }: ScheduleRequest,
): Progress {
  const asked = history.newest(id, 'ask');
  // Without an outcome the process ended while the call was on its way.
  if (!asked?.outcome) return asked && isFetchable(asked, target) ? 'fetch' : 'ask';
  switch (asked.outcome.outcome) {
    case 'answered':
      return plan.extraction === null || isExtracted(id, history) ? 'write' : 'extract';
    case 'not_shown':
      return 'write';
    case 'not_charged':
      return 'ask';
    case 'failed':
    case 'lost':
      return resume ? 'ask' : 'held';
    default:
      return retry.includes(asked.outcome.outcome) ? 'ask' : 'held';
  }
}

/** Whether the provider can be asked for the result of a question that was sent. */
const isFetchable = ({ attempt, handle }: PastCall, { protocol }: Target): boolean =>
  isProvider(protocol) &&
  (handle !== undefined || (attempt.id !== undefined && providerOf(protocol)?.recover !== undefined));

function isExtracted(id: string, history: History): boolean {
  const outcome = history.newest(id, 'extract')?.outcome;
  return outcome !== undefined && outcome.outcome !== 'not_charged';
}
