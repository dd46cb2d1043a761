import { expect } from 'chai';
import { gapKinds } from '../../../src/contract/reads/gaps.js';
import { gapsOf } from '../support/gap-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc gaps', () => {
  const now = session();
  const table = async (kind: string, columns: number) =>
    (await svcTable(['gaps', kind], { ...now.env, COLUMNS: String(columns) })).stdout;

  it('asks for one kind, sources unless another is named, by argument or flag', async () => {
    for (const args of [
      [],
      ['lost-pages'],
      ['within_reach'],
      ['--kind', 'absent'],
      ['Crawl', '--kind', 'crawl'],
    ])
      expect((await svc(['gaps', ...args, '--json'], now.env)).code, args.join()).to.equal(0);
    const asked = now.server.requests.map((path) => new URL(path, 'http://x').searchParams.get('kind'));
    expect(asked).to.deep.equal([...gapKinds]);
  });

  it('prints the payload of the API as JSON', async () => {
    const { stdout } = await svc(['gaps', 'absent', '--json'], now.env);
    expect(JSON.parse(stdout)).to.deep.equal(gapsOf('absent'));
  });

  it('prints the fields of the kind as CSV, and sorts by them', async () => {
    for (const kind of gapKinds) {
      const { stdout } = await svc(['gaps', kind, '--format', 'csv'], now.env);
      const [head] = stdout.split('\n');
      expect(head, kind).to.match(new RegExp(`^${Object.keys(gapsOf(kind).gaps[0]!)[0]},`));
    }
    const sorted = [
      'gaps',
      'within_reach',
      '--sort',
      'brand_gain',
      '--fields',
      'prompt_id,brand_gain',
      '--format',
      'csv',
    ];
    expect((await svc(sorted, now.env)).stdout).to.equal('prompt_id,brand_gain\np2,0.04\np1,1.26\n');
  });

  it('refuses an unknown kind with the known ones, and two kinds', async () => {
    const unknown = await svc(['gaps', 'sorces'], now.env);
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr)
      .to.include('KIND: unknown kind: sorces. Did you mean sources?')
      .and.include('Known kinds: sources, lost_pages, within_reach, absent, crawl.');
    const two = await svc(['gaps', 'absent', '--kind', 'crawl'], now.env);
    expect(two.code).to.equal(2);
    expect(two.stderr).to.include('Two kinds are given, absent and --kind crawl.');
    expect(now.server.requests).to.deep.equal([]);
  });

  it('leads from the first row to its answers', async () => {
    expect((await table('sources', 140)).replaceAll('\n', ' ')).to.include(
      '`svc answers --cites reviews.example --names lanzaro,caldera --without br_fernweh --engine chatgpt,aio ' +
        '--from 2026-11-14 --to 2026-11-20 --brand br_fernweh` lists the answers behind the first domain.',
    );
    expect(await table('lost_pages', 140)).to.include(
      "`svc answers --cites 'https://www.fernweh.example/guides/grinders' --from 2026-11-07 --to 2026-11-13",
    );
    expect(await table('within_reach', 140)).to.include('`svc answers --prompt p1 --from');
    expect(await table('absent', 140)).to.include('`svc answers --prompt p3 --from');
    expect(await table('crawl', 140)).to.include(
      "`svc answers --cites 'https://www.fernweh.example/prices' --engine chatgpt --from",
    );
  });

  for (const columns of [40, 80, 140])
    it(`no line is wider than ${columns} columns, and each kind shows its first row`, async () => {
      for (const kind of gapKinds) {
        const lines = (await table(kind, columns)).split('\n');
        expect(
          lines.filter((line) => [...line].length > columns),
          kind,
        ).to.deep.equal([]);
        const { domain, url, prompt_id } = gapsOf(kind).gaps[0] as unknown as Record<string, string>;
        const begins = (prompt_id ?? domain ?? new URL(url!).pathname).slice(0, 4);
        expect(lines.join('\n'), kind).to.include(kind === 'lost_pages' ? 'fernweh' : begins);
      }
    });

  it('states what an empty list says', async () => {
    now.server.serve('gaps', { ...gapsOf('lost_pages'), gaps: [] });
    expect(await table('sources', 80)).to.include(
      'No page of the brand was cited before and is cited no more.',
    );
    now.server.serve('gaps', undefined);
  });

  it('has the first ten rows in a table unless --limit asks for more, and all elsewhere', async () => {
    const [row] = gapsOf('lost_pages').gaps;
    const gaps = Array.from({ length: 12 }, (_, at) => ({ ...row!, url: `https://fernweh.example/${at}` }));
    now.server.serve('gaps', { ...gapsOf('lost_pages'), gaps } as never);
    const first = await table('lost_pages', 120);
    expect(first).to.contain('/9').and.not.contain('/10');
    expect(first).to.contain('The first 10 of 12; --limit 12 prints every row.');
    expect((await svcTable(['gaps', '--limit', '12'], now.env)).stdout).to.contain('/11');
    const { stdout: csv } = await svc(['gaps', 'lost_pages', '--format', 'csv'], now.env);
    expect(csv.trim().split('\n')).to.have.length(13);
    now.server.serve('gaps', undefined);
  });

  it('marks what was not measured', async () => {
    const [row] = gapsOf('crawl').gaps;
    now.server.serve('gaps', {
      ...gapsOf('crawl'),
      gaps: [{ ...row!, fault: 'closed', requests: null, refused: null } as never],
    });
    expect(await table('crawl', 140)).to.match(/disallowed by robots\.txt +12 +OAI-SearchBot +— +—/);
    now.server.serve('gaps', undefined);
  });
});
