/** The growth of the cost of reads as a chart, an SVG of lines on two logarithmic axes. */
import type { Growth } from '../cold-reads.js';

const WIDTH = 760;
const HEIGHT = 420;
const MARGIN = { left: 60, right: 190, top: 20, bottom: 45 };
const COLOURS = ['#1b5e9c', '#b5482a', '#2c7a4b', '#7b3f9d', '#8a6d00', '#444444'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Maps a value to a position between two edges, by its logarithm. */
function logarithmic(values: readonly number[], from: number, to: number): (value: number) => number {
  const [least, most] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => from + ((Math.log(value) - least) / (most - least || 1)) * (to - from);
}

/** Labels at the ends of lines, moved apart so that none covers another. */
function labelled(ends: readonly number[]): number[] {
  const order = ends.map((_, at) => at).sort((a, b) => ends[a]! - ends[b]!);
  const places = [...ends];
  for (const [at, one] of order.entries()) {
    if (at > 0) places[one] = Math.max(places[one]!, places[order[at - 1]!]! + 14);
  }
  return places;
}

/** The reads with these names, one line each: milliseconds over runs. */
export function growthChart({ sizes, reads }: Growth, names: readonly string[]): string {
  const shown = reads.filter(({ name }) => names.includes(name));
  const all = shown.flatMap(({ ms }) => ms);
  const powers = [0.1, 1, 10, 100, 1000].filter(
    (ms) => ms >= Math.min(...all) / 10 && ms <= Math.max(...all) * 10,
  );
  const x = logarithmic(sizes, MARGIN.left, WIDTH - MARGIN.right);
  const y = logarithmic([...all, ...powers], HEIGHT - MARGIN.bottom, MARGIN.top);
  const labels = labelled(shown.map(({ ms }) => y(ms.at(-1)!)));
  const text = (at: number, down: number, words: string, more = '') =>
    `<text x="${at.toFixed(1)}" y="${down.toFixed(1)}" ${more}>${escaped(words)}</text>`;
  const lines = shown.map(({ name, ms }, at) => {
    const points = ms.map((each, size) => `${x(sizes[size]!).toFixed(1)},${y(each).toFixed(1)}`).join(' ');
    const colour = COLOURS[at % COLOURS.length]!;
    const label = text(
      x(sizes.at(-1)!) + 8,
      labels[at]! + 4,
      `${name} ${ms.at(-1)!.toFixed(1)} ms`,
      `fill="${colour}"`,
    );
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>${label}`;
  });
  const grid = powers.map(
    (ms) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(ms).toFixed(1)}" y2="${y(ms).toFixed(1)}" stroke="#ddd"/>${text(MARGIN.left - 8, y(ms) + 4, `${ms} ms`, 'text-anchor="end"')}`,
  );
  const ticks = sizes.map((size) =>
    text(x(size), HEIGHT - 20, `${size.toLocaleString('en')} runs`, 'text-anchor="middle"'),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img"><title>Milliseconds of a read before it is cached, by runs of the brand</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...grid, ...ticks, ...lines].join('\n')}
</svg>
`;
}
