import { expect } from 'chai';
import type { BodyOf } from '../../../src/contract/registry.js';
import { historyCsv } from '../../../src/server/page/download.js';

const body = (names: readonly string[]): BodyOf<'history'> =>
  ({
    series: names.map((name, at) => ({
      id: String(at),
      name,
      points: [{ date: '2026-11-20', value: at === 0 ? null : 12.5, sample_size: 4 }],
    })),
  }) as unknown as BodyOf<'history'>;

describe('the chart of the page as CSV', () => {
  it('has a row for each entity and day, with an empty cell for null', () => {
    expect(historyCsv(body(['Acme', 'Rival, Inc.']))).to.equal(
      'date,id,name,value,sample_size\n2026-11-20,0,Acme,,4\n2026-11-20,1,"Rival, Inc.",12.5,4\n',
    );
  });

  it('cleans texts as the CSV of the API and of the command does: no formula, no control character', () => {
    const names = ['=1+1', '＝1+1', '@sum', 'a\u0007b\tc', '-12.5'];
    const written = historyCsv(body(names)).trim().split('\n').slice(1);
    expect(written.map((line) => line.split(',')[2])).to.deep.equal([
      "'=1+1",
      "'＝1+1",
      "'@sum",
      'ab c',
      '-12.5',
    ]);
  });
});
