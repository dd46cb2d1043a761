import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Database } from '../../../src/server/database.js';
import { importDataset } from '../../../src/server/dataset/import.js';
import { DatasetError } from '../../../src/server/dataset/problems.js';
import { emptyDatabase } from '../../support/database.js';
import { bytesOf } from '../../support/server.js';
import { everyType } from './support/all-types.js';
import {
  brand,
  load,
  market,
  NOW,
  otherPrompt,
  prompt,
  refusal,
  rival,
  runOf,
  workspace,
} from './support/load.js';
import { type Tables, tablesOf } from './support/tables.js';

const textOf = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

describe('dataset: import', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  const tables = (): Promise<Tables> => tablesOf(database.knex);
  const rowsOf = async (table: string) => (await tables())[table]!.map((row) => JSON.parse(row));
  const refused = (lines: (object | string)[]) => refusal(database.knex, lines);
  const loaded = (lines: object[], now = NOW) => load(database.knex, lines, { now });

  describe('upsert', () => {
    it('changes nothing when the same file comes twice', async () => {
      await loaded(everyType);
      const before = await tables();
      await loaded(everyType);
      expect(await tables()).to.deep.equal(before);
    });

    it('replaces a whole record: what is absent now is gone, but created_at and added_at stay', async () => {
      await loaded(everyType);
      const page = { type: 'tracked_page', brand: 'b', url: 'https://shop.acme.com/' };
      await loaded([
        ...market,
        page,
        { type: 'tag_group', id: 'g', brand: 'b', name: 'G', color: '#000000', tags: [] },
      ]);
      const created = '2026-11-20T05:00:00.500Z';
      const [found] = await rowsOf('brands');
      expect(found).to.deep.include({
        domain: 'acme.com',
        aliases: [],
        archived_at: null,
        created_at: created,
      });
      expect((await rowsOf('competitors'))[0]).to.deep.include({ aliases: [], created_at: created });
      const bare = {
        stage: '—',
        topic_id: null,
        tags: [],
        active: true,
        est_volume: null,
        est_volume_low: null,
      };
      expect((await rowsOf('prompts'))[0]).to.deep.include({
        ...bare,
        created_at: created,
        matched_gsc_query: null,
      });
      expect((await rowsOf('tag_groups'))[0]).to.deep.include({ tags: [], created_at: created });
      const tracked = (await rowsOf('tracked_pages')).find(({ url_key }) => url_key === page.url);
      expect(tracked).to.deep.include({ title: null, ranks: null, added_at: created });
    });

    it('replaces a run with its answer, carousels, ad and searches', async () => {
      await loaded(everyType);
      await loaded([runOf('r1')]);
      const [run] = await rowsOf('runs');
      expect(run).to.deep.include({
        id: 'r1',
        model: '',
        m_name: [],
        c_url: [],
        f_query: [],
        quotes_negative: 0,
      });
      for (const table of ['carousels', 'placements']) expect(await rowsOf(table), table).to.deep.equal([]);
      expect((await rowsOf('run_answers')).map(({ run_id }) => run_id)).to.deep.equal(['r2']);
      expect((await rowsOf('ads')).map(({ run_id }) => run_id)).to.deep.equal(['r3']);
    });

    it('takes a stated created_at over the former one', async () => {
      await loaded([workspace, { ...brand, created_at: '2025-01-01T00:00:00Z' }]);
      await loaded([{ ...brand, created_at: '2026-01-01T01:00:00+01:00' }]);
      expect((await rowsOf('brands'))[0].created_at).to.equal('2026-01-01T00:00:00.000Z');
    });

    it('knows a record by its key however the key is spelled', async () => {
      const site = { type: 'site_page', brand: 'b', status: 200, checked_at: '2026-11-20T00:00:00Z' };
      await loaded([...market, { ...site, url: 'https://acme.com/a?utm_source=x' }]);
      await loaded([{ ...site, url: 'https://acme.com/a#top', status: 404 }]);
      expect((await rowsOf('site_pages')).map(({ status }) => status)).to.deep.equal([404]);
      await loaded([
        { type: 'reclassification', workspace: 'w', domain: 'WWW.x.com:1', classification: 'one' },
      ]);
      await loaded([{ type: 'reclassification', workspace: 'w', domain: 'x.com', classification: 'two' }]);
      expect(await rowsOf('reclassifications')).to.deep.equal([
        { workspace_id: 'w', domain: 'x.com', classification: 'two' },
      ]);
    });

    it('knows a visit day by its absent parts too', async () => {
      const visit = { type: 'visit_day', brand: 'b', date: '2026-11-19', path: '/' };
      await loaded([...market, { ...visit, visits: 1 }, { ...visit, visits: 2, country: 'DE' }]);
      await loaded([{ ...visit, visits: 3, ai_source: null, country: null }]);
      expect((await rowsOf('visit_days')).map(({ visits }) => visits).sort()).to.deep.equal([2, 3]);
    });

    it('takes equal crawler hits for one, and hits with keys by their keys', async () => {
      const hit = {
        type: 'crawler_event',
        brand: 'b',
        agent: 'gptbot',
        path: '/',
        time: '2026-11-20T01:00:00Z',
      };
      const spelled = { ...hit, time: '2026-11-20T02:00:00+01:00', status: null };
      await loaded([...market, hit, spelled, { ...hit, status: 200 }, { ...hit, key: 'A'.repeat(22) }]);
      expect(await rowsOf('crawler_events')).to.have.lengthOf(3);
    });

    it('keeps the newest hit of a connected brand', async () => {
      const hit = {
        type: 'crawler_event',
        brand: 'b',
        agent: 'gptbot',
        path: '/',
        time: '2026-11-19T01:00:00Z',
      };
      await loaded([
        ...market.filter((r) => r !== brand),
        { ...brand, last_event_at: '2026-11-20T01:00:00Z' },
        hit,
      ]);
      await loaded([brand, { ...hit, time: '2026-11-18T01:00:00Z' }]);
      expect(await rowsOf('crawler_connections')).to.deep.equal([
        { brand_key: 'b', last_event_at: '2026-11-20T01:00:00.000Z' },
      ]);
    });
  });

  describe('two lines with one key', () => {
    it('may be equal, also in another spelling of times, fields and nulls', async () => {
      const run = runOf('r', {
        ad: { cards: [] },
        carousels: [{ placements: [{ slot: 1, product: 'P', url: null }] }],
        citations: [{ url: 'https://acme.com/' }],
      });
      const same = {
        ...Object.fromEntries(Object.entries(run).reverse()),
        ad: { advertiser: null },
        carousels: [{ placements: [{ product: 'P', slot: 1 }] }],
        citations: [{ url: 'https://acme.com/?utm_source=x', title: null }],
        collected_at: '2026-11-20T13:30:00+05:30',
      };
      await loaded([...market, run, same, { ...prompt, tags: null }]);
    });

    it('must not differ, in one batch or far apart', async () => {
      const lines = [...market, { ...rival, name: 'Other' }, runOf('r'), runOf('r', { region: 'de' })];
      expect(await refused(lines)).to.equal(
        [
          'line 6: expected the same competitor as on line 3, or another id',
          'line 8: expected the same run as on line 7, or another id',
        ].join('\n'),
      );
      const apart = Array.from({ length: 1200 }, (_, at) => runOf(`r${at}`));
      expect(await refused([...market, ...apart, runOf('r0', { answer: 'A' })])).to.equal(
        'line 1206: expected the same run as on line 6, or another id',
      );
    });

    it('are counted where there are many', async () => {
      const lines = Array.from({ length: 30 }, (_, at) => [
        runOf(`r${at}`),
        runOf(`r${at}`, { region: 'de' }),
      ]);
      expect((await refused([...market, ...lines.flat()])).split('\n').at(-1)).to.equal('and 10 more');
    });

    it('are two records where their brands or types differ', async () => {
      const other = { ...brand, id: 'b2', name: 'Other' };
      await loaded([
        ...market,
        other,
        { ...rival, brand: 'b2', id: 'p' },
        { ...prompt, brand: 'b2', text: 'x' },
      ]);
    });
  });

  describe('all or nothing', () => {
    it('names the line, the field and what was expected, and writes nothing', async () => {
      const before = await tables();
      const lines = [
        ...market,
        { ...runOf('r'), engine: 'bard' },
        '{"type":"nonsense"}',
        runOf('s', { region: 5 }),
      ];
      const words = await refused(lines);
      expect(words.split('\n').map((line) => line.slice(0, 32))).to.deep.equal([
        'line 6: engine: expected one of ',
        'line 7: type: expected one of wo',
        'line 8: region: expected text, g',
      ]);
      expect(await tables()).to.deep.equal(before);
    });

    it('lists the first twenty problems by line, then counts', async () => {
      const bad = Array.from({ length: 500 }, (_, at) => runOf(`r${at}`, { prompt: 'nowhere' }));
      const words = (await refused([...bad, ...market, '{']))!.split('\n');
      expect(words).to.have.lengthOf(21);
      expect(words[0]).to.equal(
        'line 1: prompt: expected a prompt that this file or the database has, got nowhere',
      );
      expect(words[19]).to.match(/^line 20: /);
      expect(words[20]).to.equal('and 481 more');
    });

    it('leaves what was there as it was', async () => {
      await loaded(everyType);
      const before = await tables();
      await refused([{ ...brand, name: 'New' }, runOf('r1', { collected_at: '2026-11-01T00:00:00Z' }), '[]']);
      expect(await tables()).to.deep.equal(before);
    });

    it('holds when the stream breaks off', async () => {
      const before = await tables();
      const broken = async function* () {
        yield* bytesOf([...market, ...Array.from({ length: 1500 }, (_, at) => runOf(`r${at}`))]);
        throw new Error('connection lost');
      };
      const error = await importDataset(database.knex, broken(), { now: NOW }).catch(
        (thrown: Error) => thrown,
      );
      expect(error).to.include({ message: 'connection lost' });
      expect(await tables()).to.deep.equal(before);
    });

    it('holds when a gzip file is cut short', async () => {
      const before = await tables();
      const file = gzipSync(textOf(market));
      const cut = async function* () {
        yield file.subarray(0, file.length - 9);
      };
      const error = await importDataset(database.knex, cut(), { now: NOW }).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error);
      expect(await tables()).to.deep.equal(before);
    });

    it('holds when the database fails at the very end', async () => {
      await database.knex.raw('alter table day_scope add constraint no_runs check (run_count < 2)');
      try {
        const before = await tables();
        const error = await loaded([...market, runOf('r'), runOf('s')]).catch((thrown: Error) => thrown);
        expect(error).to.be.instanceOf(Error).and.not.instanceOf(DatasetError);
        expect(await tables()).to.deep.equal(before);
      } finally {
        await database.knex.raw('alter table day_scope drop constraint no_runs');
      }
    });
  });

  describe('dry run', () => {
    it('counts and writes nothing', async () => {
      const before = await tables();
      const result = await load(database.knex, market, { dryRun: true });
      expect(result).to.deep.equal({
        lines: 5,
        records: { workspace: 1, brand: 1, competitor: 1, prompt: 2 },
      });
      expect(await tables()).to.deep.equal(before);
    });

    it('finds what is wrong', async () => {
      const words = await refusal(database.knex, [brand], { dryRun: true });
      expect(words).to.equal(
        'line 1: workspace: expected a workspace that this file or the database has, got w',
      );
    });
  });

  describe('files', () => {
    it('may be gzipped, begin with a byte order mark and have CRLF line ends and blank lines', async () => {
      const text = `\uFEFF${textOf(everyType).replaceAll('\n', '\r\n\r\n')}`;
      const file = async function* () {
        yield gzipSync(text);
      };
      const { lines } = await importDataset(database.knex, file(), { now: NOW });
      expect(lines).to.equal(everyType.length * 2);
      const before = await tables();
      await loaded(everyType);
      expect(await tables()).to.deep.equal(before);
    });

    it('tell of lines that are no UTF-8', async () => {
      const file = async function* () {
        yield Buffer.concat([Buffer.from(textOf([workspace])), Buffer.from('{"type":"\xff"}\n', 'latin1')]);
      };
      const error = await importDataset(database.knex, file(), { now: NOW }).catch((thrown: Error) => thrown);
      expect(error).to.include({ message: 'line 2: expected UTF-8' });
    });

    it('may be empty', async () => {
      expect(await loaded([])).to.deep.equal({ lines: 0, records: {} });
    });

    it('report progress that ends at the last line', async () => {
      const seen: number[] = [];
      await load(database.knex, market, { onProgress: ({ lines }) => seen.push(lines) });
      expect(seen).to.deep.equal([1, 2, 3, 4, 5]);
    });
  });

  describe('references', () => {
    const words = (field: string, id: string) =>
      `${field}: expected a ${field} that this file or the database has, got ${id}`;

    it('may resolve on later lines, and in the database', async () => {
      await loaded([...everyType].reverse());
      await loaded([runOf('later'), { type: 'topic', id: 'u', brand: 'b', name: 'U' }]);
      expect(await rowsOf('runs')).to.have.lengthOf(4);
    });

    it('of every kind must resolve', async () => {
      const lines = [
        ...market,
        { ...prompt, id: 'x', brand: 'no-brand' },
        { ...brand, id: 'b2', workspace: 'no-workspace' },
        { type: 'reclassification', workspace: 'no-workspace', domain: 'x.com', classification: 'y' },
        runOf('r', { prompt: 'no-prompt' }),
        { ...otherPrompt, id: 'y', topic: 'no-topic' },
        {
          type: 'daily_stat',
          brand: 'b',
          entity: 'no-entity',
          engine: 'aio',
          date: '2026-01-01',
          run_count: 1,
          visibility: 1,
        },
        {
          type: 'offsite_mention',
          id: 'o',
          brand: 'b',
          week: '2026-11-16',
          kind: 'web',
          entity: 'w',
          title: '',
          url: '',
          found_at: '2026-11-16T00:00:00Z',
        },
      ];
      expect((await refused(lines)).split('\n')).to.deep.equal([
        `line 6: ${words('brand', 'no-brand')}`,
        `line 7: ${words('workspace', 'no-workspace')}`,
        `line 8: ${words('workspace', 'no-workspace')}`,
        `line 9: ${words('prompt', 'no-prompt')}`,
        `line 10: ${words('topic', 'no-topic')}`,
        `line 11: ${words('entity', 'no-entity')}`,
        `line 12: ${words('entity', 'w')}`,
      ]);
    });

    it("do not resolve to another brand's", async () => {
      const other = { ...brand, id: 'b2', name: 'Other' };
      const lines = [
        ...market,
        other,
        { ...otherPrompt, id: 'q2', brand: 'b2' },
        runOf('r', { prompt: 'q2' }),
      ];
      expect(await refused(lines)).to.equal(`line 8: ${words('prompt', 'q2')}`);
    });
  });

  describe('times', () => {
    it('of a run may be 24 h ahead and no more', async () => {
      await loaded([...market, runOf('r', { collected_at: '2026-11-21T12:00:00Z' })]);
      expect(await refused([runOf('r', { collected_at: '2026-11-21T12:00:00.001Z' })])).to.equal(
        'line 1: collected_at: expected at most 24 h from now, got 2026-11-21T12:00:00.001Z',
      );
    });

    it("of a run are not after its brand's archived_at", async () => {
      const archived = { ...brand, archived_at: '2026-11-10T10:00:00Z' };
      const lines = [workspace, archived, prompt, runOf('r', { collected_at: '2026-11-10T10:00:00Z' })];
      await loaded(lines);
      expect(await refused([runOf('s', { collected_at: '2026-11-10T10:00:00.001Z' })])).to.equal(
        "line 1: collected_at: expected no later than the brand's archived_at 2026-11-10T10:00:00.000Z, got 2026-11-10T10:00:00.001Z",
      );
      await loaded([brand, runOf('s')]);
    });

    it('of archived_at are not before a run that was there, one problem however many runs', async () => {
      await loaded([...market, runOf('r'), runOf('s', { collected_at: '2026-11-19T00:00:00Z' })]);
      expect(await refused([{ ...brand, archived_at: '2026-11-01T00:00:00Z' }])).to.equal(
        'line 1: archived_at: expected no run after it, but one was collected at 2026-11-20T08:00:00.000Z',
      );
      const moved = ['r', 's'].map((id) => runOf(id, { collected_at: '2026-10-01T00:00:00Z' }));
      await loaded([{ ...brand, archived_at: '2026-11-01T00:00:00Z' }, ...moved]);
    });

    it('of a daily_stat are before the 56 days that end today', async () => {
      const stat = {
        type: 'daily_stat',
        brand: 'b',
        entity: 'b',
        engine: 'aio',
        run_count: 1,
        visibility: 1,
      };
      await loaded([...market, { ...stat, date: '2026-09-25' }]);
      expect(await refused([{ ...stat, date: '2026-09-26' }])).to.equal(
        'line 1: date: expected a day older than the 56 that end today (2026-11-20), got 2026-09-26',
      );
    });
  });

  describe('entities of a brand', () => {
    const shared = (other: string, name: string) =>
      `name: expected names that no other entity of the brand has, but ${other} is called ${name} too`;

    it('have no name or alias in common, whatever the case and white space', async () => {
      expect(await refused([...market, { ...rival, id: 'd', name: 'X', aliases: ['gLOBEX '] }])).to.equal(
        `line 6: ${shared('c', 'globex')}`,
      );
      await loaded(market);
      expect(await refused([{ ...rival, name: 'New', aliases: ['ACME'] }])).to.equal(
        `line 1: ${shared('b', 'acme')}`,
      );
      expect(await refused([workspace, { ...brand, aliases: ['Globex'] }])).to.equal(
        `line 2: ${shared('b', 'globex')}`,
      );
    });

    it('are reported on the line that brought the name, also where a later entity had it', async () => {
      await loaded([...market, { type: 'competitor', id: 'd', brand: 'b', name: 'Delta' }]);
      expect(await refused([brand, { ...rival, name: 'delta' }])).to.equal(`line 2: ${shared('c', 'delta')}`);
    });

    it('may repeat a name of their own, and one of another brand', async () => {
      const other = { ...brand, id: 'b2', aliases: ['acme', 'ACME'] };
      await loaded([...market, other]);
    });

    it("have other ids than the brand's", async () => {
      expect(await refused([...market, { ...rival, id: 'b', name: 'X' }])).to.equal(
        "line 6: id: expected another id than the brand's, got b",
      );
    });
  });

  it('waits for another import of the same new brand, and adds to it', async function () {
    if (database.embedded) this.skip();
    await loaded([workspace]);
    const rest = market.filter((record) => record !== workspace);
    const imports = ['r', 's', 't'].map((id) => loaded([...rest, runOf(id)]));
    await Promise.all(imports);
    expect(await rowsOf('brands')).to.have.lengthOf(1);
    expect((await rowsOf('runs')).map(({ id, brand_key }) => [brand_key, id])).to.have.deep.members([
      ['b', 'r'],
      ['b', 's'],
      ['b', 't'],
    ]);
    expect((await rowsOf('day_scope'))[0]).to.include({ run_count: 3 });
  });

  it('keeps the memory bounded, whatever the number of lines', async function () {
    this.timeout(60_000);
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const visits = function* () {
      yield* market;
      for (let at = 0; at < 60_000; at++) {
        const path = `/${String(at % 100).padStart(1000, '0')}`;
        yield { type: 'visit_day', brand: 'b', date: '2026-11-19', path, visits: at % 100 };
      }
    };
    const before = heap();
    let most = 0;
    await load(database.knex, visits(), {
      onProgress: ({ lines }) => {
        if (lines % 10_000 === 0) most = Math.max(most, heap() - before);
      },
    });
    // All lines together are 60 MiB.
    expect(most)
      .to.be.above(0)
      .and.below(20 * 1024 * 1024);
    expect(await rowsOf('visit_days')).to.have.lengthOf(100);
  });
});
