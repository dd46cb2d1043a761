/** A slice and its window in words: `ChatGPT, tag pricing, 2026-11-01 to 2026-11-14 (UTC)`. */
import { engineLabel } from '../../contract/glossary.js';
import { printable } from '../../contract/printable.js';
import type { Infer } from '../../contract/schema.js';
import type { MeasuredDays, measuredWindow, Slice } from '../../contract/slice.js';
import { styled } from './colour.js';
import type { Format } from './format.js';
import { escaped } from './markdown.js';
import { outputWidth } from './output.js';
import { fitted } from './width.js';
import { enginesText, measuredPart } from './wording.js';

type SliceWindow = Infer<typeof measuredWindow>;

/** What a response states of its slice; servers before slices state nothing. */
export interface Sliced {
  readonly window?: SliceWindow;
  readonly slice?: Slice | null;
  readonly measured?: MeasuredDays;
}

const either = (values: readonly string[]): string => values.join(' or ');

/** The engines of a slice by their names. */
const enginesOf = ({ engines }: Slice): string[] =>
  engines === null ? [] : [either(engines.map(engineLabel))];

/** The prompts and regions of a slice: `tag pricing or b2b`, `region us`. */
export function choicesOf({ slice }: Pick<Sliced, 'slice'>): string[] {
  if (!slice) return [];
  const { prompts, topics, tags, regions } = slice;
  const named = { prompt: prompts, topic: topics, tag: tags, region: regions };
  return Object.entries(named).flatMap(([name, values]) =>
    values === null ? [] : `${name} ${either(values)}`,
  );
}

const days = ({ start, end }: SliceWindow): string => `${start === end ? start : `${start} to ${end}`} (UTC)`;

/** Null for a response without a slice. */
export const sliceWords = ({ window, slice, measured }: Sliced): string | null =>
  window && slice
    ? [...enginesOf(slice), ...choicesOf({ slice }), days(window), ...measuredPart(window, measured)].join(
        ', ',
      )
    : null;

/** The same, also without a slice, and with the engines that count without an engine filter. */
export const runsWords = ({
  window,
  slice,
  measured,
}: Sliced & Required<Pick<Sliced, 'window' | 'slice'>>): string => {
  const engines = slice?.engines ? enginesOf(slice) : [enginesText(null)];
  return [...engines, ...choicesOf({ slice }), days(window), ...measuredPart(window, measured)].join(', ');
};

/** The line above a table of a slice; other formats than tables have none. */
export function headingOf(format: Format, words: string | null): string {
  if (words === null || (format !== 'table' && format !== 'md')) return '';
  if (format === 'md') return `**${escaped(printable(words))}**\n\n`;
  const lines = fitted(printable(words), outputWidth());
  return `${lines.map((line) => styled(['bold'], line, process.stdout)).join('\n')}\n\n`;
}
