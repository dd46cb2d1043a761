import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { emptyHistory } from '../support/history-fixtures.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

/** Runs with a standard output that calls itself a terminal. */
async function onTerminal<T>(use: () => Promise<T>): Promise<T> {
  const before = process.stdout.isTTY;
  process.stdout.isTTY = true;
  try {
    return await use();
  } finally {
    process.stdout.isTTY = before;
  }
}

describe('svc overview', () => {
  const now = session();
  const run = (...args: string[]) =>
    onTerminal(() => svc(['overview', ...args], { ...now.env, NO_COLOR: '1', COLUMNS: '80' }));

  it('has on a terminal a sparkline of the last 28 days, by a second request', async () => {
    const { stdout } = await run('--brand', 'br_fernweh');
    expect(stdout).to.match(/visibility, 28 days +[▁-█]{4}···[▁-█]{2}·[▁-█]{18}\n/u);
    expect(now.server.requests).to.deep.equal([
      '/api/v1/overview?brand=br_fernweh',
      '/api/v1/metrics/history?brand=br_fernweh&metric=visibility&days=28',
    ]);
  });

  it('asks once where no table is printed on a terminal', async () => {
    await run('--json');
    await run('--format', 'csv');
    await svc(['overview'], now.env);
    expect(now.server.requests).to.deep.equal(Array.from({ length: 3 }, () => '/api/v1/overview'));
  });

  it('goes without the sparkline where the history is refused or empty', async () => {
    now.server.refuseOne('metrics/history', errors.readOnly());
    const refused = await run();
    expect(refused).to.include({ code: 0, stderr: '\n— not measured\n' });
    expect(refused.stdout).to.contain('62.4').and.not.contain('28 days');
    now.server.refuseOne('metrics/history', undefined);
    now.server.serve('metrics/history', emptyHistory);
    expect((await run()).stdout).to.equal(refused.stdout);
  });
});
