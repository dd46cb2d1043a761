import { capital, label } from '../../contract/glossary.js';
import { differenceText, type MeasureName, measureNames } from '../../contract/measures.js';
import { type Driver, driver, type Why, why } from '../../contract/reads/why.js';
import { becauseOf, type WaterfallStep, waterfallOf } from '../../contract/waterfall.js';
import { metricArgument } from '../base/metric-argument.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { knownMeasure } from '../render/metric.js';
import { changeSentence, withUnit } from '../render/uncertainty.js';
import { columnsOf, counted, type TableView } from '../render/view.js';
import { waterfallLines } from '../render/waterfall.js';
import { answerHint, headingLines } from '../render/wording.js';

export default readCommand(why, {
  inHelp: { group: 'VISIBILITY', place: 1.5 },
  description:
    'A waterfall from the window before to this one: what each prompt, engine, … accounts for. The parts sum to the ' +
    'change. A metric that moved is divided by what tells most, unless --by names a cut. ' +
    '▲ ▼ mark parts whose answers changed by more than chance explains among all of them; name only these as reasons. ' +
    'new: and gone: mark what was asked in one window only. Formats other than the table print one part per row.',
  examples: ['', 'presence --by engine', 'share of voice --by rival --from 2026-11-01'],
  ...metricArgument(measureNames.map(label), knownMeasure),
  request: (svc) => svc.why,
  table: ({ metric }) => driversView(metric),
  isLimited: true,
  limited: (data) => data,
  draw,
});

/** Drivers with a step of their own. */
const STEPS = 8;
const WIDTH = 80;

const MARKS = { up: '▲ ', down: '▼ ', new: 'new: ', retired: 'gone: ' } as const;
const markOf = ({ verdict, kind }: Driver): string => {
  if (kind !== 'both') return MARKS[kind];
  return verdict === 'up' || verdict === 'down' ? MARKS[verdict] : '';
};

/** A page without its scheme, so that a short line has more of its path. */
const nameOf = (by: Why['by'], { name }: Driver): string =>
  by === 'page' ? name.replace(/^https?:\/\/(www\.)?/, '') : name;

function wordsOf({ metric, by }: Why, { kind, driver, cells = 0, amount }: WaterfallStep) {
  switch (kind) {
    case 'driver':
      return { label: markOf(driver!) + nameOf(by, driver!), amount: differenceText(metric, amount) };
    case 'rest':
      return {
        label: cells === 0 || by === 'page' ? 'all others' : counted(cells, 'other'),
        amount: differenceText(metric, amount),
      };
    default:
      return { label: kind, amount: withUnit(metric, amount)! };
  }
}

/** What the parts are together, the largest first. */
const PART_WORDS = {
  rate: 'the answers changed',
  mix: 'some were asked more or less often',
  panel: 'some are new or retired',
  own: 'the brand itself',
  others: 'all others',
} as const;

function partsSentence({ metric, parts }: Why): string[] {
  if (parts === null) return [];
  const named = Object.entries(parts).filter(
    (each): each is [keyof typeof PART_WORDS, number] => each[1] !== null && each[1] !== 0,
  );
  const sorted = named.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  return [sorted.map(([name, part]) => `${PART_WORDS[name]} ${differenceText(metric, part)}`).join(' · ')];
}

function draw(data: Why, document: Document): void {
  const { metric, after, before, verdict, reason, difference, window, drivers, circumstances, brand } = data;
  document.title(...headingLines(data, `Why ${label(metric)} changed, by ${data.by}`));
  document.sentences(
    changeSentence(
      capital(label(metric)),
      metric,
      after,
      { previous: before, verdict, reason, difference },
      `the ${counted(window.days, 'day')} before`,
    ),
  );
  const waterfall = waterfallOf(data, STEPS);
  if (waterfall)
    document.lines(
      waterfallLines(
        waterfall,
        (step) => wordsOf(data, step),
        waterfall.low === 0 ? null : { label: 'bars from', amount: withUnit(metric, waterfall.low) ?? '' },
        document.width ?? WIDTH,
      ),
    );
  else if (drivers.length > 0) document.table(null, driversView(metric), drivers);
  const because = becauseOf(data);
  document.sentences(
    ...partsSentence(data),
    ...(because ? [because] : []),
    ...circumstances.map(({ text: sentence }) => `In the same days: ${sentence}`),
  );
  const { after: now = [], before: then = [] } = drivers[0]?.evidence ?? {};
  const id = now[0] ?? then[0];
  if (id !== undefined) {
    const windows = [
      now.length > 0 && `${now.join(', ')} now`,
      then.length > 0 && `${then.join(', ')} before`,
    ];
    document.sentences(`Answers to read: ${windows.filter(Boolean).join('; ')}. ${answerHint(id, brand)}`);
  }
}

const column = columnsOf(driver);

const driversView = (metric: MeasureName): TableView<Driver> => ({
  noun: 'parts',
  columns: [
    column('name', { room: 'flexible' }),
    column('total', { as: 'text', text: ({ total }) => differenceText(metric, total) }),
    column('rate', {
      as: 'text',
      text: ({ rate }) => (rate === null ? null : differenceText(metric, rate)),
      room: 'spare',
      absence: 'no such part',
    }),
    column('verdict', {
      text: (row) => (row.verdict === null ? row.kind : row.verdict.replaceAll('_', ' ')),
    }),
  ],
});
