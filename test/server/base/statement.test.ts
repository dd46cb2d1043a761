import { expect } from 'chai';
import { anyChosen, windowHasRuns } from '../../../src/server/answers/sums/collected-days.js';
import { everyStatement } from '../../rules/support/statements.js';
import { emptyDatabase } from '../../support/database.js';
import { shared } from '../../support/hooks.js';

/** More than the executions after which the server may use one plan for all values. */
const EXECUTIONS = 7;
const bindings = { brandKey: 7, engines: ['chatgpt'], start: '2026-11-14', end: '2026-11-20' };

describe('statements', () => {
  const database = shared(emptyDatabase);

  it('a statement is prepared once; one that is planned for its values is not', async () => {
    const prepared = await database.knex.transaction(async (trx) => {
      for (let count = 0; count < EXECUTIONS; count++) {
        await windowHasRuns(trx, bindings);
        await anyChosen(trx, { ...bindings, promptKeys: [1], regions: null, surfaces: null });
      }
      const { rows } = await trx.raw('select name, statement from pg_prepared_statements');
      return rows as { name: string; statement: string }[];
    });
    expect(prepared.map(({ name }) => name)).to.include('window_has_runs');
    expect(
      prepared.filter(({ statement }) => /from runs\b.*prompt_key = any\(/s.test(statement)),
    ).to.deep.equal([]);
  });

  it('every statement on chosen runs is planned for its values', async () => {
    const chosen = (await everyStatement()).filter(({ sql }) => sql.includes(':promptKeys'));
    expect(chosen).to.have.length.above(5);
    expect(chosen.filter(({ name, sql }) => !sql.startsWith(`/* ${name} */`))).to.deep.equal([]);
  });
});
