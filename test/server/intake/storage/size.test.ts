import { expect } from 'chai';
import { pruneRuns } from '../../../../src/server/intake/storage/prune-runs.js';
import { storageStats } from '../../../../src/server/intake/storage/size.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { load, market, runOf } from '../dataset/support/load.js';

describe('the size of a database', () => {
  const database = fresh(emptyDatabase);

  it('without runs: bytes of a run and of a day are unknown, not zero', async () => {
    const stats = await storageStats(database.knex);
    expect(stats).to.deep.include({
      brands: [],
      bytesPerRun: null,
      textBytesPerRun: null,
      bytesPerDay: null,
    });
    expect(stats.tables.every(({ rows, estimated }) => rows >= 0 && !estimated)).to.equal(true);
  });

  it('counts rows, days and runs; bytes of parts are divided by what they grow with', async () => {
    const days = ['2026-11-20', '2026-11-19', '2026-01-01', '2026-01-01'];
    const runs = days.map((day, at) =>
      runOf(`r${at}`, {
        collected_at: `${day}T08:00:00Z`,
        answer: 'An answer.',
        citations: [{ url: 'https://a.example' }],
      }),
    );
    await load(database.knex, [...market, ...runs]);
    const before = await storageStats(database.knex);
    expect(before.brands).to.deep.equal([{ id: 'b', days: 3, collected: 4, stored: 4 }]);
    const rowsOf = (name: string) => before.tables.find((table) => table.name === name);
    expect(rowsOf('runs')).to.deep.include({ part: 'runs', rows: 4 });
    expect(rowsOf('run_answers')).to.deep.include({ part: 'runs', rows: 4 });
    expect(rowsOf('cited_urls')).to.deep.include({ part: 'texts', rows: 1 });
    expect(rowsOf('day_scope')).to.deep.include({ part: 'roll-ups', rows: 3 });
    expect(rowsOf('daily_stats')).to.deep.include({ part: 'roll-ups' });
    const bytes = before.tables
      .filter(({ part }) => part === 'runs')
      .reduce((sum, table) => sum + table.bytes, 0);
    expect(before.bytesPerRun).to.equal(Math.round(bytes / 4));
    expect(before.bytes).to.equal(before.tables.reduce((sum, table) => sum + table.bytes, 0));
    for await (const _ of pruneRuns(database.knex, { today: '2026-11-20', days: 60 }));
    const after = await storageStats(database.knex);
    expect(after.brands).to.deep.equal([{ id: 'b', days: 3, collected: 4, stored: 2 }]);
  });
});
