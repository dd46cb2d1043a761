import { expect } from 'chai';
import { resources } from '../../src/contract/registry.js';
import * as fixtures from './support/fixtures.js';
import { svc } from './support/run.js';
import { session } from './support/session.js';

const lists = Object.values(resources).flatMap(({ path, ...rest }) => ('rows' in rest ? [path] : []));

describe('a list', () => {
  const now = session();
  const json = async (...args: string[]) => JSON.parse((await svc([...args, '--json'], now.env)).stdout);

  for (const name of lists) {
    it(`is the API’s payload byte for byte under --json: ${name}`, async () => {
      const { stdout } = await svc([name, '--json'], now.env);
      expect(stdout).to.equal(`${now.server.body(`/api/v1/${name}`)}\n`);
      expect(now.server.requests).to.deep.equal([`/api/v1/${name}`]);
    });
  }

  it('gives --limit N rows in all, over as many pages as it takes, the last one exact', async () => {
    const { answers, next_cursor, brand } = await json('answers', '--limit', '405');
    expect(now.server.requests).to.deep.equal([
      '/api/v1/answers?limit=200',
      '/api/v1/answers?cursor=200&limit=200',
      '/api/v1/answers?cursor=400&limit=5',
    ]);
    expect(answers).to.deep.equal(fixtures.answers.slice(0, 405));
    expect(brand).to.deep.equal(fixtures.brand);
    expect(next_cursor).to.equal('405');
  });

  it('goes on where next_cursor says, and ends with null', async () => {
    const { answers, next_cursor } = await json('answers', '--cursor', '405', '--limit', '1000');
    expect(answers).to.deep.equal(fixtures.answers.slice(405));
    expect(next_cursor).to.equal(null);
  });

  it('is one envelope with every row under --all', async () => {
    const { sources, next_cursor } = await json('sources', '--all');
    expect(sources).to.deep.equal(fixtures.sources);
    expect(next_cursor).to.equal(null);
  });

  it('keeps what else the envelope holds', async () => {
    const { tag_groups } = await json('prompts', '--limit', '2');
    expect(tag_groups).to.deep.equal(fixtures.tagGroups);
  });

  it('is a page of the API’s own size with a cursor alone', async () => {
    const { sources } = await json('sources', '--cursor', '10');
    expect(sources).to.deep.equal(fixtures.sources.slice(10, 60));
  });

  it('says on standard error where it goes on, and nothing under --quiet', async () => {
    const loud = await svc(['sources', '--limit', '3', '--format', 'ndjson'], now.env);
    expect(loud.stderr).to.contain('--cursor 3');
    const quiet = await svc(['sources', '--limit', '3', '--format', 'ndjson', '--quiet'], now.env);
    expect(quiet).to.deep.include({ stdout: loud.stdout, stderr: '' });
  });

  it('says where the unpaged read is capped', async () => {
    const { stderr } = await svc(['sources'], now.env);
    expect(stderr).to.contain('The first 20; --limit N or --all reads further.');
    expect((await svc(['prompts'], now.env)).stderr).to.not.contain('reads further');
  });

  it('prints every row once when the table grows over pages', async () => {
    const { stdout } = await svc(['answers', '--all'], { ...now.env, COLUMNS: '80' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('2026-11-19'))).to.have.length(fixtures.answers.length);
    expect(lines.filter((line) => line.startsWith('date'))).to.have.length(1);
  });

  it('without rows prints none, and says so', async () => {
    now.server.serve('competitors', { brand: fixtures.brand, competitors: [] });
    expect(await svc(['competitors'], now.env)).to.deep.include({ stdout: '', code: 0 });
    expect((await svc(['competitors'], now.env)).stderr).to.contain('No competitors.');
  });
});
