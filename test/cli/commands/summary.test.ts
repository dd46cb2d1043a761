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
  /** The fixture has a verdict, so the longest window opens. */
  const opened = () => String(new URLSearchParams({ ...daysEnding(today(), 56) }));
  const help = async () => (await svc(['--help'], now.home.env)).stdout;

  it('prints the sentence, what needs you and where the help is, in six requests of the same days', async () => {
    const { stdout, stderr, code } = await svc([], { ...now.env, COLUMNS: '100' });
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    expect(stdout).to.match(
      /^Fernweh Coffee · 2026-11-14 to 2026-11-20 UTC, 7 days\nall engines with web search\n\n/,
    );
    expect(stdout).to.contain(
      'Fernweh Coffee is named in 71 % of answers, first of two brands; no clear change',
    );
    expect(stdout).to.contain(
      'Grok never names you (0 of 706)\n  See whom it names instead.\n  svc answers --engine grok --from 2026-11-14 --to 2026-11-20\n',
    );
    expect(stdout).to.match(/\n`svc --help` lists the commands\.\n$/);
    expect(now.server.requests.toSorted()).to.deep.equal([
      ...['lost_pages', 'sources', 'within_reach'].map((kind) => `/api/v1/gaps?kind=${kind}&${opened()}`),
      ...['overview', 'prompts', 'sentiment'].map((read) => `/api/v1/${read}?${opened()}`),
    ]);
  });

  it('says why no newer answers come, as svc overview does, and asks for that only if today has none', async () => {
    const [end, start] = [today(), daysEnding(today(), 7).from];
    const of = (last_day: string) => ({
      ...fixtures.overview,
      ...{ window: { ...fixtures.overview.window, start, end }, measured: { first_day: start, last_day } },
    });
    const collection_fault = { reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' };
    now.server.serve('brands', { brands: [{ ...fixtures.brands[0]!, collection_fault }] });
    const says = 'No newer answers come: OPENAI_API_KEY is not set. Set it and start the server again.';
    for (const command of [[], ['overview', '--format', 'table']]) {
      now.server.serve('overview', of(start));
      const { stdout } = await svc(command, { ...now.env, COLUMNS: '140' });
      expect(stdout.replaceAll(/\s+/g, ' '), command.join(' ')).to.contain(says);
      now.server.requests.length = 0;
      now.server.serve('overview', of(end));
      expect((await svc(command, now.env)).stdout).to.not.contain('No newer answers');
      expect(now.server.requests.filter((path) => path.includes('/brands'))).to.deep.equal([]);
    }
    now.server.serve('overview', of(start));
    expect(JSON.parse((await svc(['summary', '--json'], now.env)).stdout)).to.deep.include({
      collection_fault,
    });
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

  it('leads to the best gaps of each kind, and does without them where the server refuses', async () => {
    const { stdout } = await svc([], { ...now.env, COLUMNS: '100' });
    expect(stdout).to.contain('reviews.example is cited by 34 answers without you');
    expect(stdout).to.contain('svc gaps sources --from 2026-11-14 --to 2026-11-20\n');
    now.server.refuseOne('gaps', errors.unknownResource([]));
    const older = await svc([], { ...now.env, COLUMNS: '100' });
    expect(older.code).to.equal(0);
    expect(older.stdout).to.not.contain('svc gaps');
    now.server.refuseOne('gaps', undefined);
  });

  it('leads from a metric that fell to the reasons of that metric', async () => {
    const { overview } = fixtures;
    const fell = { previous: 0.9, delta: -0.2, difference: -0.2, verdict: 'down' as const, reason: null };
    now.server.serve('overview', { ...overview, change: { ...overview.change, presence_rate: fell } });
    const { stdout } = await svc([], { ...now.env, COLUMNS: '100' });
    expect(stdout).to.match(
      /Presence is down 20\.0 pp[\s\S]*?\n {2}See why it fell\.\n {2}svc why --metric presence_rate --from 2026-11-14 --to 2026-11-20\n/,
    );
    now.server.serve('overview', overview);
  });

  it('has a JSON form, and claims nothing where nothing was measured', async () => {
    const { stdout } = await svc(['summary', '--json'], now.env);
    const { sentence, needs_you } = JSON.parse(stdout);
    expect(sentence).to.match(/^Fernweh Coffee is named in 71 % of answers/);
    expect(needs_you.map(({ kind }: { kind: string }) => kind)).to.include('silent-engine');
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
    expect(silent.stdout).to.contain('No answer was collected from 2026-11-14 to 2026-11-20: ');
    expect(silent.stdout).to.not.contain('needs you');
  });
});
