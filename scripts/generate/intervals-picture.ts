/** The picture in docs/metrics.md: intervals of simulated weeks of one panel, naive and by days. */
import { intervalOf } from '../../src/server/answers/metrics/intervals.js';
import { naiveInterval, simulatedPanel } from './simulated-panel.js';

const WEEKS = 100;
const SIZE = { width: 880, height: 220, left: 56, right: 16, top: 44 };
const LOW = 0.3;
const HIGH = 0.5;
const COLOURS = { truth: '#57606a', covers: '#0969da', misses: '#cf222e', text: '#57606a' };

type Interval = readonly [number, number];

const xOf = (week: number): number =>
  SIZE.left + ((week + 0.5) * (SIZE.width - SIZE.left - SIZE.right)) / WEEKS;
const yOf = (share: number): number => SIZE.top + ((HIGH - share) / (HIGH - LOW)) * (SIZE.height - SIZE.top);
const fixed = (value: number): string => value.toFixed(1);

const text = (x: number, y: number, words: string, anchor = 'start', weight = 'normal'): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" font-weight="${weight}">${words}</text>`;

const bar = (week: number, [low, high]: Interval, colour: string): string =>
  `<path d="M${fixed(xOf(week))} ${fixed(yOf(low))}V${fixed(yOf(high))}" stroke="${colour}" stroke-width="3"/>`;

function chart(title: string, intervals: readonly Interval[], truth: number, top: number): string {
  const covers = ([low, high]: Interval) => low <= truth && truth <= high;
  const misses = intervals.filter((interval) => !covers(interval)).length;
  const ticks = [LOW, (LOW + HIGH) / 2, HIGH].map((share) =>
    text(SIZE.left - 8, yOf(share) + 4, `${Math.round(100 * share)} %`, 'end'),
  );
  return [
    `<g transform="translate(0 ${top})">`,
    text(SIZE.left, 20, `${title}: ${misses} of ${WEEKS} miss the true rate`, 'start', 'bold'),
    ...ticks,
    ...intervals.map((interval, week) =>
      bar(week, interval, covers(interval) ? COLOURS.covers : COLOURS.misses),
    ),
    `<path d="M${SIZE.left} ${fixed(yOf(truth))}H${SIZE.width - SIZE.right}" stroke="${COLOURS.truth}" stroke-dasharray="4 3"/>`,
    '</g>',
  ].join('\n');
}

/** The text of docs/intervals.svg. */
export function intervalsPicture(): string {
  const panel = simulatedPanel({ seed: 'picture', dayShock: 0.2 });
  const weeks = Array.from({ length: WEEKS }, () => panel.week());
  const truth = panel.truth.presence_rate;
  const height = 2 * SIZE.height + 40;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${height}" font-family="sans-serif" font-size="13" fill="${COLOURS.text}" role="img">`,
    `<title>Presence rate of ${WEEKS} simulated weeks with 95 % intervals</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    chart('Every run an independent draw', weeks.map(naiveInterval), truth, 0),
    chart(
      'Days as clusters',
      weeks.map((week) => intervalOf('presence_rate', week)!),
      truth,
      SIZE.height + 10,
    ),
    '</svg>\n',
  ].join('\n');
}
