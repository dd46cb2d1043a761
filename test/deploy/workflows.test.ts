import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { engines, scripts, version } = JSON.parse(read('package.json'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string>>[] } };
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const workflows = new Map<string, Workflow>(
  readdirSync(join(root, FOLDER)).map((name) => [name, parse(read(join(FOLDER, name)))]),
);
const ci = workflows.get('ci.yml')!;
const release = workflows.get('release.yml')!;
const jobs = [...workflows].flatMap(([file, { jobs }]) =>
  Object.entries(jobs).map(([name, job]) => ({ name: `${file} ${name}`, job })),
);
const steps = jobs.flatMap(({ name, job }) => (job.steps ?? []).map((step) => ({ name, step })));
const needs = (name: string): string[] => [release.jobs[name]!.needs ?? []].flat();
/** The jobs that a job of the release waits for, directly or not. */
const before = (name: string): string[] => needs(name).flatMap((each) => [each, ...before(each)]);

describe('the workflows of the code host', () => {
  it('run .ci/run on the supported versions of Node and Postgres, the oldest Node among them', () => {
    const { check } = ci.jobs;
    const versions = check!.strategy!.matrix.include;
    const of = (key: string) => [...new Set(versions.map((each) => each[key]))].sort();
    expect(of('node')).to.deep.equal(['20', '22', '24']);
    expect(of('postgres')).to.deep.equal(['15', '16', '17', '18']);
    expect(of('node')[0]).to.equal(/^>=(\d+)\./.exec(engines.node)![1]);
    const ran = check!.steps!.find(({ run }) => run === 'bash .ci/run');
    expect(ran?.env?.POSTGRES_BIN).to.include('matrix.postgres');
    expect(Object.keys(ci.on)).to.include.members(['push', 'pull_request', 'workflow_call']);
  });

  it('do not test on another Postgres than that of POSTGRES_BIN', () => {
    const env = { ...process.env, TEST_DATABASE_URL: '', POSTGRES_BIN: '/nowhere/bin' };
    const args = [join(root, 'scripts/with-postgres.mjs'), process.execPath, '-e', 'console.log("ran")'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.include('No initdb and pg_ctl in /nowhere/bin');
  });

  it('publish nothing before .ci/run has passed, and only for a tag', () => {
    expect(release.on).to.deep.equal({ push: { tags: ['v*'] } });
    expect(release.jobs.check!.uses).to.equal('./.github/workflows/ci.yml');
    for (const name of ['publish', 'image', 'release']) expect(before(name), name).to.include('check');
    expect(needs('release')).to.include.members(['publish', 'image']);
    for (const name of ['publish', 'image'])
      expect(release.jobs[name]!.environment, name).to.equal('release');
  });

  it('have no more permissions than they use, and those of a job are only its own', () => {
    for (const [file, { permissions }] of workflows)
      expect(permissions, file).to.deep.equal({ contents: 'read' });
    const writing = jobs.flatMap(({ name, job }) =>
      Object.entries(job.permissions ?? {})
        .filter(([, right]) => right === 'write')
        .map(([of]) => `${name}: ${of}`),
    );
    expect(writing.sort()).to.deep.equal([
      'release.yml image: packages',
      'release.yml publish: id-token',
      'release.yml release: contents',
    ]);
  });

  it('use no stored secret, and keep no credentials in the clone', () => {
    const texts = [...workflows.keys()].map((name) => read(join(FOLDER, name)));
    const secrets = texts.flatMap((text) => [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name));
    expect(new Set(secrets)).to.deep.equal(new Set(['GITHUB_TOKEN']));
    for (const { name, step } of steps)
      if (step.uses?.startsWith('actions/checkout@'))
        expect(step.with?.['persist-credentials'], name).to.equal(false);
  });

  it('name one commit of each action, of few publishers, and one version of each package', () => {
    for (const { name, step } of steps) {
      for (const [, version] of (step.run ?? '').matchAll(/npm install --global \w+@(\S+)/g))
        expect(version, name).to.match(/^\d+\.\d+\.\d+$/);
      if (step.uses === undefined) continue;
      expect(step.uses, name).to.match(/^(?:actions|docker)\/[\w-]+@[0-9a-f]{40}$/);
    }
  });

  it('put nothing that a contributor names into a command', () => {
    for (const { name, step } of steps) {
      const inserted = [...(step.run ?? '').matchAll(/\$\{\{ *([\w.]+)/g)].map(([, value]) => value!);
      for (const value of inserted) expect(value, name).to.match(/^matrix\./);
    }
  });

  it('run scripts and files that exist', () => {
    for (const { name, step } of steps) {
      const run = step.run ?? '';
      for (const [, script] of run.matchAll(/npm run ([\w-]+)/g))
        expect(scripts, name).to.have.property(script!);
      for (const [path] of run.matchAll(/(?:scripts|\.ci)\/[\w./-]+/g))
        expect(existsSync(join(root, path)), `${name}: ${path}`).to.equal(true);
    }
  });

  it('release both packages, an image for two processors, the bill of materials and the section of the changelog', () => {
    const commands = (name: string) => release.jobs[name]!.steps!.map(({ run }) => run ?? '').join('\n');
    expect(commands('build'))
      .to.include('npm pack --pack')
      .and.include('npm pack ./dist-sdk')
      .and.include('npm sbom')
      .and.include('scripts/changelog-section.mjs')
      .and.match(/set-repository\.mjs[\s\S]*npm run build/);
    expect(commands('publish')).to.include('npm publish');
    const image = release.jobs.image!.steps!.find(({ uses }) => uses?.startsWith('docker/build-push-action'));
    expect(image?.with).to.include({ platforms: 'linux/amd64,linux/arm64', push: true });
    expect(commands('release')).to.include('--notes-file notes.md');
  });
});

describe('the step of the release that makes its files', () => {
  let clone: string;
  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'svc-release-'));
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(clone, name));
  });
  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  it('names the package in the bill of materials, wherever the clone is', () => {
    const step = release.jobs.build!.steps!.find(({ run }) => run?.includes('npm sbom'))!;
    // Without the packages, which are not built here.
    const script = step.run!.replace(/^npm pack .*$/gm, '');
    const env = { ...process.env, RUNNER_TEMP: join(clone, 'temp') };
    mkdirSync(env.RUNNER_TEMP);
    mkdirSync(join(clone, 'release'));
    const { status, stderr } = spawnSync('bash', ['-e', '-c', script], { cwd: clone, env, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    const bill = JSON.parse(readFileSync(join(clone, 'release/answer-visibility.cdx.json'), 'utf8'));
    const { name, purl } = bill.metadata.component;
    expect([name, purl]).to.deep.equal(['answer-visibility', `pkg:npm/answer-visibility@${version}`]);
    expect(bill.components.length).to.be.above(50);
    expect(existsSync(join(clone, 'release/SHA256SUMS'))).to.equal(true);
  });
});

describe('the version of Node for developers', () => {
  it('is that of the image', () => {
    expect(read('Dockerfile')).to.include(`FROM node:${read('.nvmrc').trim()}-slim`);
  });
});

describe('the forms of issues', () => {
  it('have the fields that code hosts require, and ids that are used once', () => {
    const folder = '.github/ISSUE_TEMPLATE';
    const forms = readdirSync(join(root, folder)).filter((name) => name !== 'config.yml');
    expect(forms).to.have.length(2);
    for (const name of forms) {
      const form = parse(read(join(folder, name)));
      expect(form, name).to.include.all.keys('name', 'description', 'body');
      const fields: { type: string; id?: string; attributes: object }[] = form.body;
      const asked = fields.filter(({ type }) => type !== 'markdown');
      expect(new Set(asked.map(({ id }) => id)).size, name).to.equal(asked.length);
      for (const { type, attributes } of fields) {
        expect(['markdown', 'textarea', 'input', 'dropdown']).to.include(type);
        expect(attributes, name).to.have.property(type === 'markdown' ? 'value' : 'label');
      }
    }
  });
});
