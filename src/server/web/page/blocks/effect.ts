/** Whether what was done helped: what the prompts of a mark did, next to what those nobody touched predict. And the list of marks. */
import { effectSeen, effectSentences } from '../../../../contract/effect-words.js';
import { title } from '../../../../contract/glossary.js';
import { LIVE_HORIZON_DAYS } from '../../../../contract/limits.js';
import { differenceText, type MeasureName, scaleOf } from '../../../../contract/measures.js';
import {
  type Effect,
  type EffectPage,
  type EffectPrompt,
  effectMetrics,
} from '../../../../contract/reads/effect.js';
import { isForPrompts, type Mark } from '../../../../contract/reads/marks.js';
import { counted, plural } from '../../../../contract/wording.js';
import { addDays, everyDayOf } from '../../../base/days.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { card, noteOf } from '../parts/card.js';
import { lineChart, type Point } from '../parts/line-chart.js';
import { bounds, formatOf, notMeasured, numberField, rowName } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { day, engineName, externalLink, longDay, span, truncated, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';
import { canFilterBy, OF_PROMPTS } from '../slice.js';
import { sevenDayMeans } from './history.js';

/** Rows of a list. */
const ROWS = 50;
/** The name of the line of the prompts. */
const MARKED = 'Marked';

/** The address of the page of a mark; null: the link that is viewed has only some prompts, so that there is nothing to compare with. */
export const markLead = ({ limits, leads }: Loading): ((id: string) => string) | null =>
  OF_PROMPTS.some((name) => limits?.[name] !== undefined) ? null : leads.mark;

/** What a mark was done for, in words. */
const purposeOf = ({ prompts, topics, tags }: Mark): Markup => {
  if (prompts !== null) return counted(prompts.length, 'prompt');
  if (topics === null && tags === null) return 'only a flag';
  const names = topics ?? tags ?? [];
  const noun = plural(names.length, topics === null ? 'tag' : 'topic');
  return html`prompts of the ${noun} ${userText(names.join(', '), 80)}`;
};

/** What was done, the newest first; null if nothing was marked. */
export async function marks(page: Loading): Promise<Markup> {
  const read = await page.ofSlice.loadIfPossible('marks');
  if ('refused' in read || read.body.marks.length === 0) return null;
  const { marks: all } = read.body;
  return card(
    { id: 'marks', title: 'What was done', read, about: 'each mark leads to whether it helped' },
    html`${table({
      label: 'Marks',
      rows: all.slice(0, ROWS),
      columns: [
        { head: 'Day', cell: (mark) => longDay(mark.day) },
        {
          head: 'What',
          kind: 'words',
          cell: ({ id, text }) => html`<a href=${page.leads.mark(id)}>${userText(text)}</a>`,
        },
        { head: 'For', kind: 'words', cell: purposeOf },
      ],
    })}${all.length > ROWS ? html`<p class="foot">The file has ${all.length - ROWS} older ones.</p>` : null}`,
  );
}

/** The heading of the page of a mark: what was done, when, and for which prompts. */
export const markTitle = (mark: Mark): Markup => html`<div class="title"><h1>${userText(mark.text)}</h1>
  <p>Marked on <time datetime=${mark.day}>${longDay(mark.day)}</time>, ${purposeOf(mark)}${mark.engines === null ? null : `, ${mark.engines.map(engineName).join(', ')}`}${mark.url === null ? null : html` · ${externalLink(mark.url, 'Read about it', 60)}`}</p></div>`;

/** The metric that the address chooses, if effects are measured in it. */
export const effectMetricOf = ({ view }: Loading) => effectMetrics.find((name) => name === view.metric);

export async function effectBlocks(page: Loading, mark: Mark, read: Loaded<'effect'>): Promise<Markup> {
  const { body } = read;
  const { windows, metric } = body;
  const daily = await dailyOf(page, body);
  const about = [
    title(metric),
    ...(windows.before === null ? [] : [`${span(windows.before.start, windows.before.end)} before`]),
    ...(windows.after === null ? [] : [`${span(windows.after.start, windows.after.end)} after`]),
  ].join(', ');
  // A long text would leave no room for the numbers of its sentence.
  const sentences = isForPrompts(mark)
    ? effectSentences({ ...body, mark: { ...mark, text: truncated(mark.text, 80) } })
    : ['This mark names no prompts, so it is only a flag: there is nothing to compare.'];
  return html`${card(
    { id: 'effect', title: 'Did it help?', about, read },
    html`<p class="lead">${sentences.map((sentence) => html`${userText(sentence, 600)} `)}</p>
    ${chartOf(mark, body, daily)}${isForPrompts(mark) ? html`${comparison(body)}${noteOf(body)}` : null}`,
  )}${promptRows(page, read)}${pageRows(read)}`;
}

/** The metric of the treated prompts by day; null where one history cannot have it: the means of the windows are drawn then. */
async function dailyOf({ ofSlice, slice, reads }: Loading, body: Effect): Promise<Point[] | null> {
  const { metric, mark, windows, prompts } = body;
  const { before, after } = windows;
  const engines = mark?.engines?.filter((id) => slice.engine?.some((each) => each === id) ?? true);
  const ids = prompts.map(({ id }) => id);
  if (before === null || ids.length === 0 || engines?.length === 0 || !ids.every(canFilterBy)) return null;
  // Six days more, of which the first means are too. Single prompts have days for as long as their runs are kept.
  const from = [addDays(before.start, -6), addDays(reads.today, 1 - LIVE_HORIZON_DAYS)].sort()[1]!;
  const to = [after?.end ?? before.end, reads.today].sort()[0]!;
  if (from > before.end || from > to) return null;
  const found = await ofSlice.loadIfPossible('history', {
    metric,
    from,
    to,
    prompt: ids.join(','),
    ...(engines && { engine: engines.join(',') }),
  });
  const own = 'refused' in found ? undefined : found.body.series.find(({ is_brand }) => is_brand);
  return own?.points.some(({ value }) => value !== null) ? sevenDayMeans(own.points) : null;
}

function chartOf(mark: Mark, { metric, windows, treated, predicted }: Effect, daily: Point[] | null): Markup {
  const { before, after } = windows;
  if (before === null || treated.before === null || treated.after === null) return null;
  const { shown, suffix } = scaleOf(metric);
  const unit = suffix === '' ? '' : ' %';
  const plain = (value: number | null) => (value === null ? 'not known' : (shown * value).toFixed(1));
  const days = everyDayOf({ start: before.start, end: after?.end ?? mark.day });
  /** A value of each window. */
  const levels = (first: number | null, second: number | null) => (date: string) =>
    date <= before.end ? first : after !== null && date >= after.start ? second : null;
  const byDay = daily && new Map(daily.map(({ date, value }) => [date, value]));
  const means = levels(treated.before, treated.after);
  const line = (name: string, end: number, at: (date: string) => number | null | undefined) => ({
    name,
    isOwn: name === MARKED,
    end: plain(end),
    points: days.map((date) => ({ date, value: scaled(at(date) ?? null) })),
  });
  const scaled = (value: number | null) => (value === null ? null : shown * value);
  return html`${lineChart({
    id: 'effect-chart',
    dots: [],
    unit,
    format: (value) => `${value.toFixed(1)}${unit}`,
    title: `${title(metric)} of the prompts of the mark, and what the others predict`,
    description: `Before ${plain(treated.before)}, after ${plain(treated.after)}, predicted ${plain(predicted)}`,
    lines: [
      line(MARKED, treated.after, (date) => (byDay ? byDay.get(date) : means(date))),
      ...(predicted === null ? [] : [line('Predicted', predicted, levels(null, predicted))]),
    ],
    stretches: [
      { ...before, mean: scaled(treated.before), isShaded: true },
      ...(after ? [{ ...after, mean: scaled(treated.after), isShaded: false }] : []),
    ],
    flags: [{ date: mark.day, label: `${day(mark.day)}: ${mark.text}` }],
  })}<p class="foot">${MARKED}: the prompts of the mark, ${byDay ? 'mean of seven days' : 'their means of the two windows'}. Predicted: the mean that the other prompts predict for the days after.</p>`;
}

/** The others, and what lies between the two groups. */
function comparison({
  metric,
  treated,
  control,
  predicted,
  effect,
  interval,
  detectable,
  left_out,
}: Effect): Markup {
  const format = formatOf(metric);
  return html`<p class="foot">The others: ${numberField('effect.control.prompts', control.prompts)} prompts, from ${numberField('effect.control.before', control.before, format)} to ${numberField('effect.control.after', control.after, format)}; of other marks in these days, and so left out: ${numberField('effect.left_out', left_out)}.
    Predicted: ${numberField('effect.predicted', predicted, format)}. Beyond that: ${numberField('effect.effect', effect, (exact) => differenceIn(metric)(effectSeen(metric, treated.after, predicted) ?? exact))}${interval === null ? null : html` (${bounds('effect.interval', interval, differenceIn(metric))})`}. Seen in four of five cases: ${numberField('effect.detectable', detectable, format)} or more.</p>`;
}

/** `+9.8`, without the unit, which the numbers next to it have. */
const differenceIn = (metric: MeasureName) => (value: number) => differenceText(metric, value);

/** A column of numbers of a list of the read, by the ids of its rows where they have one. */
const numberOf =
  (list: 'prompts' | 'pages') =>
  <N extends string>(
    head: string,
    name: N,
    format?: (value: number) => string,
    kind: 'number' | 'number minor' = 'number',
  ) => ({
    head,
    kind,
    cell: (row: { readonly [K in N]: number | null } & { readonly id?: string }, at: number) =>
      numberField(`effect.${list}.${rowName(row.id ?? '', at)}.${name}`, row[name], format),
  });

function promptRows({ leads }: Loading, read: Loaded<'effect'>): Markup {
  const { prompts, metric } = read.body;
  if (prompts.length === 0) return null;
  const [format, number, label] = [formatOf(metric), numberOf('prompts'), 'The prompts of the mark'];
  const columns = [
    {
      head: title('prompt'),
      cell: ({ id, text }: EffectPrompt) => html`<a href=${leads.prompt(id)}>${userText(text, 140)}</a>`,
    },
    number('Before', 'before', format),
    number('After', 'after', format),
    number('Predicted', 'predicted', format),
    {
      head: 'Beyond',
      kind: 'number' as const,
      cell: ({ id, after, predicted, beyond }: EffectPrompt, at: number) =>
        numberField(`effect.prompts.${rowName(id, at)}.beyond`, beyond, (exact) =>
          differenceIn(metric)(effectSeen(metric, after, predicted) ?? exact),
        ),
    },
  ];
  const more = prompts.length - ROWS;
  return card(
    { id: 'effect-prompts', title: label, read },
    html`${table<EffectPrompt>({ label, columns, rows: prompts.slice(0, ROWS) })}${more > 0 ? html`<p class="foot">The file has ${more} others, which are closer to what is predicted.</p>` : null}`,
  );
}

function pageRows(read: Loaded<'effect'>): Markup {
  const rows = read.body.pages.slice(0, ROWS);
  if (rows.length === 0) return null;
  const [share, number] = [formatOf('presence_rate'), numberOf('pages')];
  const firstOf = ({ first_day, answers }: EffectPage) =>
    first_day === null ? (answers === null ? notMeasured() : 'not cited') : day(first_day);
  const interval = (row: EffectPage, at: number) =>
    bounds(`effect.pages.${at}.interval`, row.interval, share) ?? notMeasured();
  return card(
    { id: 'effect-pages', title: 'Answers after it that cite its pages', read },
    table<EffectPage>({
      label: 'Pages of the mark',
      rows,
      columns: [
        { head: title('page'), cell: ({ url }) => externalLink(url, url, 100) },
        number('Share', 'share', share),
        { head: 'Interval', kind: 'number minor', cell: interval },
        number(title('answers'), 'answers'),
        number('Of', 'of', undefined, 'number minor'),
        { head: 'First cited', kind: 'words', cell: firstOf },
      ],
    }),
  );
}
