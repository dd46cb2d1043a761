import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { daysEnding, today } from '../../../src/cli/render/wording.js';
import { errors } from '../../../src/contract/errors.js';
import * as fixtures from '../support/fixtures.js';
import { gapsOf } from '../support/gap-fixtures.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc without a command', () => {
  const now = session();
  const help = async () => (await svc(['--help'], now.home.env)).stdout;

  it('prints the sentence, what needs you and where the help is, in one request', async () => {
    const { stdout, stderr, code } = await svc([], { ...now.env, COLUMNS: '100' });
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    expect(stdout).to.match(
      /^Fernweh Coffee · 2026-11-14 to 2026-11-20 UTC, 7 days\nall engines with web search\n\n/,
    );
    expect(stdout).to.contain(
      'Fernweh Coffee is named in 71 % of answers, joint first of three brands; no clear change',
    );
    expect(stdout).to.contain(
      'Grok never names you (0 of 706)\n  See whom it names instead.\n  svc answers --engine grok --from 2026-11-14 --to 2026-11-20\n',
    );
    expect(stdout).to.match(/\n`svc --help` lists the commands\.\n$/);
    expect(stdout).to.contain('\n2 more: `svc summary --json` has all.\n');
    expect(now.server.requests).to.deep.equal(['/api/v1/briefing']);
    now.server.requests.length = 0;
    await svc(['summary', '--days', '7'], now.env);
    expect(now.server.requests).to.deep.equal(['/api/v1/briefing?days=7']);
  });

  it('says first why no newer answers come', async () => {
    const collection_fault = { reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' };
    now.server.serve('brands', { brands: [{ ...fixtures.brands[0]!, collection_fault }] });
    const { stdout } = await svc([], { ...now.env, COLUMNS: '140' });
    expect(stdout).to.contain(
      'What needs you\n\nNo newer answers come than of 20 Nov 2026: OPENAI_API_KEY is not set\n  Correct the environment and start the server again.\n  svc brands\n',
    );
  });

  it('is silent in svc overview about why no newer answers come, if there are some of today', async () => {
    const [end, start] = [today(), daysEnding(today(), 7).from];
    const of = (last_day: string) => ({
      ...fixtures.overview,
      ...{ window: { ...fixtures.overview.window, start, end }, measured: { first_day: start, last_day } },
    });
    const collection_fault = { reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' };
    now.server.serve('brands', { brands: [{ ...fixtures.brands[0]!, collection_fault }] });
    const overview = () => svc(['overview', '--format', 'table'], { ...now.env, COLUMNS: '140' });
    now.server.serve('overview', of(start));
    expect((await overview()).stdout.replaceAll(/\s+/g, ' ')).to.contain(
      'No newer answers come: OPENAI_API_KEY is not set. Correct the environment and start the server again.',
    );
    now.server.requests.length = 0;
    now.server.serve('overview', of(end));
    expect((await overview()).stdout).to.not.contain('No newer answers');
    expect(now.server.requests.filter((path) => path.includes('/brands'))).to.deep.equal([]);
  });

  it('takes the key and the brand of a profile', async () => {
    const { SVC_URL: url, SVC_API_KEY: key, ...env } = now.env;
    mkdirSync(dirname(now.home.profilesFile), { recursive: true });
    const work = { url, key, brand: fixtures.brand.id };
    writeFileSync(now.home.profilesFile, JSON.stringify({ default: 'work', profiles: { work } }));
    const { stdout, code } = await svc([], env);
    expect(code).to.equal(0);
    expect(stdout).to.contain('Fernweh Coffee is named in');
    expect(now.server.requests.every((path) => path.includes(`brand=${fixtures.brand.id}`))).to.equal(true);
  });

  it('prints the help without a key, and with profiles that cannot be read', async () => {
    const { SVC_API_KEY: _, ...env } = now.env;
    expect((await svc([], env)).stdout).to.equal(await help());
    mkdirSync(dirname(now.home.profilesFile), { recursive: true });
    writeFileSync(now.home.profilesFile, JSON.stringify({ profiles: {} }));
    expect((await svc([], env)).stdout).to.equal(await help());
    writeFileSync(now.home.profilesFile, 'nothing');
    expect((await svc([], env)).stdout).to.equal(await help());
    expect(now.server.requests).to.deep.equal([]);
  });

  it('fails as a read does, and says where the help is', async () => {
    now.server.refuse(errors.unauthorized(), 'full');
    const { code, stdout, stderr } = await svc([], now.env);
    expect({ code, stdout }).to.deep.equal({ code: 3, stdout: '' });
    expect(stderr).to.contain('`svc --help` lists the commands.');
  });

  it('leads to the best gaps of each kind', async () => {
    const { stdout } = await svc([], { ...now.env, COLUMNS: '100' });
    expect(stdout).to.contain('reviews.example is cited by 34 answers without you');
    expect(stdout).to.contain('svc gaps sources --from 2026-11-14 --to 2026-11-20\n');
  });

  it('leads from a metric that fell to the reasons of that metric', async () => {
    const { overview } = fixtures;
    const fell = {
      previous: 0.9,
      delta: -0.2,
      difference: -0.2,
      verdict: 'down' as const,
      reason: null,
      reason_fact: null,
    };
    now.server.serve('overview', { ...overview, change: { ...overview.change, presence_rate: fell } });
    const { stdout } = await svc([], { ...now.env, COLUMNS: '100' });
    expect(stdout).to.match(
      /Presence is down [\d.]+ pp, from 90\.0 %[\s\S]*?\n {2}See why it fell\.\n {2}svc why --metric presence_rate --from 2026-11-14 --to 2026-11-20\n/,
    );
    now.server.serve('overview', overview);
  });

  it('has a JSON form, and claims nothing where nothing was measured', async () => {
    const { stdout } = await svc(['summary', '--json'], now.env);
    const body = JSON.parse(stdout);
    expect(body).to.deep.equal(JSON.parse(now.server.body('/api/v1/briefing')));
    const { sentence, needs } = body;
    expect(sentence).to.match(/^Fernweh Coffee is named in 71 % of answers/);
    expect(needs.map(({ kind }: { kind: string }) => kind)).to.include('engine_never_names');
    now.server.serve('overview', {
      ...fixtures.overview,
      ...fixtures.uncertain,
      run_count: 0,
      measured: null,
    });
    now.server.serve('prompts', { brand: fixtures.brand, tag_groups: [], prompts: [], ...fixtures.unsliced });
    const { sentiment } = await import('../support/report-fixtures.js');
    now.server.serve('sentiment', {
      ...sentiment,
      run_count: 0,
      entities: [],
      by_engine: [],
      measured: null,
    });
    now.server.serve('gaps', { ...gapsOf('sources'), gaps: [] });
    const silent = await svc([], now.env);
    expect(silent.stdout).to.contain('No answer was collected from 14 Nov 2026 to 20 Nov 2026: ');
    expect(silent.stdout).to.not.contain('needs you');
  });
});
