import { expect } from 'chai';
import type { Knex } from 'knex';
import { historyOf, type Scope } from '../../../../src/server/alerts/moves/history.js';
import { addDays } from '../../../../src/server/base/days.js';
import { emptyDatabase } from '../../../support/database.js';
import { shared } from '../../../support/hooks.js';
import { load, market } from '../../intake/dataset/support/load.js';
import { runsFrom, runsOn } from './support/runs.js';

const [START, CHANGED, END] = ['2026-11-01', '2026-11-10', '2026-11-14'];

describe('the history that moves are found in', () => {
  const database = shared(emptyDatabase);
  before(async () => {
    const other = (runsOn(CHANGED, 5) as { id: string }[]).map((run) => ({
      ...run,
      id: `${run.id}.other`,
      prompt: 'p',
    }));
    const calm = { before: 5, after: 5, from: END };
    await load(database.knex, [...market, ...runsFrom(START, END, calm), ...other]);
  });

  /** Counts the statements that it passes on. */
  const counting = (): { db: Knex; sent: string[] } => {
    const sent: string[] = [];
    const raw = (sql: string, bindings: never) => {
      sent.push(sql);
      return database.knex.raw(sql, bindings);
    };
    return { db: { raw } as unknown as Knex, sent };
  };
  const window = { start: '2026-11-08', end: END };
  const prior = { start: START, end: '2026-11-07' };

  it('asks for the prompts and the surfaces of two windows once, however many metrics want them', async () => {
    const { db, sent } = counting();
    const history = await historyOf(db, 1, { start: START, end: END });
    const statements = sent.length;
    const read = async (scope: Scope) => [
      await history.overlap(scope, window, prior),
      await history.surfaces(scope, window, prior),
    ];
    const first = await read('chatgpt');
    expect(sent.length).to.be.above(statements);
    const counted = sent.length;
    for (let metric = 0; metric < 5; metric++) expect(await read('chatgpt')).to.deep.equal(first);
    expect(sent.length).to.equal(counted);
    await read(null);
    const earlier = { start: addDays(window.start, -1), end: addDays(window.end, -1) };
    await history.surfaces('chatgpt', earlier, prior);
    expect(sent.length).to.be.above(counted + 1);
  });
});
