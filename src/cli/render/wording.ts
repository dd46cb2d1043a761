/** Slices, windows, engines and days in words: `ChatGPT, tag pricing, 2026-11-01 to 2026-11-14 (UTC)`. */

import { addDays, daysBetween, utcDay } from '../../contract/days.js';
import { engineLabel, SEARCH_ENGINES } from '../../contract/glossary.js';
import { WINDOW_DAYS } from '../../contract/limits.js';
import type { ModelChange } from '../../contract/model-changes.js';
import { printable } from '../../contract/printable.js';
import type { BrandRef } from '../../contract/read.js';
import type { AnswerFilter } from '../../contract/reads/answers.js';
import type { Infer } from '../../contract/schema.js';
import type { MeasuredDays, measuredWindow, Slice } from '../../contract/slice.js';
import type { ShownInWindow } from '../../contract/surfaces.js';
import { currentTime } from '../clock.js';
import type { Format } from './format.js';
import { escaped } from './markdown.js';
import { fitted, outputWidth, styled } from './terminal.js';
import { counted, grouped } from './view.js';

interface Window {
  readonly start: string | null;
  readonly end: string | null;
  readonly days: number;
}

/** `2026-10-24 to 2026-11-20 UTC, 28 days`; a window without bounds is described by its length. */
export function period({ start, end, days }: Window): string {
  const length = counted(days, 'day');
  return start === null || end === null
    ? `${length}, nothing on record`
    : `${start} to ${end} UTC, ${length}`;
}

/**
 * The part of a window that has answers: `measured from 2026-09-25 on`. Empty if it begins with its window and ends with it or
 * the day before, because the current day may not be collected yet; also without answers.
 */
export function measuredPart(
  { start, end }: Pick<Window, 'start' | 'end'>,
  measured: MeasuredDays = null,
): string[] {
  if (measured === null || start === null || end === null) return [];
  const { first_day, last_day } = measured;
  const isLate = first_day > start;
  const isEarly = daysBetween(last_day, end) > 1;
  if (!isLate && !isEarly) return [];
  if (!isEarly) return [`measured from ${first_day} on`];
  return [isLate ? `measured from ${first_day} to ${last_day}` : `measured to ${last_day}`];
}

interface Dated {
  readonly window: Window;
  readonly measured?: MeasuredDays | undefined;
}

/** The days of a response for its title. */
export const datesText = ({ window, measured }: Dated): string =>
  [period(window), ...measuredPart(window, measured)].join(', ');

export const enginesText = (engines: readonly string[] | null, unfiltered = SEARCH_ENGINES): string =>
  engines === null ? unfiltered : engines.map(engineLabel).join(', ');

/** How often engines showed an answer; none if no run states it. */
export function shownSentences(shown: ShownInWindow): string[] {
  if (shown === null || shown.shown_rate === null) return [];
  const [low, high] = shown.interval ?? [];
  const interval = low === undefined ? '' : ` (${percentText(low)} to ${percentText(high!)})`;
  return [
    `An answer was shown ${percentText(shown.shown_rate)}${interval} of the ${shown.asked_count} times that engines were asked which may show none.`,
  ];
}

export const percentText = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** Models named in a sentence. */
const NAMED_MODELS = 4;

/** `first seen: gpt-5.2 on chatgpt (2026-11-18)`, a few by name. */
export function newModels(changes: readonly ModelChange[]): string {
  const named = changes
    .slice(0, NAMED_MODELS)
    .map(({ engine, model, since }) => `${model} on ${engineLabel(engine)} (${since})`);
  const more = changes.length - named.length;
  return `first seen: ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'more model')}` : ''}`;
}

/** `39 searches`, with the number of shown rows if some are left out; empty if there are no rows. */
export function listed(total: number, shown: number, noun: string, plural?: string): string[] {
  if (total === 0) return [];
  const all = counted(total, noun, plural);
  return [shown < total ? `${all}, the first ${grouped(shown)} shown` : all];
}

type SliceWindow = Infer<typeof measuredWindow>;

/** What a response states of its slice. */
export interface Sliced {
  readonly window: SliceWindow;
  readonly slice: Slice | null;
  readonly measured: MeasuredDays;
}

const either = (values: readonly string[]): string => values.join(' or ');

const enginesOf = ({ engines }: Slice): string[] =>
  engines === null ? [] : [either(engines.map(engineLabel))];

/** The prompts, regions and surfaces of a slice: `tag pricing or b2b`, `region us`. */
export function choicesOf({ slice }: Pick<Sliced, 'slice'>): string[] {
  if (!slice) return [];
  const { prompts, topics, tags, regions, surfaces } = slice;
  const named = { prompt: prompts, topic: topics, tag: tags, region: regions, surface: surfaces };
  return Object.entries(named).flatMap(([name, values]) =>
    values === null ? [] : `${name} ${either(values)}`,
  );
}

/** `citing reddit.com, naming globex or initech, without acme, tone negative` */
const filterWords = ({ cites, names, without, tone }: AnswerFilter): string[] => [
  ...(cites === null ? [] : [`citing ${cites}`]),
  ...(names === null ? [] : [`naming ${either(names)}`]),
  ...(without === null ? [] : [`without ${either(without)}`]),
  ...(tone === null ? [] : [`tone ${tone}`]),
];

/** The flags that choose the runs of a slice again, for a read that has all of them. */
export const sliceFlags = ({ window, slice }: Pick<Sliced, 'window' | 'slice'>): string[] => {
  const { prompts, topics, tags, regions, surfaces } = slice ?? {};
  const lists = { prompt: prompts, topic: topics, tag: tags, region: regions, surface: surfaces };
  return [
    ...Object.entries(lists).flatMap(([flag, values]) =>
      values ? [`--${flag} ${values.map(shellWord).join()}`] : [],
    ),
    `--from ${window.start} --to ${window.end}`,
  ];
};

const days = ({ start, end }: SliceWindow): string => `${start === end ? start : `${start} to ${end}`} (UTC)`;

/** Engines, choices and days of a slice, with the engines that count without an engine filter. */
export const runsWords = ({ window, slice, measured }: Sliced): string => {
  const engines = slice?.engines ? enginesOf(slice) : [enginesText(null)];
  return [...engines, ...choicesOf({ slice }), days(window), ...measuredPart(window, measured)].join(', ');
};

/** What a heading is about. */
export interface Headed {
  readonly brand: { readonly name: string };
  readonly window: Window;
  readonly measured?: MeasuredDays;
  readonly slice?: Slice | null;
  /** The engine filter of a read that states it outside of its slice. */
  readonly engines?: readonly string[] | null;
  /** What answers were chosen by besides the slice. */
  readonly filter?: AnswerFilter | null;
}

/**
 * The two lines above what a command prints: `Torvello · 2026-11-17 to 2026-11-23 UTC, 7 days`, and the filters.
 * @param subject What it is about besides the brand.
 * @param unfiltered The engines that count without a filter.
 */
export function headingLines(
  { brand, window, measured, slice = null, engines = null, filter = null }: Headed,
  subject?: string,
  unfiltered = SEARCH_ENGINES,
): [title: string, filters: string] {
  return [
    [...(subject === undefined ? [] : [subject]), brand.name, datesText({ window, measured })].join(' · '),
    [
      enginesText(slice?.engines ?? engines, unfiltered),
      ...choicesOf({ slice }),
      ...(filter ? filterWords(filter) : []),
    ].join(', '),
  ];
}

/** The lines above a table; other formats than tables have none. */
export function headingOf(format: Format, lines: readonly [title: string, filters: string]): string {
  const [title, filters] = lines.map(printable) as [string, string];
  if (format === 'md') return `**${escaped(title)}**\n\n${escaped(filters)}\n\n`;
  if (format !== 'table') return '';
  const width = outputWidth();
  const bold = fitted(title, width).map((line) => styled(['bold'], line, process.stdout));
  return `${[...bold, ...fitted(filters, width)].join('\n')}\n\n`;
}

const wordBut =
  (plain: RegExp) =>
  (text: string): string =>
    plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** An id, or another text, as one word of a shell. */
export const shellWord = wordBut(/^[\w.@:+-]+$/);
/** A path, or an argument that has one, as one word of a shell. */
export const shellPath = wordBut(/^[\w./@%+=:,-]+$/);

/** How to see an answer; ids are unique within a brand: `svc answer run_1 --brand acme shows the first of these answers.` */
export function answerHint(id: string, brand: BrandRef): string {
  return `\`svc answer ${shellWord(id)} --brand ${shellWord(brand.id)}\` shows the first of these answers.`;
}

/** The current day; days are days of UTC in every read. */
export const today = (): string => utcDay(currentTime());

export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * The days that end on a day, as parameters. Commands that join reads ask for these explicitly: without them some reads end
 * today, and others on the newest collected day.
 */
export const daysEnding = (to: string, days: number): Days => ({ from: addDays(to, 1 - days), to });

/** The days of a read without a window: those that end today. */
export const lastDays = (): Days => daysEnding(today(), WINDOW_DAYS);

/** The mark of the current day, and its meaning. */
export const UNFINISHED = '*';
export const UNFINISHED_MEANS = `${UNFINISHED} today is not over (UTC): its value may still change`;

/** A day, with the mark if it is the current one. */
export const markedDay = (date: string): string => (date === today() ? `${date} ${UNFINISHED}` : date);
