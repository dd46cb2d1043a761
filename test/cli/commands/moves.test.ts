import { expect } from 'chai';
import { moves } from '../support/move-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc moves', () => {
  const now = session();
  const table = async (columns: number) =>
    (await svcTable(['moves'], { ...now.env, COLUMNS: String(columns) })).stdout;

  it('prints the payload of the API as JSON', async () => {
    const { stdout, code } = await svc(['moves', '--json'], now.env);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal(moves);
  });

  it('prints each with its day, its drivers, and the command that shows them', async () => {
    const text = await table(260);
    expect(text).to.match(/2026-11-19 +Presence on ChatGPT fell 14\.2 pp/);
    expect(text).to.include('Because of best espresso machine? (−9.8 pp).');
    expect(text).to.include('svc why presence_rate --from 2026-11-13 --to 2026-11-19 --engine chatgpt');
    expect(text).to.match(/2026-11-17 +OAI-SearchBot made no request/);
  });

  for (const columns of [40, 80, 140])
    it(`no line is wider than ${columns} columns, and each move has its day`, async () => {
      const lines = (await table(columns)).split('\n');
      expect(lines.filter((line) => [...line].length > columns)).to.deep.equal([]);
      for (const { day } of moves.moves) expect(lines.join('\n')).to.include(day);
      if (columns >= 140) expect(lines.join('\n')).to.include('Because of best espresso machine?');
    });

  it('prints a line for each as CSV', async () => {
    const { stdout } = await svc(['moves', '--format', 'csv', '--fields', 'kind,difference'], now.env);
    expect(stdout).to.equal('kind,difference\nmetric,-0.142\ncrawler_silent,\n');
  });
});
