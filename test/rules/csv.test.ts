import { expect } from 'chai';
import type { Read } from '../../src/contract/read.js';
import { reads } from '../../src/contract/registry.js';
import { columnsOf, csv, fieldsOf, mainRowSchema } from '../../src/contract/rows.js';
import { type ListSchema, type Schema, text } from '../../src/contract/schema.js';
import { Home, svc } from '../cli/support/run.js';
import { demoServer } from '../support/demo-server.js';
import { OPERATOR_KEY, type TestServer } from '../support/server.js';
import { commandOf, plainReads } from './support/reads.js';

/** Stand for the ids of an answer and of a mark, and for the address of a cited page. */
const RUN = 'RUN_ID';
const MARK = 'MARK_ID';
const PAGE = 'PAGE_URL';

/** The reads with a path, as requests and as commands. */
const requests: readonly (readonly [path: string, args: string])[] = [
  ...plainReads.map((name) => [name, commandOf(name)] as const),
  ['metrics/history?metric=visibility', 'history'],
  [
    'metrics/history?metric=sentiment_index&competitors=true&days=14',
    'history sentiment --competitors --days 14',
  ],
  [`answer?run_id=${RUN}`, `answer ${RUN}`],
  [`url?url=${PAGE}`, `url ${PAGE}`],
  [`effect?mark=${MARK}`, `effect ${MARK}`],
  ['sentiment?days=28&engine=chatgpt', 'sentiment --days 28 --engine chatgpt'],
  ['overview?brand=aerisvane', 'overview --brand aerisvane'],
  ['competitors?brand=aerisvane', 'competitors --brand aerisvane'],
  ['urls?brand=aerisvane', 'urls --brand aerisvane'],
];

describe('rule: Accept: text/csv has the bytes of --format csv', () => {
  let server: TestServer;
  const home = new Home();
  let given: { readonly [stands: string]: string };
  before(async () => {
    server = await demoServer();
    const { answers } = await server.read<{ answers: { id: string }[] }>('/api/v1/answers?limit=1');
    const { marks } = await server.read<{ marks: { id: string }[] }>('/api/v1/marks?limit=1');
    const { urls } = await server.read<{ urls: { url: string }[] }>('/api/v1/urls?limit=1');
    given = { [RUN]: answers[0]!.id, [MARK]: marks[0]!.id, [PAGE]: urls[0]!.url };
  });
  const filled = (text: string, escaped = (value: string) => value) =>
    text.replace(/[A-Z]+_(?:ID|URL)/, (stands) => escaped(given[stands]!));
  after(async () => {
    home.remove();
    await server.close();
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  const csvOf = (path: string) =>
    server.request(`/api/v1/${path}`, OPERATOR_KEY, { headers: { Accept: 'text/csv' } });

  it('the rows of every read are objects', () => {
    for (const [name, read] of Object.entries(reads))
      expect(mainRowSchema(read).kind, name).to.equal('object');
  });

  it('a cell is quoted if it has a quote, a comma or the end of a line (RFC 4180)', () => {
    const fields = ['text', 'count', 'list'].map((name) => ({ name, path: [name], schema: text('') }));
    const rows = [
      { text: 'a "b", c', count: -0.5, list: ['x', 1] },
      { text: 'a\r', count: null, list: [] },
      { text: '=1+1', count: 1e21, list: null },
    ];
    const body = ['"a ""b"", c",-0.5,"[""x"",1]"', '"a\r",,[]', '=1+1,1e+21,', ''].join('\n');
    expect(csv(fields, rows, false, (value) => value)).to.equal(body);
    expect(csv(fields, rows.slice(2), true)).to.equal("text,count,list\n'=1+1,1e+21,\n");
  });

  it('an interval has its two bounds in columns of their own, behind all columns of before', async () => {
    const read = reads.competitors;
    // Facts are no columns: the sentences that state them are.
    const released = fieldsOf(mainRowSchema(read))
      .map(({ name }) => name)
      .filter((name) => !name.endsWith('.reason_fact'));
    const intervals = released.filter((name) => /^intervals\.(?!level|unit)/.test(name));
    expect(intervals).to.include('intervals.visibility');
    const columns = columnsOf(mainRowSchema(read));
    expect(columns.slice(0, released.length).map(({ name }) => name)).to.deep.equal(released);
    expect(columns.slice(released.length).map(({ name }) => name)).to.deep.equal(
      intervals.flatMap((name) => [`${name}.lower`, `${name}.upper`]),
    );
    const text = await (await csvOf('competitors')).text();
    const [head, row] = text.trim().split('\n') as [string, string];
    expect(head.split(',')).to.deep.equal(columns.map(({ name }) => name));
    const [, low, high] = /"\[([\d.]+),([\d.]+)\]"/.exec(row)!;
    const visibility = head.split(',').slice(released.length).indexOf('intervals.visibility.lower');
    expect(
      row
        .split(',')
        .slice(-2 * intervals.length)
        .slice(visibility, visibility + 2),
    ).to.deep.equal([low, high]);
    const { stdout } = await svc(
      ['competitors', '--fields', 'id,intervals.visibility.upper', '--format', 'csv'],
      { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY },
    );
    expect(stdout).to.match(/^id,intervals\.visibility\.upper\n\w+,[\d.]+\n/);
  });

  it('lists have the fields of a row, and nothing of what is around the rows', () => {
    for (const read of Object.values(reads).filter((each) => 'rows' in each)) {
      const names = fieldsOf(mainRowSchema(read)).map(({ name }) => name);
      const { [read.rows]: list, ...around } = (read as Read).response.fields as { [name: string]: Schema };
      const rows = list as ListSchema<Schema>;
      expect(names).to.deep.equal(fieldsOf(rows.items).map(({ name }) => name));
      expect(Object.keys(around).filter((name) => names.includes(name))).to.deep.equal([]);
    }
  });

  it('every read with a path is compared', () => {
    const compared = new Set(requests.map(([path]) => path.replace(/\?.*/, '')));
    expect([...compared].sort()).to.deep.equal(
      Object.values(reads)
        .flatMap((read) => ('path' in read ? [read.path] : []))
        .sort(),
    );
  });

  for (const [path, args] of requests) {
    it(path, async () => {
      const response = await csvOf(filled(path, encodeURIComponent));
      expect(response.headers.get('Content-Type')).to.equal('text/csv; charset=utf-8');
      expect(response.headers.get('Link')).to.equal(null);
      const text = await response.text();
      const env = { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY };
      const line = [...filled(args).split(' '), '--format', 'csv'];
      const ran = await svc(line, env, undefined, () => server.now);
      expect([ran.code, ran.stdout]).to.deep.equal([0, text]);
      expect(text.split('\n')[0]).to.match(/^[a-z_0-9.,]+$/);
    });
  }

  it('the demo has rows for every read, so that the comparison is of more than headers', async () => {
    const empty: string[] = [];
    for (const name of plainReads) {
      if ((await (await csvOf(name)).text()).trimEnd().split('\n').length < 2) empty.push(name);
    }
    expect(empty).to.deep.equal([]);
  });

  it('zeros of a window without runs are empty', async () => {
    for (const name of ['overview', 'competitors']) {
      const text = await (await csvOf(`${name}?brand=aerisvane`)).text();
      const [head = '', first = ''] = text.split('\n');
      expect(first.split(',')[head.split(',').indexOf('visibility')], name).to.equal('');
    }
  });
});
