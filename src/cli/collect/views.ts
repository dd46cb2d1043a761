/** What `svc collect` prints: the plan before, the report after. */

import type { LimitName } from '../../collect/budget.js';
import type { CollectionResult } from '../../collect/collection.js';
import type { Drift } from '../../collect/drift.js';
import type { Cause } from '../../collect/failure.js';
import type { PlannedCalls, Preview } from '../../collect/preview.js';
import type { Problem, TargetTally } from '../../collect/tally.js';
import { leastDays } from '../../contract/enough-days.js';
import type { FailureKind } from '../../contract/failure.js';
import { WINDOW_DAYS } from '../../contract/limits.js';
import { printableJson } from '../../contract/printable.js';
import { type NonAnswer, nonAnswers } from '../../contract/surfaces.js';
import { CommandError } from '../command-error.js';
import { Document } from '../render/document.js';
import { type Column, count, counted, type TableView, text, usd } from '../render/view.js';
import { shellPath } from '../render/wording.js';

const money = <Row>(
  head: string,
  pick: (row: Row) => number | null,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  ...more,
  head,
  text: (row) => {
    const amount = pick(row);
    return amount === null ? null : usd(amount);
  },
  absence: 'not known: a price or the usage is not stated',
  align: 'right',
});

/** Whether a provider captures what people see, so that there is no model to name. */
const isShown = ({ surface }: PlannedCalls): boolean => surface === 'ui' || surface === 'serp';

const plannedView: TableView<PlannedCalls> = {
  noun: 'calls',
  columns: [
    text('engine', (row) => row.engine ?? 'extraction'),
    text('region', (row) => row.region ?? '', { room: 'spare' }),
    text('model', (row) => (isShown(row) ? row.protocol : row.model), { room: 'flexible' }),
    text('surface', (row) => row.surface ?? '', { room: 'spare' }),
    count('have', (row) => row.stored, { room: 'spare' }),
    count('calls', (row) => row.calls),
    count('tokens in', (row) => row.input_tokens, { room: 'spare' }),
    count('tokens out', (row) => row.output_tokens, { room: 'spare' }),
    money('about', (row) => row.cost_usd),
    money('call max', (row) => row.call_most_usd, { room: 'spare' }),
  ],
};

const tallyView: TableView<TargetTally> = {
  noun: 'targets',
  columns: [
    text('engine', (row) => row.engine),
    text('region', (row) => row.region, { room: 'spare' }),
    count('have', (row) => row.stored, { room: 'spare' }),
    count('answered', (row) => row.answered),
    count('not shown', (row) => row.not_shown, { room: 'spare' }),
    count('refused', (row) => row.refused + row.filtered, { room: 'spare' }),
    count('failed', (row) => row.truncated + row.malformed + row.failed + row.held),
    count('waiting', (row) => row.waiting),
    count('names', (row) => row.names, { room: 'spare' }),
    count('citations', (row) => row.citations, { room: 'spare' }),
    money('cost', (row) => row.cost_usd),
  ],
};

/** `12 calls for about $0.45` */
export const costText = ({ calls, cost_usd }: Preview): string =>
  `${counted(calls, 'call')}${cost_usd === null ? ', cost not known' : ` for about ${usd(cost_usd)}`}`;

/** The table of the plan. @param isLast Whether nothing is sent, so that no report follows. */
export function previewText(preview: Preview, width: number | undefined, isLast: boolean): string {
  const { targets, receivers, notes } = preview;
  const document = new Document(width);
  document.table(null, plannedView, targets);
  const isAssumed = targets.some((row) => row.calls > 0 && row.observed_calls === 0 && !isShown(row));
  document.sentences(
    preview.calls === 0 ? 'Nothing is left to ask.' : `${costText(preview)}.`,
    ...openSentences(targets),
    ...(receivers.length > 0 ? [`Prompts go to ${receivers.join(', ')}.`] : []),
    ...(isAssumed ? ['Tokens of models without earlier calls are assumptions.'] : []),
    ...(isLast ? heldSentences(preview.held) : []),
    ...notes,
  );
  return document.text;
}

/** Questions that were sent, and whose answers are still to come. */
function openSentences(targets: Preview['targets']): string[] {
  const open = targets.reduce((sum, row) => sum + row.open, 0);
  return open > 0
    ? [
        `${counted(open, 'answer')} of an earlier collection ${open === 1 ? 'is' : 'are'} fetched, and not paid again.`,
      ]
    : [];
}

/** What asks again for runs without an answer. */
function heldSentences(held: Preview['held']): string[] {
  const uncertain = held.failed + held.lost;
  const kinds = nonAnswers.filter((kind) => held[kind] > 0);
  const unusable = kinds.reduce((sum, kind) => sum + held[kind], 0);
  const what = kinds.map((kind) => `${held[kind]} ${kind}`).join(', ');
  return [
    ...(uncertain > 0
      ? [
          `${counted(uncertain, 'call')} failed or got lost, and may have been charged: --resume asks again, and may pay twice.`,
        ]
      : []),
    ...(unusable > 0
      ? [
          `${counted(unusable, 'answer')} cannot be used (${what}) and ${unusable === 1 ? 'was' : 'were'} paid: --resume does not ask again; --retry ${kinds.join(',')} does, and pays again.`,
        ]
      : []),
  ];
}

/** What `--max-usd` will not let through, before anything is sent. */
export function limitNotes({ targets, spent_usd, cost_usd }: Preview, maxUsd: number | null): string[] {
  if (maxUsd === null) return [];
  const left = Math.max(0, maxUsd - spent_usd);
  const extraction = targets.find(({ engine }) => engine === null);
  const answers = targets.flatMap((target) =>
    target.engine === null || target.call_most_usd === null
      ? []
      : [
          {
            engine: target.engine,
            region: target.region,
            most: target.call_most_usd + (extraction?.call_most_usd ?? 0),
            mean: meanOf(target) + (extraction ? meanOf(extraction) : 0),
          },
        ],
  );
  const tooDear = answers.filter(({ most }) => most > left);
  // The last answer is asked for only while the most that it may cost is left.
  const enough = (cost_usd ?? 0) + Math.max(0, ...answers.map(({ most, mean }) => most - mean));
  const spent = spent_usd > 0 ? ` (the journal has ${usd(spent_usd)} already)` : '';
  const leaves = `--max-usd leaves ${usd(left)}${spent}`;
  return [
    ...tooDear.map(
      ({ engine, region, most }) =>
        `${leaves}, so ${engine} ${region} is not asked: an answer with its names may cost ${usd(most)}. A higher limit, or a lower max_output_tokens or max_searches in the plan, changes that.`,
    ),
    ...(cost_usd !== null && cost_usd > left && tooDear.length === 0
      ? [`${leaves}, less than the estimate: some runs will be missing.`]
      : []),
    ...(cost_usd !== null && cost_usd <= left && enough > left && tooDear.length === 0
      ? [
          `${leaves}, close to the estimate: a call is sent only while the most that it may cost is left, so the last runs may be missing. --max-usd ${(Math.ceil(100 * (spent_usd + enough)) / 100).toFixed(2)} has room for all, if the estimate is right.`,
        ]
      : []),
  ];
}

const meanOf = ({ calls, cost_usd }: PlannedCalls): number => (calls === 0 ? 0 : (cost_usd ?? 0) / calls);

/** More problems are counted. */
const PROBLEMS_LISTED = 20;

/** The table of what was collected, and a line for each call without a result. */
export function reportText(result: CollectionResult, width: number | undefined): string {
  const { targets, problems, dropped, drift, spent } = result;
  const document = new Document(width);
  document.table(null, tallyView, targets);
  document.sentences(
    `All collections of this journal: ${counted(spent.calls, 'call')}, ${spentText(spent)}.`,
  );
  const lines = problemLines(problems);
  const more = lines.length - PROBLEMS_LISTED;
  document.sentences(...lines.slice(0, PROBLEMS_LISTED), ...(more > 0 ? [`and ${more} more`] : []));
  document.sentences(...adviceOn(problems));
  document.sentences(...drift.map(driftSentence));
  const { invented_names, invented_spans, unresolved_pages } = dropped;
  document.sentences(
    ...(invented_names > 0 ? [`${counted(invented_names, 'listed name')} did not occur in the answer.`] : []),
    ...(invented_spans > 0
      ? [`${counted(invented_spans, 'span')} did not occur in the answer: left out with the tone.`]
      : []),
    ...(unresolved_pages > 0
      ? [`Of ${counted(unresolved_pages, 'cited page')} only the domain is known.`]
      : []),
  );
  return document.text;
}

const driftSentence = ({ engine, protocol, field, answers, day, ...earlier }: Drift): string =>
  `${engine} by ${protocol}: ${field}: none in ${answers} of ${counted(answers, 'answer')}, ${earlier.earlier_with} of ${earlier.earlier_answers} on ${day}. The form of the replies may have changed: \`svc collect probe\` shows what they have.`;

function spentText({ usd: spent, assumed_usd }: CollectionResult['spent']): string {
  if (spent === null) return 'cost not known';
  if (assumed_usd === 0) return usd(spent);
  return `at most ${usd(spent)} (${usd(assumed_usd)} of it reserved for calls whose cost is not known)`;
}

/** A line for each problem; equal ones of an engine are one line. */
function problemLines(problems: readonly Problem[]): string[] {
  const groups = new Map<string, [Problem, ...Problem[]]>();
  for (const problem of problems) {
    const { engine, region, step, outcome, detail } = problem;
    const key = JSON.stringify([engine, region, step, outcome, detail]);
    const group = groups.get(key);
    if (group) group.push(problem);
    else groups.set(key, [problem]);
  }
  return [...groups.values()].map((group) => {
    const [{ run, engine, region, step, outcome, detail, stops_target }] = group;
    const place = `${engine} ${region}`;
    const who = stops_target
      ? step === 'extract'
        ? 'extraction'
        : place
      : group.length > 1
        ? `${place}, ${group.length} runs`
        : run;
    const what = stops_target ? 'no further calls' : step === 'extract' ? `extraction ${outcome}` : outcome;
    return `${who}: ${what.replace('_', ' ')}${detail === '' ? '' : `: ${detail}`}`;
  });
}

/** What to do about each cause. */
const ADVICE: Readonly<Record<Cause, string | null>> = {
  key: 'Set the variable to a key that the address in base_url accepts, and repeat the command.',
  rights: 'Allow the key this model, with search, at the vendor, and repeat the command.',
  credit: 'Add credit at the vendor, and repeat the command.',
  rate_limit: 'Repeat the command later, or lower concurrency in the plan.',
  network: 'Check base_url in the plan and the connection to it.',
  engine:
    'The engine failed: the cause is at the vendor. After some failures in a row it gets no further calls; the same command goes on with them.',
  request: 'Check the fields of the target in the plan, and repeat the command.',
  answer: null,
  stopped: null,
};

/** Causes with which a call that was sent is not charged. */
const FREE: readonly Cause[] = ['key', 'rights', 'credit', 'rate_limit', 'request'];

function adviceFor({ cause, outcome }: Problem): string[] {
  const advice = cause && ADVICE[cause];
  if (advice === null) return [];
  // A question that waits for its answer was accepted: only a look at it was refused.
  const isFree = FREE.includes(cause!) && outcome !== 'pending';
  return [isFree ? `Nothing was charged. ${advice}` : advice];
}

const adviceOn = (problems: readonly Problem[]): string[] => [...new Set(problems.flatMap(adviceFor))];

interface Ended {
  readonly brand: string;
  readonly out: string;
  /** The files to import: that of the prompts, if there is one, and that of the runs; none: the runs were imported. */
  readonly files: readonly string[];
  readonly isImported: boolean;
  /** Whether anything was left to ask. */
  readonly isAsked: boolean;
  readonly answered: number;
  /** The first day with verdicts; null: there are some already. */
  readonly verdictDay: string | null;
}

/** Where the runs are, how to see them, and when they first say what changed. */
export function closingLines(ended: Ended): string[] {
  const { brand, out, files, isImported, isAsked, answered, verdictDay } = ended;
  const place = isImported
    ? `Imported; the runs are in ${out} too.`
    : isAsked
      ? answered > 0
        ? `The runs are in ${out}.`
        : 'No run was made.'
      : 'Every run of the plan exists.';
  const see = `\`svc overview --brand ${brand}\` and the page of the server show them; \`svc serve\` starts a server, which collects every day with --plan.`;
  const load = `\`svc admin import ${files.map(shellPath).join(' ')}\` imports them.`;
  return [
    place,
    ...(files.length > 0 ? (answered > 0 ? [load] : []) : isImported || !isAsked ? [see] : []),
    ...(verdictDay !== null && answered > 0
      ? [
          `With a collection a day, the first verdict (up, down, no clear change) can come on ${verdictDay}: it needs answers on ${leastDays(WINDOW_DAYS)} days in each of two weeks.`,
        ]
      : []),
  ];
}

const LIMITS = { maxUsd: 'max_usd', maxCalls: 'max_calls' } as const;

/** The plan, the report and the failure as one object. */
export function collectionJson(
  head: object,
  plan: Preview,
  result: CollectionResult | null,
  failure: CommandError | null,
): string {
  const { kind: code, message, status, retryable } = failure ?? {};
  const error = failure ? { error: { code, message, status, retryable } } : {};
  const report = result && { ...result, limit: result.limit && LIMITS[result.limit] };
  return printableJson({ ...error, ...head, plan, report });
}

// Which failure a collection ends with.

/** Failures that do not end when the same command is repeated. */
const LASTING: readonly FailureKind[] = ['authentication', 'not_allowed'];

/** Null: every run of the plan exists. @param held Runs that earlier collections got no answer for. */
export function failureOf(
  result: CollectionResult,
  held: Preview['held'],
  isStopped: boolean,
): CommandError | null {
  const { missing } = result;
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
  const nothing = result.targets.every(
    ({ answered, not_shown, stored }) => answered + not_shown + stored === 0,
  );
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
    failed: now('failed'),
    lost: before.lost,
    refused: now('refused'),
    filtered: now('filtered'),
    truncated: now('truncated'),
    malformed: now('malformed'),
  };
}

/** The kind of failure if nothing was collected, and all calls failed in one way. */
function commonKind({ problems }: CollectionResult): FailureKind | undefined {
  const kinds = new Set(problems.map(kindOf));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

const KINDS: Partial<Record<Cause, FailureKind>> = {
  key: 'authentication',
  rights: 'not_allowed',
  credit: 'not_allowed',
  rate_limit: 'rate_limited',
  network: 'network',
  engine: 'server_error',
};

const kindOf = ({ cause }: Problem): FailureKind | undefined => (cause === null ? undefined : KINDS[cause]);
