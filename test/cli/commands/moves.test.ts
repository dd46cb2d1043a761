import { expect } from 'chai';
import { groupedMoves, moves } from '../support/move-fixtures.js';
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

  for (const columns of [40, 80, 140])
    it(`prints each with its day, its sentence, its drivers and their command within ${columns} columns`, async () => {
      const text = await table(columns);
      expect(text.split('\n').filter((line) => [...line].length > columns)).to.deep.equal([]);
      const [first, second] = text.split('\n\n').map((block) => block.trim().replace(/\s+/g, ' '));
      const [fall, silent] = moves.moves;
      const command = 'svc why presence_rate --from 2026-11-13 --to 2026-11-19 --engine chatgpt';
      expect(first).to.equal(`${fall!.day} ${fall!.text} ${fall!.because} ${command}`);
      expect(second).to.equal(`${silent!.day} ${silent!.text}`);
    });

  it('prints what was told together as one item, and counts what says the same', async () => {
    now.server.serve('moves', groupedMoves);
    const blocks = (await table(80)).split('\n\n').map((block) => block.trim().replace(/\s+/g, ' '));
    const [headline, line] = groupedMoves.moves;
    expect(blocks).to.have.length(1);
    expect(blocks[0])
      .to.contain(headline!.text)
      .and.contain(`· ${line!.text}`)
      .and.match(/ 1 move of engines or rivals that says the same$/);
  });

  it('prints the fields that are asked for as a table', async () => {
    const { stdout } = await svcTable(['moves', '--fields', 'day,kind'], now.env);
    expect(stdout).to.match(/^day +kind\n.*\n2026-11-19 +metric\n/);
  });

  it('prints a line for each as CSV', async () => {
    const { stdout } = await svc(['moves', '--format', 'csv', '--fields', 'kind,difference'], now.env);
    expect(stdout).to.equal('kind,difference\nmetric,-0.142\ncrawler_silent,\n');
  });
});
