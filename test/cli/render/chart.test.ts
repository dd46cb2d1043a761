import { expect } from 'chai';
import fc from 'fast-check';
import { type Line, legend, lineChart, roundScale, sparkline } from '../../../src/cli/render/chart.js';
import { widthOf } from '../../../src/cli/render/terminal.js';

const bounds = { floor: 0, ceiling: 100, leastSpan: 10 };
const datesOf = (days: number) =>
  Array.from({ length: days }, (_, at) => new Date(Date.UTC(2026, 9, 24 + at)).toISOString().slice(0, 10));
const chart = (values: readonly (number | null)[], width = 80, more: Line[] = []) =>
  lineChart(datesOf(values.length), [{ name: 'own', values }, ...more], bounds, width);
/** The rows of the plot area, without the axis. */
const area = (rows: readonly string[]) => rows.slice(0, -2).map((row) => row.replace(/^[\d. ]*[┤│]/, ''));

describe('a line chart', () => {
  const value = fc.option(fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10));
  const lines = fc
    .integer({ min: 1, max: 366 })
    .chain((days) =>
      fc.array(fc.array(value, { minLength: days, maxLength: days }), { minLength: 1, maxLength: 12 }),
    );

  it('fits its width with any values and gaps', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 20, max: 200 }), (given, width) => {
        const named = given.map((values, at) => ({ name: `n${at}`, values }));
        const rows = lineChart(datesOf(given[0]!.length), named, bounds, width);
        for (const row of rows) expect(row.length).to.be.at.most(width);
        expect(rows.length > 0).to.equal(given.some((values) => values.some((one) => one !== null)));
      }),
      { numRuns: 60 },
    );
  });

  it('has ticks on the left, and draws a value in the row of its tick', () => {
    const rows = chart([20, 40, 20]);
    expect(rows[0]).to.match(/^40 ┤.*●/);
    expect(rows.at(-3)).to.match(/^20 ┤●.*●$/);
  });

  it('has dates below that never touch, always with the last day', () => {
    const rows = chart(Array.from({ length: 28 }, () => 50));
    expect(rows.at(-1)!.trim()).to.match(/^30 Oct +6 Nov +13 Nov +20 Nov$/);
    expect(rows.at(-2)!.split('┬')).to.have.length(5);
    expect(chart([50]).at(-1)!.trim()).to.equal('24 Oct');
  });

  it('marks no day outside of its dates', () => {
    const values = [50, 60, 50];
    const marked = (days: readonly number[]) =>
      lineChart(datesOf(3), [{ name: 'own', values }], bounds, 80, { days });
    expect(marked([-1, 3])).to.deep.equal(chart(values));
    expect(marked([-1, 1])).to.deep.equal(marked([1]));
  });

  it('has a gap on days that were not measured', () => {
    const full = Array.from({ length: 30 }, () => 50);
    const gap = full.map((one, day) => (day >= 10 && day < 20 ? null : one));
    const line = (values: readonly (number | null)[]) => area(chart(values, 64)).join('\n');
    expect(line(full)).to.not.match(/[●\u2801-\u28ff] +[●\u2801-\u28ff]/);
    const [row] = line(gap)
      .split('\n')
      .filter((text) => text.includes('●'));
    expect(row).to.match(/^[●\u2801-\u28ff]{19,21} {19,23}[●\u2801-\u28ff]{19,21}$/);
  });

  it('marks a single day between gaps', () => {
    const values = Array.from({ length: 40 }, (_, day) => (day === 1 || day === 3 ? 50 : null));
    expect(area(chart(values)).join('').match(/●/g)).to.have.length(2);
  });

  it('draws a measured zero', () => {
    expect(area(chart([0, 0])).at(-1)).to.contain('●');
    expect(chart([null, null])).to.deep.equal([]);
  });

  it('distinguishes lines without colours, and draws the first above the others', () => {
    const other = { name: 'other', values: [20, 60], look: 1 };
    const rows = chart([50, 50], 80, [other]).join('\n');
    expect(rows).to.contain('●').and.contain('○').and.not.contain('\u001b');
    expect(chart([50, 50], 80, [{ name: 'same', values: [50, 50], look: 1 }]).join('\n')).to.not.contain('○');
  });
});

describe('a legend', () => {
  it('has every name with its mark, in rows that fit', () => {
    const lines = ['Fernweh Coffee', 'North Roast', 'Kaffeewerk'].map((name, look) => ({
      ...{ name, values: [], look },
    }));
    expect(legend(lines, 80)).to.deep.equal(['● Fernweh Coffee   ○ North Roast   ▲ Kaffeewerk']);
    expect(legend(lines, 32)).to.deep.equal(['● Fernweh Coffee   ○ North Roast', '▲ Kaffeewerk']);
    expect(legend(lines, 10)).to.have.length(3);
  });

  it('has labels of days that never touch, also with a mark', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 366 }), fc.integer({ min: 30, max: 200 }), (days, width) => {
        const values = Array.from({ length: days }, () => 50);
        const rows = lineChart(datesOf(days), [{ name: 'own', values }], bounds, width, { mark: '*' });
        expect(rows.at(-1)!.trim()).to.match(/^(\d+ [A-Z][a-z]{2} +)*\d+ [A-Z][a-z]{2}\*$/);
      }),
    );
  });

  it('marks a range by dotted lines, behind the lines and within its scale', () => {
    const values = Array.from({ length: 14 }, () => 50);
    const rows = (band: readonly [number, number]) =>
      lineChart(datesOf(14), [{ name: 'own', values }], bounds, 60, { band });
    const dotted = (row: string) => /[⠁-⣿] [⠁-⣿] [⠁-⣿] [⠁-⣿]/.test(row);
    expect(rows([47, 53]).filter(dotted)).to.have.length(2);
    expect(rows([50, 50]).filter((row) => row.includes('●'))).to.have.length(1);
    const wide = rows([20, 90]).join('\n');
    expect(wide).to.contain('100 ┤').and.contain('20 ┤');
  });

  it('is never wider than the width, for any names', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'ß', '珈', ' '), minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), fc.integer({ min: 20, max: 100 }), (names, width) => {
        const rows = legend(
          names.map((one) => ({ name: one, values: [] })),
          width,
        );
        for (const row of rows) expect(widthOf(row)).to.be.at.most(width);
      }),
    );
  });
});

const values = fc.array(
  fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
  { minLength: 1 },
);

describe('a round scale', () => {
  it('covers every value with at most six equally distant ticks inside the bounds', () => {
    fc.assert(
      fc.property(values, (given) => {
        const { ticks, digits } = roundScale(given, bounds);
        const [first, last] = [ticks[0]!, ticks.at(-1)!];
        expect(ticks.length).to.be.within(2, 6);
        expect(first)
          .to.be.at.most(Math.min(...given))
          .and.at.least(0);
        expect(last)
          .to.be.at.least(Math.max(...given))
          .and.at.most(100);
        const step = (last - first) / (ticks.length - 1);
        for (const [at, tick] of ticks.entries()) {
          expect(tick).to.be.closeTo(first + at * step, 1e-9);
          expect(Number(tick.toFixed(digits))).to.equal(tick);
        }
      }),
    );
  });

  it('has at least the minimum span, so that noise does not look like a trend', () => {
    const { ticks } = roundScale([50.1, 50.2], bounds);
    expect(ticks.at(-1)! - ticks[0]!).to.be.at.least(10);
  });

  it('has the finest step of 1, 2 or 5 that needs at most five steps', () => {
    expect(roundScale([12, 31], bounds)).to.deep.equal({ ticks: [10, 15, 20, 25, 30, 35], digits: 0 });
    expect(roundScale([0, 100], bounds).ticks).to.deep.equal([0, 20, 40, 60, 80, 100]);
    expect(roundScale([100], bounds).ticks).to.deep.equal([90, 92, 94, 96, 98, 100]);
    expect(roundScale([0], bounds).ticks).to.deep.equal([0, 2, 4, 6, 8, 10]);
  });

  it('has the decimals that its ticks need', () => {
    const narrow = { floor: 0, ceiling: 100, leastSpan: 0.5 };
    expect(roundScale([50, 50.5], narrow)).to.deep.equal({
      ticks: [50, 50.1, 50.2, 50.3, 50.4, 50.5],
      digits: 1,
    });
  });
});

describe('a sparkline', () => {
  it('has a character per value, and a dot exactly for days that were not measured', () => {
    const value = fc.option(fc.integer({ min: 0, max: 100 }));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const line = sparkline(values, bounds);
        if (values.every((one) => one === null)) expect(line).to.equal('');
        else expect([...line].map((tick) => tick === '·')).to.deep.equal(values.map((one) => one === null));
      }),
    );
  });

  it('increases with the values, from the lowest block to the highest', () => {
    expect(sparkline([0, 10, 20, 30, 40, 50, 60, 70], bounds)).to.equal('▁▂▃▄▅▆▇█');
    expect(sparkline([0, null, 100], bounds)).to.equal('▁·█');
  });

  it('shows small changes as small', () => {
    expect(sparkline([50, 50.2, 50], bounds)).to.match(/^[▄▅]{3}$/);
  });
});
