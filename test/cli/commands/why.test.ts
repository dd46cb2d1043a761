import { expect } from 'chai';
import { fact, noted } from '../../../src/contract/notes.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';
import { onTerminal } from '../support/terminal.js';
import { why } from '../support/why-fixtures.js';

describe('svc why', () => {
  const now = session();
  const run = (columns: number, ...args: string[]) =>
    onTerminal(() => svc(['why', ...args], { ...now.env, NO_COLOR: '1', COLUMNS: String(columns) }));

  it('draws a waterfall from before to after: the steps end where the next ones begin', async () => {
    const { stdout } = await run(80);
    expect(stdout).to.equal(`Why visibility changed, by prompt · Fernweh Coffee · 2026-11-14 to 2026-11-20
UTC, 7 days
all engines with web search

Visibility moved down by 6.8 points against the 7 days before: from 41.3 to
34.5.

before                               41.3  █████████████████████████████████████
▼ best coffee beans?          −5.0 points               ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
new: decaf that tastes good?  −1.5 points        ▒▒▒▒▒▒▒
which roaster ships fast?     +0.5 points        ▒▒
4 others                      −0.8 points       ▒▒▒
after                                34.5  █████
bars from                            33.5

the answers changed −5.5 points · some are new or retired −1.5 points · some
were asked more or less often +0.3 points
Because of best coffee beans? (−5.0 points).
In the same days: ChatGPT answers with gpt-6.1 since 2026-11-16.

Answers to read: p1-after now; p1-before before. \`svc answer p1-after --brand
br_fernweh\` shows the first of these answers.
`);
  });

  it('prints no wider line than the terminal has columns', async () => {
    for (const columns of [40, 80, 140]) {
      const { stdout } = await run(columns);
      for (const line of stdout.split('\n')) expect([...line].length, line).to.be.at.most(columns);
      expect(stdout.match(/█/g)!.length).to.be.greaterThan(5);
    }
  });

  it('has plain characters where the output is no terminal', async () => {
    const { stdout } = await svc(['why', '--format', 'table'], now.env);
    expect(stdout)
      .to.match(/^before +41\.3 {2}#+$/m)
      .and.not.match(/[█▒]/);
  });

  it('takes a metric by its name, a cut and a number of drivers', async () => {
    await run(80, 'share', 'of', 'voice', '--by', 'rival', '--limit', '3', '--json');
    await svc(['why', '--metric', 'presence', '--tag', 'pricing'], now.env);
    expect(now.server.requests).to.deep.equal([
      '/api/v1/why?metric=share_of_voice_fraction&by=rival&limit=3',
      '/api/v1/why?metric=presence_rate&tag=pricing',
    ]);
    const { stderr, code } = await svc(['why', 'loudness'], now.env);
    expect([stderr.includes('Unknown metric: loudness'), code]).to.deep.equal([true, 2]);
  });

  it('has a table in place of the waterfall where parts overlap', async () => {
    now.server.serve('why', {
      ...why,
      ...{ by: 'tag', sums: false, parts: null, rest: { count: 4, total: null } },
      ...noted([fact('tags_overlap')]),
    });
    const { stdout, stderr } = await run(80);
    expect(stdout).to.contain('verdict').and.not.contain('█');
    expect(stderr).to.contain('these parts overlap');
  });

  const because = async (changed: Partial<typeof why>) => {
    now.server.serve('why', { ...why, ...changed });
    return (await run(140)).stdout.split('\n').find((line) => /ecause of|by more than chance/.test(line));
  };

  it('names what was asked where that is most of the change', async () => {
    const parts = { ...why.parts!, rate: -1, panel: -6 };
    expect(await because({ parts })).to.equal('Because of decaf that tastes good? (new, −1.5 points).');
  });

  it('names no reason for a change that may be chance, only what changed anyway', async () => {
    expect(await because({ verdict: 'no_clear_change' })).to.equal(
      'Changed by more than chance anyway: best coffee beans? (−5.0 points).',
    );
    const [first, ...others] = why.drivers;
    const near = { ...first!, interval: [-9, -1] as [number, number] };
    expect(await because({ verdict: 'no_clear_change', drivers: [near, ...others] })).to.equal(undefined);
    const drivers = why.drivers.map((each) => ({ ...each, verdict: 'no_clear_change' as const }));
    expect(await because({ verdict: 'no_clear_change', drivers })).to.equal(undefined);
  });

  it('says why there is nothing to explain', async () => {
    now.server.serve('why', {
      ...why,
      ...{ before: null, difference: null, verdict: 'unknown', parts: null, drivers: [], circumstances: [] },
      reason: 'Measured on 7 days of this window and 0 of the one before; a verdict needs 4 of each.',
      reason_fact: { code: 'too_few_days', measured: 7, measured_before: 0, least: 4 },
      rest: { count: 0, total: 0 },
      ...noted([fact('no_parts_before')]),
    });
    const { stdout, stderr } = await run(80);
    expect(stdout).to.contain('unknown').and.not.contain('█');
    expect(stderr).to.contain('Not measured in the window before');
  });

  it('prints a driver per row for programs', async () => {
    const { stdout } = await svc(['why', '--format', 'csv', '--fields', 'id,total,evidence.after'], now.env);
    expect(stdout).to.equal(
      'id,total,evidence.after\np1,-5,"[""p1-after""]"\np2,-1.5,"[""p2-after""]"\np3,0.5,"[""p3-after""]"\n',
    );
  });
});
