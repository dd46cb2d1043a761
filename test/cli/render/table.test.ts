import { expect } from 'chai';
import fc from 'fast-check';
import { type Extent, GAP, GrowingTable, layOut } from '../../../src/cli/render/table.js';
import { count, type TableView, text } from '../../../src/cli/render/view.js';

interface Row {
  readonly name: string;
  readonly n: number | null;
}
const view: TableView<Row> = {
  noun: 'rows',
  columns: [text('name', (row) => row.name, { room: 'flexible' }), count('n', (row) => row.n)],
};
const lines = (text: string) => text.trimEnd().split('\n');

describe('a growing table', () => {
  it('keeps its columns in later rows with a limited width, and cuts texts but not numbers', () => {
    const table = new GrowingTable(view, 20);
    const first = lines(table.add([{ name: 'short', n: 1 }]));
    const second = lines(table.add([{ name: 'a name that is much longer', n: 22 }]));
    expect(first).to.deep.equal(['name   n', '─────  ─', 'short  1']);
    expect(second).to.deep.equal(['a na…  22']);
  });

  it('cuts nothing without a limited width', () => {
    const table = new GrowingTable(view, undefined);
    table.add([{ name: 'short', n: 1 }]);
    expect(lines(table.add([{ name: 'a name that is much longer', n: 22 }]))).to.deep.equal([
      'a name that is much longer  22',
    ]);
  });

  it('does not pad rows for a very long text without a limited width', () => {
    const table = new GrowingTable(view, undefined);
    const long = 'x'.repeat(5000);
    const rows = [
      { name: 'short', n: 1 },
      { name: long, n: 2 },
      { name: 'a bit longer', n: 3 },
    ];
    expect(lines(table.add(rows))).to.deep.equal([
      'name          n',
      '────────────  ─',
      'short         1',
      `${long}  2`,
      'a bit longer  3',
    ]);
  });

  it('explains only the marks that it contains', () => {
    const spare: TableView<Row> = {
      noun: 'rows',
      columns: [view.columns[0]!, count('a count of some kind', (row) => row.n, { room: 'spare' })],
    };
    const rows = [{ name: 'a name of thirty letters or so', n: null }];
    const narrow = new GrowingTable(spare, 30);
    narrow.add(rows);
    expect(narrow.footnotes).to.deep.equal(['not shown at this width: a count of some kind']);
    const wide = new GrowingTable(spare, 80);
    wide.add(rows);
    expect(wide.footnotes).to.deep.equal(['— not measured']);
  });

  it('counts two columns for wide letters', () => {
    const table = new GrowingTable(view, 40);
    const text = table.add([
      { name: '珈琲工房', n: 5 },
      { name: 'Kaffee☕', n: 12 },
      { name: 'eightchr', n: null },
    ]);
    expect(lines(text)).to.deep.equal([
      'name       n',
      '────────  ──',
      '珈琲工房   5',
      'Kaffee☕  12',
      'eightchr   —',
    ]);
  });

  it('shortens wide letters to the width', () => {
    const table = new GrowingTable(view, 20);
    expect(lines(table.add([{ name: '珈'.repeat(30), n: 5 }]))[2]).to.match(/^珈{6,10}… {1,3}5$/);
  });
});

const extent: fc.Arbitrary<Extent> = fc
  .record({
    body: fc.integer({ min: 0, max: 200 }),
    narrowHead: fc.integer({ min: 1, max: 10 }),
    more: fc.integer({ min: 0, max: 20 }),
    room: fc.constantFrom('fixed' as const, 'flexible' as const, 'spare' as const),
  })
  .map(({ more, ...rest }) => ({ ...rest, head: rest.narrowHead + more }));

const total = (widths: readonly (number | undefined)[]) => {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width, GAP * Math.max(0, shown.length - 1));
};

describe('the layout', () => {
  it('gives every column its full width without a limit', () => {
    fc.assert(
      fc.property(fc.array(extent), (columns) => {
        const { widths } = layOut(columns, undefined);
        expect(widths).to.deep.equal(columns.map(({ body, head }) => Math.max(body, head)));
      }),
    );
  });

  it('fits if flexible and spare columns can make enough space', () => {
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 1 }),
        fc.integer({ min: 40, max: 200 }),
        (columns, available) => {
          const { widths } = layOut(columns, available);
          const least = columns.map(({ body, narrowHead, room }) => {
            const full = Math.max(body, narrowHead);
            return room === 'spare' ? undefined : room === 'flexible' ? Math.min(11, full) : full;
          });
          if (total(least) <= available) expect(total(widths)).to.be.at.most(available);
        },
      ),
    );
  });

  it('fits any columns after a first one that fits, and never cuts a fixed column', () => {
    fc.assert(
      fc.property(fc.array(extent), fc.integer({ min: 40, max: 200 }), (rest, available) => {
        const first: Extent = { body: 12, head: 12, narrowHead: 6, room: 'fixed' };
        const columns = [first, ...rest];
        const { widths } = layOut(columns, available);
        expect(total(widths)).to.be.at.most(available);
        for (const [at, { body, room }] of columns.entries())
          if (room === 'fixed' && widths[at] !== undefined) expect(widths[at]).to.be.at.least(body);
      }),
    );
  });

  it('drops a column that is not spare only if the others at minimum width do not fit', () => {
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 1 }),
        fc.integer({ min: 40, max: 200 }),
        (columns, available) => {
          const { widths } = layOut(columns, available);
          const kept = columns.filter(({ room }) => room !== 'spare');
          const least = kept.map(({ body, narrowHead, room }) => {
            const full = Math.max(body, narrowHead);
            return room === 'flexible' ? Math.min(11, full) : full;
          });
          if (total(least) > available) return;
          for (const [at, { room }] of columns.entries())
            if (room !== 'spare') expect(widths[at]).to.be.a('number');
        },
      ),
    );
  });

  it('always keeps the first column', () => {
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 1 }),
        fc.integer({ min: 1, max: 200 }),
        (columns, available) => {
          const [first, ...rest] = columns;
          const { widths } = layOut([{ ...first!, room: 'fixed' }, ...rest], available);
          expect(widths[0]).to.be.a('number');
        },
      ),
    );
  });
});
