/** The flags of a collection, and its plan file. */

import { boolean, custom, integer, string } from '@oclif/core/flags';
import type { CollectPlan } from '../../collect/plan/plan.js';
import type { ReadPlan } from '../../collect/plan/read-plan.js';
import type { Preview } from '../../collect/preview.js';
import type { ScheduledRun } from '../../collect/schedule.js';
import { MAX_SAMPLES } from '../../contract/limits.js';
import { type NonAnswer, nonAnswers } from '../../contract/surfaces.js';
import { CommandError } from '../command-error.js';
import { unreadable } from '../failure/import-failure.js';

const dollars = custom<number>({
  helpValue: 'USD',
  parse: async (text) => {
    const value = /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    // The parser puts the name of the flag before the message.
    if (Number.isNaN(value))
      throw new Error(`expected US dollars, such as 5 or 0.5, got ${text.slice(0, 40)}.`);
    return value;
  },
});

const answers = custom<NonAnswer[]>({
  helpValue: 'KIND,...',
  parse: async (text) => {
    const kinds = text.split(',').map((kind) => kind.trim());
    const known = nonAnswers.filter((kind) => kinds.includes(kind));
    if (known.length === 0 || kinds.some((kind) => !known.some((each) => each === kind)))
      throw new Error(`expected ${nonAnswers.join(', ')}, or several with commas, got ${text.slice(0, 40)}.`);
    return known;
  },
});

export const collectFlags = {
  plan: string({ description: 'The plan: engines, models, prices (default svc.toml)', helpValue: 'FILE' }),
  brand: string({
    description: 'Id of the brand whose prompts are asked (default: the brand of the plan)',
    helpValue: 'ID',
  }),
  dataset: string({
    description: 'Dataset file with brand and prompts, instead of the database; needs --out',
    helpValue: 'FILE',
  }),
  out: string({
    description: 'Write the runs to this dataset file, and import nothing; the journal is FILE.journal',
    helpValue: 'FILE',
  }),
  samples: integer({
    helpValue: 'N',
    description: 'Runs per prompt, engine and region; overrides the plan',
    min: 1,
    max: MAX_SAMPLES,
  }),
  'max-usd': dollars({
    description: 'Send a call only if the most that it may cost fits into this, for all calls of the journal',
  }),
  'max-calls': integer({ description: 'Stop after this many calls in the journal', helpValue: 'N', min: 0 }),
  resume: boolean({ description: 'Send calls again that failed or were lost, and may have been charged' }),
  retry: answers({
    description: `Ask again for answers that are no runs, and pay again: ${nonAnswers.join(', ')}`,
  }),
  'keep-raw': string({ description: 'Keep the raw responses in this folder', helpValue: 'FOLDER' }),
  'dry-run': boolean({ description: 'Print calls and cost; send and write nothing' }),
  yes: boolean({ char: 'y', description: 'Do not ask before sending' }),
  quiet: boolean({ char: 'q', description: 'Show no progress and no notes' }),
};

/** The file that commands read if none is named; `src/collect` names it too, and is not loaded for the help. */
const PLAN_FILE = 'svc.toml';

/**
 * The plan, and what the file says of a brand.
 * @param file Undefined: that of this folder.
 * @param needsTargets Whether a file that only says what is tracked is refused.
 * @throws CommandError `usage`, PlanError
 */
export async function readPlan(file: string | undefined, needsTargets: boolean): Promise<ReadPlan> {
  const { readPlanFile } = await import('../../collect/plan/read-plan.js');
  const named = file ?? PLAN_FILE;
  return readPlanFile(named, needsTargets).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    if (file !== undefined || error.path !== named || error.code !== 'ENOENT')
      throw unreadable(error.path ?? named, error.code);
    throw new CommandError('usage', `This folder has no ${PLAN_FILE}, and no other file is named.`, {
      hint: '`svc init` asks a few questions and writes one.',
    });
  });
}

/** The preview, with a note on each variable without a usable key. */
export async function withKeyNotes(
  preview: Preview,
  plan: CollectPlan,
  schedule: readonly ScheduledRun[],
  env: NodeJS.ProcessEnv,
): Promise<Preview> {
  const { openKeyFaults } = await import('../../collect/setup.js');
  const notes = openKeyFaults(plan, schedule, env).map(
    (fault) => `${fault} It is a key_env of the plan: nothing can be sent without it.`,
  );
  return { ...preview, notes: [...preview.notes, ...notes] };
}
