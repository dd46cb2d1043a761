import { type Format, styled } from '../colour.js';
import { shortened, widthOf } from '../width.js';
import { Canvas, DOTS_HIGH, DOTS_WIDE, type Dot } from './canvas.js';
import { dateAxis } from './date-axis.js';
import { type Bounds, roundScale, type Scale } from './scale.js';

/** One line of a chart: a value per day; null: not measured. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The number of its colour and mark, as `chartLines` assigns it; absent: the brand’s, 0. */
  readonly look?: number;
}

/** What a chart shows besides its lines. */
export interface Marks {
  /** Follows the label of the last day. */
  readonly mark?: string;
  /** Two values between which a range is marked by dotted lines. */
  readonly band?: readonly [number, number] | null;
  /** Indices of days that are marked by a dotted vertical line; others than those of the dates are ignored. */
  readonly days?: readonly number[];
}

/** The approximate number of rows between the highest and the lowest tick, for a few and for many lines. */
const HEIGHT = { few: 12, many: 18 } as const;
const FEW = 3;
/** Cells between two marks of a line that has a value in every cell. */
const MARK_EVERY = 5;
/** The space between two entries of the legend. */
const GAP = '   ';
/** By the look of a line. Marks distinguish the lines without colours too. */
const MARKS = [...'●○▲△■□◆◇▼▽★☆◐◑▶▷◀◁◉◎▣▤▥▦▧'];
/** The brand’s, then those of its competitors, which repeat: marks tell the lines apart. */
const COLOURS: readonly [Format, ...Format[]] = [
  'cyan',
  'yellow',
  'magenta',
  'green',
  'blue',
  'red',
  'yellowBright',
  'magentaBright',
  'greenBright',
];

const markOf = ({ look = 0 }: Line): string => MARKS[look]!;
const coloursOf = ({ look = 0 }: Line): Format[] => [
  look === 0 ? COLOURS[0] : COLOURS[1 + ((look - 1) % (COLOURS.length - 1))]!,
  ...(look === 0 ? ['bold' as const] : []),
];

/**
 * Draws a chart of lines over days, with a scale on the left and dates below. A line has a gap on days that were not
 * measured.
 * @param dates The days, YYYY-MM-DD, one for each value.
 * @param lines The first is drawn above the others.
 * @param width Terminal columns of the whole chart.
 * @returns The rows of the chart; empty if nothing was measured.
 */
export function lineChart(
  dates: readonly string[],
  lines: readonly Line[],
  bounds: Bounds,
  width: number,
  { mark = '', band = null, days: marked = [] }: Marks = {},
): string[] {
  const measured = lines.flatMap(({ values }) => values.filter((value) => value !== null));
  if (measured.length === 0) return [];
  const scale = roundScale([...measured, ...(band ?? [])], bounds);
  const steps = scale.ticks.length - 1;
  const rowsPerStep = Math.max(2, Math.round(HEIGHT[lines.length > FEW ? 'many' : 'few'] / steps));
  const labels = scale.ticks.map((tick) => tick.toFixed(scale.digits));
  const room = Math.max(...labels.map((label) => label.length));
  const area = { width: Math.max(10, width - room - 2), height: steps * rowsPerStep + 1 };
  const canvas = new Canvas(area.width, area.height);
  const dotOf = placing(dates.length, scale, area);
  for (const day of marked.filter((each) => dates[each] !== undefined))
    upright(canvas, dotOf(day, scale.ticks[0]!).x, area.height);
  for (const bound of band ?? []) dotted(canvas, dotOf(0, bound).y, area.width);
  for (const line of lines.toReversed()) draw(canvas, line, dotOf);
  const margins = Array.from({ length: area.height }, (_, row) => {
    const label = row % rowsPerStep === 0 ? labels[steps - row / rowsPerStep]! : '';
    return `${label.padStart(room)} ${label === '' ? '│' : '┤'}`;
  });
  const columnOf = (day: number) => Math.floor(dotOf(day, scale.ticks[0]!).x / DOTS_WIDE);
  const [rule, days] = dateAxis(dates, columnOf, area.width, mark);
  return [
    ...canvas.lines().map((text, row) => (margins[row] + text).trimEnd()),
    `${' '.repeat(room)} └${rule}`,
    `${' '.repeat(room + 2)}${days}`,
  ];
}

/** Marks and names, in as many rows as necessary. A name that is wider than a row is cut. */
export function legend(lines: readonly Line[], width: number): string[] {
  const rows: string[][] = [];
  let room = 0;
  for (const line of lines) {
    const name = shortened(line.name, Math.max(1, width - 2));
    const needed = widthOf(`${markOf(line)} ${name}${GAP}`);
    if (room < needed) {
      rows.push([]);
      room = width + GAP.length;
    }
    rows.at(-1)!.push(`${styled(coloursOf(line), markOf(line), process.stdout)} ${name}`);
    room -= needed;
  }
  return rows.map((entries) => entries.join(GAP));
}

type Placing = (day: number, value: number) => Dot;

/**
 * Places days from the left edge to the right edge, a single day in the middle, and ticks in the middle of their rows.
 */
function placing(
  days: number,
  { ticks }: Scale,
  { width, height }: { width: number; height: number },
): Placing {
  const [lowest, highest] = [ticks[0]!, ticks.at(-1)!];
  const widest = width * DOTS_WIDE - 1;
  const middle = (DOTS_HIGH - 1) / 2;
  return (day, value) => ({
    x: days === 1 ? Math.floor(widest / 2) : Math.round((day / (days - 1)) * widest),
    y: Math.round(middle + ((highest - value) / (highest - lowest)) * (height - 1) * DOTS_HIGH),
  });
}

/** A dotted line from edge to edge: every second cell. */
function dotted(canvas: Canvas, y: number, width: number): void {
  for (let cell = 0; cell < width; cell += 2) {
    const x = cell * DOTS_WIDE;
    canvas.line({ x, y }, { x: x + 1, y }, ['dim']);
  }
}

/** A dotted line from top to bottom. */
function upright(canvas: Canvas, x: number, height: number): void {
  for (let y = 0; y < height * DOTS_HIGH; y += 2) canvas.line({ x, y }, { x, y }, ['dim']);
}

function draw(canvas: Canvas, line: Line, dotOf: Placing): void {
  const colours = coloursOf(line);
  const dots = line.values.map((value, day) => (value === null ? undefined : dotOf(day, value)));
  for (const [day, dot] of dots.entries()) {
    const next = dots[day + 1];
    if (dot && next) canvas.line(dot, next, colours);
  }
  let free = 0;
  for (const [day, dot] of dots.entries()) {
    const alone = !dots[day - 1] && !dots[day + 1];
    if (!dot || (dot.x < free && !alone)) continue;
    canvas.mark(dot, markOf(line), colours);
    free = dot.x + MARK_EVERY * DOTS_WIDE;
  }
}
