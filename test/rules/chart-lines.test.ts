import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { CHART_COMPETITORS, COMPETITOR_LOOKS, chartLines } from '../../src/contract/chart-lines.js';

const seriesOf = (values: readonly (number | null)[]) =>
  values.map((window_value, at) => ({ id: `e${at}`, is_brand: at === 0, window_value }));
const looksOf = (values: readonly (number | null)[]) =>
  new Map(chartLines(seriesOf(values)).map(({ series, look }) => [series.id, look]));

const value = fc.option(fc.integer({ min: 0, max: 100 }));

/** The contrast of two colours (WCAG 2, relative luminance). */
function contrast(one: string, other: string): number {
  const [dark, light] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** The values of a brand and its competitors. */
const market = (length: number) => fc.array(value, { minLength: length, maxLength: length });

describe('rule: the lines of a chart', () => {
  it('are the brand and the strongest competitors, not the first ones', () => {
    expect(chartLines(seriesOf([1, 10, 60, null, 20, 40, 30])).map(({ series }) => series.id)).to.deep.equal([
      'e0',
      'e2',
      'e5',
      'e6',
      'e4',
    ]);
  });

  it('are the strongest by their days, where only days have values', () => {
    const days = (...values: readonly (readonly [value: number | null, sample_size: number])[]) =>
      values.map(([value, sample_size]) => ({ value, sample_size }));
    const points = [
      days([90, 1]),
      days([10, 5], [12, 5]),
      // One strong day of few answers does not make it strong.
      days([99, 1], [0, 20]),
      days([60, 5], [null, 0]),
      days([null, 0]),
      days([30, 5]),
      days([40, 5]),
    ];
    const series = points.map((each, at) => ({
      ...{ id: `e${at}`, is_brand: at === 0, window_value: null, points: each },
    }));
    expect(chartLines(series).map((line) => line.series.id)).to.deep.equal(['e0', 'e3', 'e6', 'e5', 'e1']);
  });

  it('have the same colour in every window while there is one for each competitor', () => {
    const two = fc
      .integer({ min: 2, max: 1 + COMPETITOR_LOOKS })
      .chain((size) => fc.tuple(market(size), market(size)));
    fc.assert(
      fc.property(two, ([now, before]) => {
        const [a, b] = [looksOf(now), looksOf(before)];
        for (const [id, look] of a) if (b.has(id)) expect(b.get(id)).to.equal(look);
      }),
    );
  });

  it('have the same colour in every window among twenty competitors', () => {
    const strong = (...places: readonly number[]) =>
      looksOf(Array.from({ length: 21 }, (_, place) => (places.includes(place) ? 90 - place : 10)));
    const [a, b] = [strong(1, 3, 9, 17), strong(2, 4, 9, 17)];
    const common = [...a].filter(([id]) => b.has(id));
    expect(common.map(([id]) => id)).to.deep.equal(['e0', 'e9', 'e17']);
    for (const [id, look] of common) expect(b.get(id)).to.equal(look);
  });

  it('have colours that follow from their ids: not from their places, nor from who else there is', () => {
    const values = Array.from({ length: 1 + COMPETITOR_LOOKS }, (_, at) => (7 * at) % (1 + COMPETITOR_LOOKS));
    fc.assert(
      fc.property(fc.shuffledSubarray(seriesOf(values), { minLength: values.length }), (moved) => {
        const looks = new Map(chartLines(moved).map(({ series, look }) => [series.id, look]));
        expect(looks).to.deep.equal(looksOf(values));
      }),
    );
    const lookAmong = (...ids: readonly string[]) =>
      chartLines(ids.map((id) => ({ id, is_brand: false, window_value: id === 'lanzaro' ? 90 : 1 })))[0]!
        .look;
    expect(lookAmong('lanzaro')).to.equal(lookAmong('lanzaro', 'zoran', 'amaro', 'bialo', 'corvo'));
  });

  it('are on the page those of the brand and of rivals, in two colours that can be seen on a card', async () => {
    const style = await readFile(join(import.meta.dirname, '../../src/server/web/page/style.css'), 'utf8');
    const [light, dark] = style.split('@media');
    for (const scheme of [light!, dark!]) {
      const colourOf = (name: string) =>
        new RegExp(`--${name}: (#[0-9a-f]{3,6});`).exec(scheme)![1]!.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
      const values = ['brand', 'rival'].map(colourOf);
      expect(new Set(values).size).to.equal(2);
      for (const value of values) expect(contrast(value, colourOf('card')), value).to.be.at.least(3);
    }
    // Who sees no colours tells the brand by the breadth of its line, and each line by the name at its end.
    const [rival, own] = ['\\.line', '\\.line\\.own'].map((line) => {
      const rule = new RegExp(`\\n${line} path \\{([^}]*)\\}`).exec(style)![1]!;
      return {
        colour: /stroke: var\(--(\w+)\)/.exec(rule)![1],
        breadth: Number(/stroke-width: ([\d.]+)/.exec(rule)![1]),
      };
    });
    expect([rival!.colour, own!.colour]).to.deep.equal(['rival', 'brand']);
    expect(own!.breadth).to.be.above(1.5 * rival!.breadth);
  });

  it('never share a colour, and only the brand has that of the brand', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }).chain(market), (values) => {
        const looks = looksOf(values);
        expect(new Set(looks.values()).size).to.equal(looks.size);
        expect(looks.size).to.equal(Math.min(values.length, 1 + CHART_COMPETITORS));
        expect([...looks].filter(([, look]) => look === 0)).to.deep.equal([['e0', 0]]);
      }),
    );
  });
});
