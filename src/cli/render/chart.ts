import { type Format, shortened, styled, widthOf } from './terminal.js';

interface Scale {
  /** The ticks in ascending order, equally far apart. All values are between the first and the last. */
  readonly ticks: readonly number[];
  /** The number of decimals that the ticks need. */
  readonly digits: number;
}

/** The possible values of an axis, and its minimum span, so that noise does not look like a trend. */
export interface Bounds {
  readonly floor: number;
  readonly ceiling: number;
  readonly leastSpan: number;
}

const MAX_STEPS = 5;

/**
 * The axis with the smallest step of 1, 2 or 5 times a power of ten that needs at most five steps. Not by d3-scale, as on
 * the page: loading it takes 17 ms of processor time, and its `nice` gives one chart in fifty a tick that it does not need.
 * @param values Finite, within the bounds.
 */
export function roundScale(values: readonly number[], bounds: Bounds): Scale {
  const [low, high] = rangeOf(values, bounds);
  let exponent = Math.floor(Math.log10((high - low) / MAX_STEPS));
  for (;;) {
    for (const factor of [1, 2, 5]) {
      const digits = Math.max(0, -exponent);
      const step = factor * 10 ** exponent;
      // The quotient may differ from a whole number by a rounding error.
      const first = Math.floor(low / step + 1e-9);
      const last = Math.ceil(high / step - 1e-9);
      if (last - first > MAX_STEPS) continue;
      const ticks = Array.from({ length: last - first + 1 }, (_, at) => rounded((first + at) * step, digits));
      return { ticks, digits };
    }
    exponent += 1;
  }
}

/** The range of the values, widened on both sides to the minimum span and shifted into the bounds. */
function rangeOf(values: readonly number[], { floor, ceiling, leastSpan }: Bounds): [number, number] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const missing = Math.max(0, leastSpan - (high - low));
  const from = Math.min(Math.max(floor, low - missing / 2), Math.max(floor, ceiling - leastSpan), low);
  return [from, Math.max(high, Math.min(ceiling, from + leastSpan))];
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const TICKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
/** The character for a day that was not measured. Not a space, because spaces at the ends of a text are removed. */
const NO_VALUE = '·';

/** A text with one character per value, scaled from the lowest to the highest value; empty if there are no values. */
export function sparkline(values: readonly (number | null)[], bounds: Bounds): string {
  const measured = values.filter((value) => value !== null);
  if (measured.length === 0) return '';
  const [low, high] = rangeOf(measured, bounds);
  const tick = (value: number) =>
    TICKS[Math.min(TICKS.length - 1, Math.floor(((value - low) / (high - low)) * TICKS.length))]!;
  return values.map((value) => (value === null ? NO_VALUE : tick(value))).join('');
}

/** The dots of a braille cell, by row and column. Their sum is the offset of the character in its Unicode block. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BRAILLE = 0x2800;
const DOTS_WIDE = 2;
const DOTS_HIGH = 4;

interface Cell {
  dots: number;
  mark: string | undefined;
  look: readonly Format[];
}

interface Dot {
  readonly x: number;
  readonly y: number;
}

/** A grid of terminal cells: lines of braille dots, and marks that cover them. */
class Canvas {
  readonly #rows: Cell[][];

  /** @param width Cells. @param height Cells. */
  constructor(width: number, height: number) {
    const empty = (): Cell => ({ dots: 0, mark: undefined, look: [] });
    this.#rows = Array.from({ length: height }, () => Array.from({ length: width }, empty));
  }

  /** Draws a straight line. Both ends must be inside. In a shared cell the style of the last drawing wins. */
  line(from: Dot, to: Dot, look: readonly Format[]): void {
    const steps = Math.max(1, Math.abs(to.x - from.x), Math.abs(to.y - from.y));
    for (let step = 0; step <= steps; step += 1) {
      const part = step / steps;
      const x = Math.round(from.x + (to.x - from.x) * part);
      const y = Math.round(from.y + (to.y - from.y) * part);
      const cell = this.#at({ x, y });
      cell.dots |= DOTS[y % DOTS_HIGH]![x % DOTS_WIDE]!;
      cell.look = look;
    }
  }

  mark(dot: Dot, character: string, look: readonly Format[]): void {
    Object.assign(this.#at(dot), { mark: character, look });
  }

  /** One text per row, in colour if standard output supports it. */
  lines(): string[] {
    return this.#rows.map((row) => row.map(text).join(''));
  }

  #at({ x, y }: Dot): Cell {
    return this.#rows[Math.floor(y / DOTS_HIGH)]![Math.floor(x / DOTS_WIDE)]!;
  }
}

function text({ dots, mark, look }: Cell): string {
  const character = mark ?? (dots === 0 ? ' ' : String.fromCodePoint(BRAILLE + dots));
  return character === ' ' ? character : styled(look, character, process.stdout);
}

/** The possible numbers of days between two labels. */
const STEPS = [1, 2, 7, 14, 28, 56, 112] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const LABEL = 9;

/**
 * Returns the line below a chart with its ticks, and the line of labels below it. The last day always has a label.
 * @param dates The days, YYYY-MM-DD.
 * @param columnOf Returns the column of a day from its index.
 * @param width Columns of the chart.
 * @param mark Follows the label of the last day.
 */
function dateAxis(
  dates: readonly string[],
  columnOf: (day: number) => number,
  width: number,
  mark = '',
): [string, string] {
  const last = dates.length - 1;
  const fits = (step: number) => columnOf(last) - columnOf(Math.max(0, last - step)) >= LABEL + mark.length;
  const step = STEPS.find(fits) ?? dates.length;
  const rule = Array.from({ length: width }, () => '─');
  const labels = Array.from({ length: width }, () => ' ');
  for (let day = last; day >= 0; day -= step) {
    const column = columnOf(day);
    rule[column] = '┬';
    const label = labelOf(dates[day]!) + (day === last ? mark : '');
    const start = Math.max(0, Math.min(column - Math.floor(label.length / 2), width - label.length));
    labels.splice(start, label.length, ...label);
  }
  return [rule.join(''), labels.join('').trimEnd()];
}

/** Formats `2026-11-20` as `20 Nov`. */
function labelOf(date: string): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[month! - 1]}`;
}

/** One line of a chart: a value per day; null: not measured. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The number of its colour and mark, as `chartLines` assigns it; if omitted, the brand’s, 0. */
  readonly look?: number;
}

/** What a chart shows next to its lines. */
interface Marks {
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
const GAP = '   ';
/** A mark for each look of a line: marks distinguish the lines without colours too. */
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
