/** What `svc collect` prints: the plan before, the report after. */
import type { CollectionResult } from '../../collect/collection.js';
import type { PlannedCalls, Preview } from '../../collect/report/preview.js';
import type { TargetTally } from '../../collect/report/tally.js';
import { printableJson } from '../../contract/printable.js';
import type { CommandError } from '../failure/command-error.js';
import { Document } from '../render/document.js';
import { usd } from '../render/usd.js';
import { type Column, count, counted, type TableView, text } from '../render/view.js';

const money = <Row>(head: string, pick: (row: Row) => number | null): Column<Row> => ({
  head,
  text: (row) => {
    const amount = pick(row);
    return amount === null ? null : usd(amount);
  },
  absence: 'not known: a price or the usage is not stated',
  align: 'right',
});

const plannedView: TableView<PlannedCalls> = {
  noun: 'calls',
  columns: [
    text('engine', (row) => row.engine ?? 'extraction'),
    text('region', (row) => row.region ?? '', { room: 'spare' }),
    text('model', (row) => row.model, { room: 'flexible' }),
    count('have', (row) => row.stored),
    count('calls', (row) => row.calls),
    count('tokens in', (row) => row.input_tokens, { room: 'spare' }),
    count('tokens out', (row) => row.output_tokens, { room: 'spare' }),
    money('about', (row) => row.cost_usd),
  ],
};

const tallyView: TableView<TargetTally> = {
  noun: 'targets',
  columns: [
    text('engine', (row) => row.engine),
    text('region', (row) => row.region, { room: 'spare' }),
    count('have', (row) => row.stored, { room: 'spare' }),
    count('answered', (row) => row.answered),
    count('refused', (row) => row.refused + row.filtered),
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

/** The table of the plan. */
export function previewText(preview: Preview, width: number | undefined): string {
  const { targets, notes } = preview;
  const document = new Document(width);
  document.table(null, plannedView, targets);
  const isAssumed = targets.some(({ calls, observed_calls }) => calls > 0 && observed_calls === 0);
  const held = targets.reduce((sum, each) => sum + each.held, 0);
  document.sentences(
    preview.calls === 0 ? 'Nothing is left to ask.' : `${costText(preview)}.`,
    ...(isAssumed ? ['Tokens of models without earlier calls are assumptions.'] : []),
    ...(held > 0
      ? [
          `${counted(held, 'run')} ${held === 1 ? 'was' : 'were'} asked before without an answer; --resume asks again where the call failed.`,
        ]
      : []),
    ...notes,
  );
  return document.text;
}

/** More problems are counted. */
const PROBLEMS_LISTED = 20;

/** The table of what was collected, and a line for each call without a result. */
export function reportText(result: CollectionResult, width: number | undefined): string {
  const { targets, problems, dropped, spent } = result;
  const document = new Document(width);
  document.table(null, tallyView, targets);
  document.sentences(
    `All collections of this journal: ${counted(spent.calls, 'call')}, ${spent.usd === null ? 'cost not known' : usd(spent.usd)}.`,
  );
  const listed = problems.slice(0, PROBLEMS_LISTED).map(({ run, step, outcome, detail }) => {
    const what = step === 'extract' ? `extraction ${outcome}` : outcome;
    return `${run}: ${what.replace('_', ' ')}${detail === '' ? '' : `: ${detail}`}`;
  });
  const more = problems.length - listed.length;
  document.sentences(...listed, ...(more > 0 ? [`and ${more} more`] : []));
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

/** Where the runs are, after the report. @param isAsked Whether anything was left to ask. */
export function placeText(out: string, isImported: boolean, isAsked: boolean): string {
  if (isImported) return `Imported; the runs are in ${out} too.`;
  return isAsked ? `The runs are in ${out}.` : 'Every run of the plan exists.';
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
