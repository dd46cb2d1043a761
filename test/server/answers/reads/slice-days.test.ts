/** Reads of windows that the stored answers do not fill: each says on which days it is measured. */
import { expect } from 'chai';
import type { History } from '../../../../src/contract/reads/history.js';
import type { MeasuredDays } from '../../../../src/contract/slice.js';
import { archiveBrand } from '../../../../src/server/accounts/brands.js';
import { fresh } from '../../../support/hooks.js';
import { runOf as run } from '../../intake/dataset/support/load.js';
import { call, STRUCTURED } from '../../web/mcp/support/rpc.js';
import { at, marketServer } from './support/market-server.js';

interface Body {
  readonly measured: MeasuredDays;
  readonly note: string | null;
}

const LISTS = ['competitors', 'prompts', 'sources', 'urls', 'answers'];
const SLICED = ['overview', ...LISTS];
const TOOLS = ['get_content_coverage', 'list_fanouts'];

const runOf = (id: string, day: string, more: object = {}) => run(id, { ...at(day), ...more });
const stat = (date: string, engine = 'chatgpt') => ({
  type: 'daily_stat',
  brand: 'b',
  entity: 'b',
  engine,
  date,
  run_count: 4,
  visibility: 40,
});

describe('a window that the stored answers do not fill', () => {
  const server = fresh(marketServer);

  /** What each read says of a range. */
  async function saidOf(query: string, reads = SLICED): Promise<[name: string, body: Body][]> {
    const said: [string, Body][] = [];
    for (const read of reads) said.push([read, await server.body<Body>(read, query)]);
    return said;
  }

  async function payload(tool: string, from: string, to: string): Promise<Body> {
    server.now = new Date(server.now.getTime() + 1000);
    const result = await call(server, tool, { brand_id: 'b', from, to }, { headers: STRUCTURED });
    return result.structuredContent as unknown as Body;
  }

  it('is not that of an archived brand without a word that it is archived', async () => {
    await server.collect(runOf('a', '2026-10-01'));
    const query = '&from=2026-11-14&to=2026-11-20';
    const archived = 'The brand is archived: its collection was stopped. Earlier days have answers.';
    for (const [name, { note }] of await saidOf(query)) expect(note, name).to.not.contain(archived);
    await archiveBrand(server.database.knex, 'b', server.now);
    server.now = new Date(server.now.getTime() + 60_000);
    for (const [name, { measured, note }] of await saidOf(query)) {
      expect(measured, name).to.equal(null);
      expect(note, name).to.contain(archived);
    }
  });

  it('is measured from the first stored answer to the last, in every read', async () => {
    await server.collect(
      runOf('a', '2026-11-03'),
      runOf('b', '2026-11-18'),
      runOf('m', '2026-10-01', { engine: 'llama' }),
    );
    const [from, to] = ['2026-01-01', '2026-11-20'];
    const all: [string, Body][] = [
      ...(await saidOf(`&from=${from}&to=${to}`, [
        ...LISTS.filter((name) => name !== 'answers'),
        'overview',
        'sentiment',
      ])),
      [
        'history',
        await server.body<Body>('metrics/history', '&metric=visibility&from=2026-10-01&to=2026-11-20'),
      ],
    ];
    for (const tool of TOOLS) all.push([tool, await payload(tool, from, to)]);
    for (const [name, { measured, note }] of all.filter(([name]) => name !== 'list_fanouts')) {
      expect(measured, name).to.deep.equal({ first_day: '2026-11-03', last_day: '2026-11-18' });
      expect(note, name).to.contain('Measured from 2026-11-03 on: no earlier answer is stored.');
      expect(note, name).to.not.match(/nothing/i);
    }
    // Both are about every engine.
    const everyEngine = [...(await saidOf(`&from=${from}&to=${to}`, ['answers'])), all.at(-1)!];
    for (const [name, { measured, note }] of everyEngine) {
      expect(measured, name).to.deep.equal({ first_day: '2026-10-01', last_day: '2026-11-18' });
      expect(note, name).to.contain('Measured from 2026-10-01 on');
    }
  });

  it('has the days of the slice that is measured', async () => {
    await server.collect(
      runOf('a', '2026-11-02'),
      runOf('b', '2026-11-05', { prompt: 'q' }),
      runOf('c', '2026-11-08', { prompt: 'q', region: 'de' }),
      runOf('d', '2026-11-09', { engine: 'gemini', region: 'de' }),
      runOf('e', '2026-11-20'),
    );
    const range = '&from=2026-11-01&to=2026-11-20';
    for (const [slice, first_day, last_day] of [
      ['&prompt=q', '2026-11-05', '2026-11-08'],
      ['&region=de', '2026-11-08', '2026-11-09'],
      ['&region=de&engine=gemini', '2026-11-09', '2026-11-09'],
      ['&prompt=q&region=de', '2026-11-08', '2026-11-08'],
      ['&engine=chatgpt', '2026-11-02', '2026-11-20'],
    ] as const) {
      const reads = slice === '&engine=chatgpt' ? SLICED : SLICED.filter((name) => name !== 'prompts');
      for (const [name, { measured, note }] of await saidOf(range + slice, reads)) {
        expect(measured, name + slice).to.deep.equal({ first_day, last_day });
        expect(note, name + slice).to.equal(
          first_day === '2026-11-02' || slice === '&region=de&engine=gemini'
            ? `Measured from ${first_day} on: no earlier answer is stored.`
            : `Measured from ${first_day} on: no earlier answer of the slice is stored.`,
        );
      }
    }
    const { note } = await server.body<Body>('metrics/history', '&metric=visibility&days=28&prompt=q');
    expect(note).to.contain('Measured from 2026-11-05 on: no earlier answer of the slice is stored.');
    for (const [name, { measured, note }] of await saidOf(`${range}&prompt=q&engine=gemini`, [
      'overview',
      'sources',
      'answers',
    ])) {
      expect(measured, name).to.equal(null);
      expect(note, name).to.equal(
        'The slice selected no answer from 2026-11-01 to 2026-11-20: nothing was measured.',
      );
    }
  });

  it('says nothing where earlier answers are stored, as of a brand that is asked once a week', async () => {
    await server.collect(runOf('a', '2026-11-11'), runOf('b', '2026-11-18'));
    for (const [name, { measured, note }] of await saidOf('')) {
      expect(measured, name).to.deep.equal({ first_day: '2026-11-18', last_day: '2026-11-18' });
      expect(note, name).to.equal(null);
    }
  });

  it('never says “nothing” where engines have answers that the default leaves out, but how to choose them', async () => {
    await server.collect(
      runOf('a', '2026-11-18', { engine: 'llama' }),
      runOf('b', '2026-11-19', { engine: 'deepseek' }),
    );
    for (const [name, { measured, note }] of await saidOf('', [
      'overview',
      'competitors',
      'prompts',
      'sources',
    ])) {
      expect(measured, name).to.equal(null);
      expect(note, name).to.equal(
        'No answer of an engine with web search was collected from 2026-11-14 to 2026-11-20, so nothing was measured: engine=deepseek,llama has answers.',
      );
    }
    const [chosen] = await saidOf('&engine=deepseek,llama', ['overview']);
    expect(chosen![1].measured).to.deep.equal({ first_day: '2026-11-18', last_day: '2026-11-19' });
  });

  it('never says “nothing” of days with daily statistics, but where their values are', async () => {
    await server.collect(runOf('a', '2026-11-18'), stat('2026-05-03'), stat('2026-05-04'));
    for (const [name, { measured, note }] of await saidOf('&from=2026-05-01&to=2026-05-31', SLICED)) {
      expect(measured, name).to.equal(null);
      expect(note, name).to.equal(
        'No answer is stored from 2026-05-01 to 2026-05-31, only daily statistics: metrics/history with the same from and to has their values.',
      );
    }
    const { series, measured } = await server.body<History>(
      'metrics/history',
      '&metric=visibility&from=2026-05-01&to=2026-05-31',
    );
    expect(series[0]!.points.filter(({ value }) => value !== null)).to.have.lengthOf(2);
    expect(measured).to.deep.equal({ first_day: '2026-05-03', last_day: '2026-05-04' });
    const [[, { note }]] = (await saidOf('&from=2026-05-01&to=2026-11-20', ['overview'])) as [[string, Body]];
    expect(note).to.equal(
      'Measured from 2026-11-18 on: no earlier answer is stored. The days before have daily statistics: metrics/history with the same from and to has their values.',
    );
  });
});
