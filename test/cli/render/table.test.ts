import { expect } from 'chai';
import { GrowingTable } from '../../../src/cli/render/table.js';
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
    const table = new GrowingTable(view, 16);
    expect(lines(table.add([{ name: '珈'.repeat(30), n: 5 }]))[2]).to.match(/^珈{4,7}… {1,3}5$/);
  });
});
