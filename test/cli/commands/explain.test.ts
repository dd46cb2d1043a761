import { expect } from 'chai';
import { definitions, definitionsDocument } from '../../../src/contract/explanations.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc explain', () => {
  const wide = { COLUMNS: '240' };
  const explain = (...args: string[]) => svc(['explain', ...args], wide);

  it('prints what a field means, without a server and a key', async () => {
    const { stdout, stderr, code } = await explain('visibility');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^visibility\n/);
    for (const line of [
      / {2}formula +100 \/ runs × Σ 1 \/ log2\(1 \+ order\), over the runs that mention it\n/,
      / {2}scale +0 to 100\n/,
      / {2}rounded to +0\.1; prompts: to an integer\n/,
      / {2}denominator +runs\n/,
      / {2}nothing measured +null in prompts, history and slices; 0 in plain overview and\s+competitors/,
      / {2}95 % interval +R ± t\(ν\) · √V/,
      / {2}version +1\n/,
      / {2}in +brands: brands\[\]\.summary\.visibility; overview: visibility; prompts: prompts\[\]\.visibility; competitors: competitors\[\]\.visibility; briefing: overview\.visibility; history: series\[\]\.points\[\]\.value; history:\s+series\[\]\.window_value\n/,
    ])
      expect(stdout).to.match(line);
  });

  it('adds the words of the contract where one field is meant', async () => {
    const { stdout } = await explain('overview.visibility');
    expect(stdout).to.match(/ {2}in +overview: visibility \(Rank-discounted presence, 0 to 100/);
  });

  it('takes a metric as tables name it, in several words', async () => {
    for (const words of [['share', 'of', 'voice'], ['sov'], ['sentiment_index']]) {
      const { stdout, code } = await explain(...words);
      expect([code, stdout.split('\n')[0]]).to.deep.equal([
        0,
        words[0] === 'sentiment_index' ? 'sentiment_index' : 'share_of_voice_fraction',
      ]);
    }
  });

  it('knows what heads the columns of tables, its scale too', async () => {
    for (const [head, field] of [
      ['average position', 'avg_position'],
      ['requests', 'hits'],
      ['with brand', 'brand_present'],
      ['kind', 'classification'],
      ['repeats the prompt', 'is_echo'],
      ['week of', 'offsite-mentions'],
      ['thread', 'community-threads'],
      ['presence (%)', 'presence_rate'],
      ['before', 'prior_citations'],
      ['90th percentile', 'p90'],
      ['AI-referred', 'ai_referred'],
    ] as const) {
      const { stdout, code } = await explain(head);
      expect(code, head).to.equal(0);
      expect(stdout, head).to.contain(field);
    }
  });

  it('describes a field that is not a number as the contract does', async () => {
    const { stdout } = await explain('prompts.stage');
    expect(stdout).to.equal(
      'stage\n  meaning  Funnel stage, or an em-dash\n  in       prompts: prompts[].stage\n',
    );
  });

  it('lists every definition, none of them cut, and fits narrow terminals', async () => {
    for (const COLUMNS of ['40', '80', '140']) {
      const { stdout, code } = await svc(['explain'], { COLUMNS });
      expect(code).to.equal(0);
      for (const { name } of definitions()) expect(stdout).to.match(new RegExp(`^ {2}${name} `, 'm'));
      expect(stdout).to.not.include('…');
      for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(Number(COLUMNS));
    }
  });

  it('prints the document of /docs/metrics.json, or the part about a field, with --json', async () => {
    expect(JSON.parse((await explain('--json')).stdout)).to.deep.equal(
      JSON.parse(JSON.stringify(definitionsDocument())),
    );
    const { definitions: some } = JSON.parse((await explain('visibility', '--json')).stdout);
    const named = ['visibility', 'within_reach.visibility'];
    expect(some).to.deep.equal(definitionsDocument().definitions.filter(({ name }) => named.includes(name)));
  });

  it('suggests a field for an unknown one, with exit code 2', async () => {
    const { stdout, stderr, code } = await explain('overview.visibilty');
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.include('Unknown field: overview.visibilty. Did you mean overview.visibility?');
    expect((await explain('zzzzzzzzzzzzzz')).stderr).to.match(/^Error: Unknown field: zzzzzzzzzzzzzz\.\n/);
    // Half of another word is not near.
    expect((await explain('foo')).stderr).to.match(/^Error: Unknown field: foo\.\n/);
    const { error } = JSON.parse((await explain('visibilty', '--json')).stdout);
    expect(error).to.include({ code: 'usage' });
  });
});

describe('the heads of the tables of reads', () => {
  const now = session();
  const commands = [
    ...[
      'prompts',
      'competitors',
      'sources',
      'urls',
      'answers',
      'shopping',
      'shopping-trend',
      'ads',
      'sentiment',
    ],
    ...[
      'crawlers',
      'diff',
      'fanouts',
      'youtube',
      'offsite',

      'site-health',
      'visitors',
      'threads',
      'coverage',
    ],
  ];
  for (const command of commands) {
    it(`svc explain knows each of numbers: ${command}`, async () => {
      const { stdout } = await svc([command, '--format', 'md'], now.env);
      const rows = stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
      const heads = rows.flatMap((row, at) =>
        row.filter((_, place) => /^-+:$/.test(rows[at + 1]?.[place] ?? '')),
      );
      const unknown = [];
      for (const head of heads)
        if ((await svc(['explain', head.replaceAll('\\', '')], {})).code !== 0) unknown.push(head);
      expect(unknown).to.deep.equal([]);
      expect(rows.length).to.be.above(2);
    });
  }
});
