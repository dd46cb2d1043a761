import { Args } from '@oclif/core';
import { integer } from '@oclif/core/flags';
import { effectSentences } from '../../contract/effect-words.js';
import { EFFECT_DAYS } from '../../contract/effects.js';
import { engineLabel, label, SEARCH_ENGINES } from '../../contract/glossary.js';
import { amountText, differenceText, type MeasureName } from '../../contract/measures.js';
import { type Effect, type EffectPage, type EffectPrompt, effect } from '../../contract/reads/effect.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead, type ReadFlags } from '../base/read.js';
import { CommandError } from '../failure/command-error.js';
import type { Document } from '../render/document.js';
import type { Drawing } from '../render/format.js';
import { withRadius, withUnit } from '../render/uncertainty.js';
import { type Column, count, counted, page, type TableView, text } from '../render/view.js';
import { choicesOf, enginesText } from '../render/wording.js';

export default class EffectCommand extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 1.9 };
  static override summary = effect.summary;
  static override description =
    'Give a mark, whose ids `svc marks` lists, or --since with --prompt, --topic or --tag. The other prompts say what would have ' +
    'happened anyway; what is left beyond that is the effect, with its 95 % interval. It is a comparison, and proves no cause. ' +
    '--plan says how large an effect has to be to be seen, before anything is done.';
  static override examples = [
    '<%= config.bin %> effect small-kitchen-2026-11-12',
    '<%= config.bin %> effect --since 2026-11-01 --tag milk --days 14',
    '<%= config.bin %> effect --plan --tag milk',
  ];
  static override args = { mark: Args.string({ description: 'Mark id', ignoreStdin: true }) };
  static override flags = {
    ...readFlags(effect),
    days: integer({
      description: effect.params.days.description,
      helpValue: 'N',
      min: EFFECT_DAYS.minimum,
      max: EFFECT_DAYS.maximum,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(EffectCommand);
    const { mark: flagged }: ReadFlags = flags;
    if (args.mark !== undefined && flagged !== undefined && args.mark !== flagged)
      throw new CommandError('usage', `Two marks are given, ${args.mark} and --mark ${flagged}.`);
    const mark = args.mark ?? flagged;
    return printRead(this, { ...flags, ...(mark !== undefined && { mark }) }, effect, {
      request: (svc, params, options) => svc.effect(params, options),
      view: effectView,
    });
  }
}

const daysText = ({ windows: { before, after } }: Effect): string[] => [
  ...(before ? [`${before.start} to ${before.end} before`] : []),
  ...(after ? [`${after.start} to ${after.end} after (UTC)`] : []),
];

const titleOf = ({ mark, since, plan }: Effect): string => {
  if (mark) return `Did “${mark.text}” help?`;
  return plan ? 'What an effect has to be to be seen' : `What was done on ${since}: did it help?`;
};

const effectView: Drawing<Effect, EffectPrompt> = {
  table: ({ metric }) => promptsView(metric),
  draw: (data, document: Document) => {
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
  },
};

const right = <Row>(head: string, pick: (row: Row) => string | null, absence = 'not known'): Column<Row> => ({
  ...text(head, pick, { absence }),
  align: 'right',
});

const promptsView = (metric: MeasureName): TableView<EffectPrompt> => ({
  noun: 'prompts',
  columns: [
    text(label('prompt'), (row) => row.text, { room: 'flexible' }),
    right(label('before'), ({ before }) => withUnit(metric, before)),
    right('after', ({ after }) => withUnit(metric, after)),
    right('predicted', ({ predicted }) => withUnit(metric, predicted)),
    right('beyond', ({ beyond }) => (beyond === null ? null : differenceText(metric, beyond))),
    text('id', ({ id }) => id, { room: 'spare' }),
  ],
});

const pagesView: TableView<EffectPage> = {
  noun: 'pages',
  columns: [
    page(label('page'), ({ url }) => url),
    right('share %', ({ share, interval }) => withRadius('presence_rate', share, interval)),
    count(label('answers'), ({ answers }) => answers, { absence: 'not known' }),
    count('of', ({ of }) => of, { absence: 'not known' }),
    text('first cited', ({ first_day }) => first_day, { absence: 'not cited' }),
    text('engines', ({ engines }) => engines.map(engineLabel).join(', '), { room: 'spare' }),
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
