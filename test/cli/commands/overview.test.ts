import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { overview, sliced, thinOverview } from '../support/fixtures.js';
import { emptyHistory } from '../support/history-fixtures.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';
import { onTerminal } from '../support/terminal.js';

describe('svc overview', () => {
  const now = session();
  const run = (...args: string[]) =>
    onTerminal(() => svc(['overview', ...args], { ...now.env, NO_COLOR: '1', COLUMNS: '80' }));

  it('shows a sparkline of the last 28 days on a terminal, by a second request', async () => {
    const { stdout } = await run('--brand', 'br_fernweh');
    expect(stdout).to.match(/visibility, 28 days +[▁-█]{4}···[▁-█]{2}·[▁-█]{18}\n/u);
    expect(now.server.requests).to.deep.equal([
      '/api/v1/overview?brand=br_fernweh',
      '/api/v1/metrics/history?brand=br_fernweh&metric=visibility&from=2026-10-24&to=2026-11-20',
    ]);
  });

  it('shows fewer days on a narrow terminal, and prints no wider line', async () => {
    const env = { ...now.env, NO_COLOR: '1', COLUMNS: '40' };
    const { stdout, stderr } = await onTerminal(() => svc(['overview'], env));
    expect(stderr).to.not.contain('not shown at this width');
    expect(stdout).to.match(/visibility, 14 days +[▁-█]{14}\n/u);
    expect(stdout).to.match(/visibility \(0–100\) +62\.4 ± 2\.1\n {2}▲ \+3\.2 points\n/);
    expect(stdout.replace(/\s+/g, ' ')).to.contain(
      'Visibility moved up by 3.2 points against the 7 days before',
    );
    for (const line of stdout.split('\n')) expect([...line].length).to.be.at.most(40);
  });

  it('names the models that were first seen in the window', async () => {
    expect((await run()).stdout).to.contain('Models first seen: gpt-5.2 on ChatGPT (2026-11-18).');
    const models = Array.from({ length: 6 }, (_, at) => ({
      engine: 'grok',
      model: `grok-${at}`,
      since: '2026-11-18',
    }));
    now.server.serve('overview', { ...overview, model_changes: models });
    expect((await run()).stdout.replace(/\s+/g, ' ')).to.contain(
      'grok-3 on Grok (2026-11-18) and 2 more models.',
    );
  });

  it('sends one request if it does not print a table on a terminal', async () => {
    await run('--json');
    await run('--format', 'csv');
    await svc(['overview'], now.env);
    expect(now.server.requests).to.deep.equal(Array.from({ length: 3 }, () => '/api/v1/overview'));
  });

  it('names its slice below the title, and takes the sparkline from the same runs', async () => {
    const slice = sliced({ from: null, to: null, engines: ['chatgpt'], tags: ['pricing'] });
    now.server.serve('overview', { ...overview, ...slice });
    const { stdout } = await run('--engine', 'chatgpt', '--tag', 'pricing');
    expect(stdout).to.match(
      /^Fernweh Coffee · 2026-11-01 to 2026-11-14 UTC, 14 days\nChatGPT, tag pricing\n\n/,
    );
    expect(now.server.requests).to.deep.equal([
      '/api/v1/overview?engine=chatgpt&tag=pricing',
      '/api/v1/metrics/history?engine=chatgpt&tag=pricing&metric=visibility&from=2026-10-18&to=2026-11-14',
    ]);
    const md = await svc(['overview', '--format', 'md'], now.env);
    expect(md.stdout).to.contain('2026-11-14 UTC, 14 days**\n\nChatGPT, tag pricing\n\n');
  });

  it('has no sparkline of the last weeks next to a range of days', async () => {
    now.server.serve('overview', { ...overview, window_days: 14, ...sliced({}) });
    const { stdout } = await run('--from', '2026-11-01', '--to', '2026-11-14');
    expect(stdout).to.contain('against the 14 days before').and.not.match(/[▁-█]/u);
    expect(now.server.requests).to.deep.equal(['/api/v1/overview?from=2026-11-01&to=2026-11-14']);
  });

  it('shows a slice without runs as not measured', async () => {
    const none = {
      visibility: null,
      presence_rate: null,
      share_of_voice: null,
      share_of_voice_fraction: null,
    };
    const note = 'The slice selected no runs.';
    const caveats = { note, notes: [{ code: 'of_a_newer_server' }] };
    const nothing = { ...overview, ...thinOverview, ...none, run_count: 0, avg_position: null };
    now.server.serve('overview', {
      ...nothing,
      ...sliced({ tags: ['pricing'] }),
      measured: null,
      ...caveats,
    });
    const { stdout, stderr } = await run('--tag', 'pricing');
    expect(stdout)
      .to.match(/visibility \(0–100\) +—/)
      .and.match(/answers +0\n/);
    expect(stderr).to.contain(note);
    const failed = await run('--tag', 'pricing', '--fail-if-missing', 'visibility');
    expect(failed.code).to.equal(9);
  });

  it('omits the sparkline if the history is refused or empty', async () => {
    now.server.refuseOne('metrics/history', errors.readOnly());
    const refused = await run();
    expect(refused.code).to.equal(0);
    expect(refused.stderr).to.match(/^\n— not measured\n/);
    expect(refused.stdout).to.contain('62.4').and.not.contain('28 days');
    now.server.refuseOne('metrics/history', undefined);
    now.server.serve('metrics/history', emptyHistory);
    expect((await run()).stdout).to.equal(refused.stdout);
  });
});
