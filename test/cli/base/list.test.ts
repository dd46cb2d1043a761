import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { fact, noted } from '../../../src/contract/notes.js';
import { resources } from '../../../src/contract/registry.js';
import * as fixtures from '../support/fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

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

  it('prints --limit rows in total, over several pages, with an exact last page', async () => {
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

  it('continues at next_cursor until it is null', async () => {
    const { answers, next_cursor } = await json('answers', '--cursor', '405', '--limit', '1000');
    expect(answers).to.deep.equal(fixtures.answers.slice(405));
    expect(next_cursor).to.equal(null);
  });

  it('prints one envelope with all rows under --all, and next_cursor null', async () => {
    const { answers, next_cursor } = await json('answers', '--all');
    expect(answers).to.deep.equal(fixtures.answers);
    expect(next_cursor).to.equal(null);
  });

  describe('in the order of the unpaged read', () => {
    /** Rows that the server sorts by domain in pages, and by citations in the unpaged read. */
    const sources = fixtures.sources.map((row, at) => ({ ...row, citations: (at * 37) % 450 }));
    const byCitations = [...sources].sort((a, b) => b.citations - a.citations);
    const byDomain = [...sources].sort((a, b) => (a.domain < b.domain ? -1 : 1));
    beforeEach(() => now.server.servePaged('sources', byCitations, byDomain));

    it('prints the first rows of the unpaged read if its cap allows it, with one request', async () => {
      const { sources: rows, ...envelope } = await json('sources', '--limit', '8');
      expect(rows).to.deep.equal(byCitations.slice(0, 8));
      expect(envelope).to.deep.equal({ brand: fixtures.brand, ...fixtures.unsliced });
      expect(now.server.requests).to.deep.equal(['/api/v1/sources']);
    });

    it('reads and sorts every page for more rows than the cap', async () => {
      const { sources: rows, ...envelope } = await json('sources', '--limit', '21');
      expect(rows).to.deep.equal(byCitations.slice(0, 21));
      expect(envelope).to.deep.equal({ brand: fixtures.brand, ...fixtures.unsliced });
      expect(now.server.requests).to.deep.equal([
        '/api/v1/sources?limit=200',
        '/api/v1/sources?cursor=200&limit=200',
        '/api/v1/sources?cursor=400&limit=200',
      ]);
    });

    it('prints the same under --all, with next_cursor null', async () => {
      for (const args of [['--all'], ['--limit', '450']]) {
        const { sources: rows, next_cursor } = await json('sources', ...args);
        expect(rows).to.deep.equal(byCitations);
        expect(next_cursor).to.equal(null);
      }
    });

    it('has the same order in every other format', async () => {
      const { stdout } = await svc(['sources', '--limit', '100', '--format', 'csv'], now.env);
      const domains = stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0]);
      expect(domains).to.deep.equal(byCitations.slice(0, 100).map(({ domain }) => domain));
    });

    it('uses the order of pages with --cursor; an empty cursor begins at the first page', async () => {
      const first = await json('sources', '--cursor', '', '--limit', '3');
      expect(first.sources).to.deep.equal(byDomain.slice(0, 3));
      expect(first.next_cursor).to.equal('3');
      const rest = await json('sources', '--cursor', '3', '--all');
      expect(rest.sources).to.deep.equal(byDomain.slice(3));
    });

    it('sorts URLs by citations, then by citations of the week before, then by address', async () => {
      const row = (url: string, citations: number, prior: number | null) => ({
        ...fixtures.urls[0]!,
        ...{ url, citations, prior_citations: prior },
      });
      const best = [row('https://b.example/', 9, 1), row('https://\uff5e.example/', 3, 5)];
      const ties = [row('https://a.example/', 3, 4), row('https://\uff5e.example/2', 3, 4)];
      const last = [row('https://\u{10000}.example/', 3, 4), row('https://c.example/', 0, 9)];
      const urls = [...best, ...ties, ...last];
      now.server.servePaged('urls', urls, [...urls].reverse());
      expect((await json('urls', '--all')).urls).to.deep.equal(urls);
    });

    it('reads no pages for a list without a cap', async () => {
      const { competitors, ...envelope } = await json('competitors', '--limit', '2');
      expect(competitors).to.deep.equal(fixtures.competitors.slice(0, 2));
      expect(envelope).to.not.have.property('next_cursor');
      expect((await json('competitors', '--all')).next_cursor).to.equal(null);
      expect(now.server.requests).to.deep.equal(['/api/v1/competitors', '/api/v1/competitors']);
    });

    it('states the number of rows if it is known and rows are left out', async () => {
      const notes = async (...args: string[]) =>
        (await svc([...args, '--format', 'ndjson'], now.env)).stderr.trimEnd();
      expect(await notes('sources', '--limit', '8')).to.equal('The first 8; --all prints every row.');
      expect(await notes('sources', '--limit', '20')).to.equal('');
      expect(await notes('sources', '--limit', '21')).to.equal(
        'The first 21 of 450; --all prints every row.',
      );
      expect(await notes('competitors', '--limit', '1')).to.equal(
        'The first 1 of 3; --all prints every row.',
      );
      expect(await notes('sources', '--all')).to.equal('');
    });
  });

  it('keeps the other fields of the envelope', async () => {
    const { tag_groups } = await json('prompts', '--limit', '2');
    expect(tag_groups).to.deep.equal(fixtures.tagGroups);
  });

  it('prints a page of the API’s default size with only --cursor', async () => {
    const { sources } = await json('sources', '--cursor', '10');
    expect(sources).to.deep.equal(fixtures.sources.slice(10, 60));
  });

  it('states the next cursor to programs, and to whoever came with one, but not under --quiet', async () => {
    const loud = await svc(['answers', '--limit', '3', '--format', 'ndjson'], now.env);
    expect(loud.stderr).to.contain('3 rows; more with --cursor 3');
    const one = await svc(['answers', '--limit', '1', '--format', 'ndjson'], now.env);
    expect(one.stderr).to.contain('1 row; more with --cursor 1');
    // A cursor is three lines of a narrow terminal, and nothing that a person types.
    const table = await svcTable(['answers', '--limit', '3'], now.env);
    expect(table.stderr).to.contain('3 rows; a higher --limit has more, --all every row.');
    expect(table.stderr).to.not.contain('--cursor');
    const further = await svcTable(['answers', '--limit', '3', '--cursor', '3'], now.env);
    expect(further.stderr).to.contain('3 rows; more with --cursor 6');
    const quiet = await svc(['answers', '--limit', '3', '--format', 'ndjson', '--quiet'], now.env);
    expect(quiet).to.deep.include({ stdout: loud.stdout, stderr: '' });
  });

  it('prints the cap of the unpaged read', async () => {
    const { stderr } = await svc(['sources'], now.env);
    expect(stderr).to.contain('At most 20 rows unless --limit or --all asks for more.');
    expect((await svc(['prompts'], now.env)).stderr).to.not.contain('At most');
  });

  it('prints every row once in a table over several pages', async () => {
    const { stdout } = await svcTable(['answers', '--all'], { ...now.env, COLUMNS: '80' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => /^run_\d+ +2026-11-19 /.test(line))).to.have.length(
      fixtures.answers.length,
    );
    expect(lines.filter((line) => line.startsWith('id '))).to.have.length(1);
  });

  describe('of a slice', () => {
    const { brand } = fixtures;
    const slice = fixtures.sliced({ engines: ['chatgpt'], tags: ['pricing'] });
    const HEADING = 'Fernweh Coffee · 2026-11-01 to 2026-11-14 UTC, 14 days';
    const WORDS = 'ChatGPT, tag pricing';
    const flags = ['--from', '2026-11-01', '--to', '2026-11-14', '--engine', 'chatgpt', '--tag', 'pricing'];
    const query = 'from=2026-11-01&to=2026-11-14&engine=chatgpt&tag=pricing';

    for (const name of lists.filter((list) => list !== 'brands' && list !== 'moves'))
      it(`sends the flags as parameters with each request: ${name}`, async () => {
        const [given, sent] =
          name === 'prompts'
            ? [flags.slice(0, 6), 'from=2026-11-01&to=2026-11-14&engine=chatgpt']
            : [flags, query];
        await json(name, ...given);
        await json(name, ...given, '--cursor', '');
        const [top, page] = now.server.requests;
        expect(top).to.equal(`/api/v1/${name}?${sent}`);
        expect(page).to.equal(`/api/v1/${name}?${sent}&limit=50`);
      });

    it('ends today without --to', async () => {
      await json('sources', '--from', '2026-11-01');
      const today = new Date().toISOString().slice(0, 10);
      expect(now.server.requests).to.deep.equal([`/api/v1/sources?from=2026-11-01&to=${today}`]);
    });

    it('goes on with the slice over all pages', async () => {
      await json('answers', '--prompt', 'p_1', '--region', 'us,de', '--all');
      expect(now.server.requests.slice(0, 2)).to.deep.equal([
        '/api/v1/answers?prompt=p_1&region=us%2Cde&limit=200',
        '/api/v1/answers?prompt=p_1&region=us%2Cde&cursor=200&limit=200',
      ]);
    });

    it('is named in a line above a table and in Markdown, once, and in no other format', async () => {
      now.server.serve('answers', { brand, answers: fixtures.answers, ...slice, filter: null, total: null });
      const table = await svcTable(['answers', '--all', ...flags], { ...now.env, COLUMNS: '80' });
      expect(table.stdout.startsWith(`${HEADING}\n${WORDS}\n\n`)).to.equal(true);
      expect(table.stdout.split(WORDS)).to.have.length(2);
      const md = await svc(['answers', ...flags, '--format', 'md'], now.env);
      expect(md.stdout.startsWith(`**${HEADING}**\n\n${WORDS}\n\n|`)).to.equal(true);
      for (const format of ['tsv', 'csv', 'ndjson'])
        expect((await svc(['answers', ...flags, '--format', format], now.env)).stdout).not.to.contain(WORDS);
    });

    it('is named above a table without rows', async () => {
      now.server.serve('urls', { brand, urls: [], ...slice });
      const { stdout } = await svcTable(['urls', ...flags], { ...now.env, COLUMNS: '80' });
      expect(stdout.startsWith(`${HEADING}\n${WORDS}\n`)).to.equal(true);
    });

    it('wraps that line at 40 columns', async () => {
      now.server.serve('sources', { brand, sources: fixtures.sources, ...slice });
      const { stdout } = await svcTable(['sources', ...flags], { ...now.env, COLUMNS: '40' });
      const heading = 'Fernweh Coffee · 2026-11-01 to\n2026-11-14 UTC, 14 days\nChatGPT, tag pricing\n\n';
      expect(stdout.startsWith(heading)).to.equal(true);
    });

    it('has a note if it selects no run, and prints — for what is not measured', async () => {
      const none = { visibility: null, share_of_voice: null, share_of_voice_fraction: null };
      const competitors = fixtures.competitors.map((row) => ({
        ...row,
        ...none,
        citation_share: null,
        sentiment_index: null,
        avg_position: null,
        ...fixtures.uncertainCompetitor,
      }));
      const caveats = noted([fact('empty_slice', { start: '2026-11-01', end: '2026-11-14' })]);
      now.server.serve('competitors', { brand, competitors, ...slice, measured: null, ...caveats });
      const { stdout, stderr } = await svcTable(['competitors', ...flags], now.env);
      expect(stdout)
        .to.contain('—')
        .and.not.match(/ 0(\.0)?( |$)/m);
      expect(stderr).to.contain(caveats.note);
      expect(now.server.requests).to.have.length(1);
    });

    it('prints the note of the server, without a further request', async () => {
      const caveats = noted([fact('only_statistics', { start: '2026-11-01', end: '2026-11-14' })]);
      now.server.serve('sources', { brand, sources: [], ...slice, measured: null, ...caveats });
      const { stderr } = await svcTable(['sources', ...flags], now.env);
      expect(stderr).to.contain('`svc history` with the same --from and --to has their values.');
      expect(now.server.requests).to.have.length(1);
    });

    it('has no such note if its runs have nothing to list', async () => {
      now.server.serve('sources', { brand, sources: [], ...slice });
      const { stderr } = await svcTable(['sources', ...flags], now.env);
      expect(stderr).to.contain('No cited domains.').and.not.contain('collected');
    });

    it('is refused in the words of the server', async () => {
      now.server.refuseOne('answers', errors.unknownTag('prising'));
      const { code, stderr } = await svc(['answers', '--tag', 'prising'], now.env);
      expect(code).to.equal(2);
      expect(stderr).to.contain('Unknown tag: prising. No prompt of this brand carries it');
    });
  });

  it('prints a note if there are no rows', async () => {
    now.server.serve('competitors', { brand: fixtures.brand, competitors: [], ...fixtures.unsliced });
    const { stdout, code } = await svcTable(['competitors'], now.env);
    expect({ stdout, code }).to.deep.equal({
      stdout: 'Fernweh Coffee · 2026-11-14 to 2026-11-20 UTC, 7 days\nall engines with web search\n',
      code: 0,
    });
    expect((await svcTable(['competitors'], now.env)).stderr).to.contain('No competitors.');
  });
});
