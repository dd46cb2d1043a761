/** What a collection needs from the machine: the plan file and the place of its files. */

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { boolean, custom, integer, string } from '@oclif/core/flags';
import type { CollectPlan, Endpoint } from '../../collect/plan/plan.js';
import type { ReadPlan } from '../../collect/plan/read-plan.js';
import type { Preview } from '../../collect/preview.js';
import type { ScheduledRun } from '../../collect/schedule.js';
import { MAX_SAMPLES } from '../../contract/limits.js';
import { type NonAnswer, nonAnswers } from '../../contract/surfaces.js';
import { CommandError } from '../failure/command-error.js';
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
    description: 'Runs per prompt, engine and region; overrides the plan',
    min: 1,
    max: MAX_SAMPLES,
  }),
  'max-usd': dollars({
    description: 'Send a call only if the most that it may cost fits into this, for all calls of the journal',
  }),
  'max-calls': integer({ description: 'Stop after this many calls in the journal', min: 0 }),
  resume: boolean({ description: 'Send calls again that failed or were lost, and may have been charged' }),
  retry: answers({
    description: `Ask again for answers that are no runs, and pay again: ${nonAnswers.join(', ')}`,
  }),
  'keep-raw': string({ description: 'Keep the raw responses in this folder', helpValue: 'FOLDER' }),
  'dry-run': boolean({ description: 'Print calls and cost; send and write nothing' }),
  yes: boolean({ char: 'y', description: 'Do not ask before sending' }),
  quiet: boolean({ char: 'q', description: 'Show no progress and no notes' }),
};

/** @throws CommandError `usage` for a limit in US dollars on calls whose cost is not known. */
export async function requirePrices(plan: CollectPlan, maxUsd: number | null): Promise<void> {
  if (maxUsd === null) return;
  const { arePriced } = await import('../../collect/budget.js');
  const unpriced = [
    ...plan.targets.flatMap((target, at) => (arePriced(target, target.search) ? [] : [`target[${at}]`])),
    ...(plan.extraction && !arePriced(plan.extraction, false) ? ['extraction'] : []),
  ];
  if (unpriced.length === 0) return;
  const keys =
    'input_usd_per_mtok, output_usd_per_mtok and, with search, call_usd; of a provider only call_usd';
  throw new CommandError(
    'usage',
    `--max-usd needs prices: ${unpriced.join(', ')} of the plan ${unpriced.length === 1 ? 'lacks' : 'lack'} some.`,
    {
      hint: `State ${keys}. State 0 for what is free. Or limit the number of calls with --max-calls.`,
    },
  );
}

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

/** Where the runs of a day are kept before they are imported, by database and brand. */
export function stateFile(location: object, brand: string, date: string): string {
  const folder = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const hash = createHash('sha256').update(JSON.stringify(location)).digest('hex').slice(0, 16);
  return join(folder, 'svc', `collect-${hash}`, `${brand}-${date}.ndjson`);
}

// The keys that a collection sends, from the environment. No message shows a value.

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
export function keyFaults(endpoints: readonly Endpoint[], env: NodeJS.ProcessEnv): string[] {
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

/** A queue is looked at after two seconds, and then less and less often; a list is trusted after a minute. */
export const POLLS = { firstMs: 2000, mostMs: 15_000, listedMs: 60_000 };
