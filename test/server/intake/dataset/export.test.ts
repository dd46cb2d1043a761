import { expect } from 'chai';
import type { Database } from '../../../../src/server/database/database.js';
import { exportBrand, exportDataset } from '../../../../src/server/intake/dataset/export.js';
import { type DatasetRecord, recordTypes } from '../../../../src/server/intake/dataset/records/index.js';
import { shortDataset } from '../../../demo/data/dataset-of.js';
import { emptyDatabase } from '../../../support/database.js';
import { itOnServer } from '../../../support/on-server.js';
import { randomDataset } from '../../../support/reference/generators/dataset.js';
import { everyScope, recordsOf } from '../../../support/reference/index.js';
import { type TestServer, testServer } from '../../../support/server.js';
import { everyType } from './support/all-types.js';
import { load, market, NOW, runOf } from './support/load.js';
import { expectSame, tablesOf } from './support/tables.js';

const TODAY = '2026-11-20';
const READS = ['overview', 'prompts', 'competitors', 'sources', 'urls', 'answers'];

async function exported({ knex }: Database): Promise<DatasetRecord[]> {
  const records: DatasetRecord[] = [];
  for await (const record of exportDataset(knex)) records.push(record);
  return records;
}

describe('dataset: an export', () => {
  let [from, to]: Database[] = [];
  let [before, after]: TestServer[] = [];
  beforeEach(async () => {
    from = await emptyDatabase();
    to = await emptyDatabase();
    before = await testServer({ now: NOW, database: from });
    after = await testServer({ now: NOW, database: to });
  });
  afterEach(async () => {
    for (const each of [before, after, from, to]) await each!.close();
  });

  it('of one brand has its records and its workspace, and of others none', async () => {
    const others = [
      { type: 'workspace', id: 'other', name: 'Other', plan: 'growth' },
      { type: 'brand', id: 'z', workspace: 'other', name: 'Z', domain: 'z.example' },
      { type: 'prompt', id: 'zp', brand: 'z', text: 'Which one?' },
    ];
    await load(from!.knex, [...everyType, ...others]);
    const all = await exported(from!);
    const brands = all.filter(({ type }) => type === 'brand') as { id: string; workspace: string }[];
    for (const { id, workspace } of brands) {
      const own: DatasetRecord[] = [];
      for await (const record of exportBrand(from!.knex, id)) own.push(record);
      const ofIt = (record: object) =>
        'brand' in record
          ? record.brand === id
          : (record as { id: string }).id ===
            ((record as { type: string }).type === 'brand' ? id : workspace);
      expect(own).to.deep.equal(all.filter(ofIt));
    }
    expect(brands.length).to.be.greaterThan(1);
    for await (const record of exportBrand(from!.knex, 'none')) expect.fail(JSON.stringify(record));
  });

  async function everyRead(server: TestServer, brands: string[]): Promise<unknown[]> {
    const bodies: unknown[] = [];
    for (const brand of brands) {
      for (const read of READS) {
        server.now = new Date(server.now.getTime() + 500);
        const response = await server.request(`/api/v1/${read}?brand=${brand}`);
        bodies.push(response.status, await response.json());
      }
    }
    return [...bodies, await server.read('/api/v1/brands')];
  }

  /** Moves the loaded data to the empty database, and compares all tables. */
  async function moves(brands: string[]): Promise<DatasetRecord[]> {
    const records = await exported(from!);
    await load(to!.knex, records);
    expectSame(await tablesOf(to!.knex), await tablesOf(from!.knex));
    expect(await everyRead(after!, brands)).to.deep.equal(await everyRead(before!, brands));
    expect(JSON.stringify(await exported(to!)) === JSON.stringify(records), 'exported again').to.equal(true);
    return records;
  }

  it('contains every type with every field, and an import of it makes the same tables and responses', async () => {
    await load(from!.knex, everyType);
    const records = await moves(['b']);
    expect([...new Set(records.map(({ type }) => type))].sort()).to.deep.equal([...recordTypes].sort());
  });

  itOnServer(
    'moves a random data set to the same tables and responses, and a second export is equal byte for byte',
    async () => {
      const records = randomDataset(2, TODAY);
      await load(from!.knex, records);
      await moves([...new Set(recordsOf(records, 'brand').map(({ id }) => id))]);
      expect(everyScope(records, TODAY)).not.to.have.lengthOf(0);
    },
  );

  itOnServer('moves the newest part of the demo data', async () => {
    const records = [...shortDataset(NOW)];
    await load(from!.knex, records);
    await moves(records.flatMap((record) => (record.type === 'brand' ? [record.id] : [])));
  });

  it('omits fields that are not set instead of writing null', async () => {
    await load(from!.knex, [
      ...market,
      runOf('r', { model: null, answer: null, mentions: [{ name: 'X', order: 1 }] }),
    ]);
    const records = await exported(from!);
    expect(JSON.stringify(records)).not.to.include('null');
    const run = {
      ...runOf('r', { mentions: [{ name: 'X', order: 1 }] }),
      collected_at: '2026-11-20T08:00:00.000Z',
    };
    expect(records.find(({ type }) => type === 'run')).to.deep.equal(run);
  });

  it('contains the newest hit of a connected brand and the keys of crawler hits', async () => {
    await load(from!.knex, everyType);
    const records = await exported(from!);
    expect(records.find(({ type }) => type === 'brand')).to.include({
      last_event_at: '2026-11-20T11:00:00.000Z',
    });
    const keys = records.flatMap((record) => (record.type === 'crawler_event' ? [record.key] : []));
    expect(keys).to.include('AAECAwQFBgcICQoLDA0ODw');
    for (const key of keys) expect(key).to.match(/^[\w-]{22}$/);
  });

  it('omits statistics that were computed from runs', async () => {
    await load(from!.knex, everyType);
    await from!.knex.raw('update daily_stats set imported = false where entity = 0');
    const stats = (await exported(from!)).filter(({ type }) => type === 'daily_stat');
    expect(stats.map((record) => 'entity' in record && record.entity)).to.deep.equal(['c']);
  });

  it('never contains keys and secrets', async () => {
    await load(from!.knex, market);
    const secret = await before!.key({ workspace: 'w', kind: 'full' });
    const text = JSON.stringify(await exported(from!));
    expect(text).not.to.include(secret);
    expect(text).not.to.include(secret.slice(0, 12));
    expect((await exported(from!)).map(({ type }) => type)).to.have.members(
      market.map(({ type }) => type) as never[],
    );
  });

  itOnServer('reads in pages and contains every run, in the order of ids', async () => {
    const ids = Array.from({ length: 2500 }, (_, at) => `r${at}`);
    await load(from!.knex, [...market, ...ids.map((id) => runOf(id))]);
    const runs = (await exported(from!)).flatMap((record) => (record.type === 'run' ? [record.id] : []));
    expect(runs).to.deep.equal(ids.sort());
  });

  it('reads each page by key and within a limit: a distributed database reads all rows of a cursor at once', async () => {
    const visits = Array.from({ length: 1001 }, (_, at) => ({
      type: 'visit_day',
      brand: 'b',
      date: '2026-11-19',
      path: `/${at}`,
      visits: at,
    }));
    await load(from!.knex, [...market, ...visits]);
    const pages: string[] = [];
    const note = ({ sql }: { sql: string }) => pages.push(sql);
    from!.knex.on('query', note);
    const found = (await exported(from!)).flatMap((record) => (record.type === 'visit_day' ? [record] : []));
    from!.knex.removeListener('query', note);
    expect(found.map(({ visits: count }) => count).sort((a, b) => a - b)).to.deep.equal(
      visits.map((_, at) => at),
    );
    const ofVisits = pages.filter((sql) => sql.includes('from visit_days'));
    expect(ofVisits.map((sql) => [/> \(/.test(sql), sql.endsWith('limit 1000')])).to.deep.equal([
      [false, true],
      [true, true],
    ]);
    expect(pages.filter((sql) => /\bcursor\b/.test(sql))).to.deep.equal([]);
  });

  it('releases the connection if the consumer stops early or fails', async () => {
    await load(from!.knex, market);
    for await (const record of exportDataset(from!.knex)) {
      expect(record.type).to.equal('workspace');
      break;
    }
    const failing = (async () => {
      for await (const _ of exportDataset(from!.knex)) throw new Error('disk full');
    })();
    expect(await failing.catch((error: Error) => error.message)).to.equal('disk full');
    expect(await exported(from!)).to.have.lengthOf(market.length);
  });

  it('is a snapshot of one moment, also during an import', async function () {
    if (from!.embedded) this.skip();
    await load(from!.knex, market);
    const records: DatasetRecord[] = [];
    for await (const record of exportDataset(from!.knex)) {
      if (records.length === 0) await load(from!.knex, [runOf('late')]);
      records.push(record);
    }
    expect(records.map(({ type }) => type)).not.to.include('run');
  });
});
