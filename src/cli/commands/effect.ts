import { Args } from '@oclif/core';
import { integer } from '@oclif/core/flags';
import { effectSeen, effectSentences } from '../../contract/effect-words.js';
import { label, SEARCH_ENGINES } from '../../contract/glossary.js';
import { EFFECT_DAYS } from '../../contract/limits.js';
import { amountText, differenceText, type MeasureName } from '../../contract/measures.js';
import { type Effect, type EffectPage, type EffectPrompt, effect } from '../../contract/reads/effect.js';
import { readCommand } from '../base/read-command.js';
import { CommandError } from '../command-error.js';
import type { Document } from '../render/document.js';
import { withRadius, withUnit } from '../render/uncertainty.js';
import {
  type Column,
  columnsOf,
  count,
  counted,
  engines,
  page,
  type TableView,
  text,
} from '../render/view.js';
import { choicesOf, enginesText } from '../render/wording.js';

export default readCommand(effect, {
  inHelp: { group: 'VISIBILITY', place: 1.9 },
  description:
    'Give a mark, whose ids `svc marks` lists, or --since with --prompt, --topic or --tag. The other prompts say what would have ' +
    'happened anyway; what is left beyond that is the effect, with its 95 % interval. It is a comparison, and proves no cause. ' +
    '--plan says how large an effect has to be to be seen, before anything is done.',
  examples: ['guide-2026-11-12', '--since 2026-11-01 --tag milk --days 14', '--plan --tag milk'],
  args: { mark: Args.string({ description: 'Mark id', ignoreStdin: true }) },
  flags: {
    days: integer({
      description: effect.params.days.description,
      helpValue: 'N',
      min: EFFECT_DAYS.minimum,
      max: EFFECT_DAYS.maximum,
    }),
  },
  given(flags, [argued]) {
    const { mark: flagged } = flags;
    if (argued !== undefined && flagged !== undefined && argued !== flagged)
      throw new CommandError('usage', `Two marks are given, ${argued} and --mark ${flagged}.`);
    return argued === undefined ? flags : { ...flags, mark: argued };
  },
  request: (svc) => svc.effect,
  table: ({ metric }) => promptsView(metric),
  draw,
});

const daysText = ({ windows: { before, after } }: Effect): string[] => [
  ...(before ? [`${before.start} to ${before.end} before`] : []),
  ...(after ? [`${after.start} to ${after.end} after (UTC)`] : []),
];

const titleOf = ({ mark, since, plan }: Effect): string => {
  if (mark) return `Did “${mark.text}” help?`;
  return plan ? 'What an effect has to be to be seen' : `What was done on ${since}: did it help?`;
};

function draw(data: Effect, document: Document): void {
  const { brand, mark, metric, slice, treated, control, left_out, prompts, pages, plan } = data;
  const engines = enginesText(slice?.engines ?? mark?.engines ?? null, SEARCH_ENGINES);
  document.title(
    [titleOf(data), brand.name].join(' · '),
    [label(metric), engines, ...choicesOf({ slice }), ...daysText(data)].join(', '),
  );
  if (plan) {
    document.sentences(
      `${counted(treated.prompts, 'prompt')} of this choice, ${control.prompts} others to compare with.`,
    );
    document.table(null, planView(metric), plan.detectable);
    return;
  }
  document.sentences(
    ...effectSentences(data),
    ...(left_out > 0 ? [`${counted(left_out, 'prompt')} of other marks in these days left out.`] : []),
  );
  if (prompts.length > 0) document.table(null, promptsView(metric), prompts);
  if (pages.length > 0) document.table('Answers that cite its pages', pagesView, pages);
}

const right = <Row>(head: string, pick: (row: Row) => string | null, absence = 'not known'): Column<Row> => ({
  ...text(head, pick, { absence }),
  align: 'right',
});

const ofPrompt = columnsOf(effect.response.fields.prompts.items);
const ofPage = columnsOf(effect.response.fields.pages.items);

const differenceOf = (metric: MeasureName, value: number | null): string | null =>
  value === null ? null : differenceText(metric, value);

const promptsView = (metric: MeasureName): TableView<EffectPrompt> => ({
  noun: 'prompts',
  columns: [
    ofPrompt('text', { room: 'flexible' }),
    right(label('before'), ({ before }) => withUnit(metric, before)),
    right('after', ({ after }) => withUnit(metric, after)),
    right('predicted', ({ predicted }) => withUnit(metric, predicted)),
    right('beyond', ({ after, predicted }) => differenceOf(metric, effectSeen(metric, after, predicted))),
    ofPrompt('id', { room: 'spare' }),
  ],
});

const pagesView: TableView<EffectPage> = {
  noun: 'pages',
  columns: [
    page,
    right('share %', ({ share, interval }) => withRadius('presence_rate', share, interval)),
    ofPage('answers', { absence: 'not known' }),
    ofPage('of', { absence: 'not known' }),
    ofPage('first_day', { absence: 'not cited' }),
    engines,
  ],
};

const planView = (metric: MeasureName): TableView<NonNullable<Effect['plan']>['detectable'][number]> => ({
  noun: 'windows',
  columns: [
    count('days of each window', ({ days }) => days),
    right(
      'seen in four of five cases from',
      ({ value }) => (value === null ? null : amountText(metric, value)),
      'too few days or prompts',
    ),
  ],
});
