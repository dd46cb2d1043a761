import { expect } from 'chai';
import { emptyDatabase } from '../../../../support/database.js';
import { fresh } from '../../../../support/hooks.js';
import { everyType } from '../support/all-types.js';
import { brand, load, market, runOf, workspace } from '../support/load.js';
import { type Tables, tablesOf } from '../support/tables.js';

describe('dataset: an upsert', () => {
  const database = fresh(emptyDatabase);

  const loaded = (lines: object[]) => load(database.knex, lines);
  const tables = (): Promise<Tables> => tablesOf(database.knex);
  const rowsOf = async (table: string) => (await tables())[table]!.map((row) => JSON.parse(row));

  it('changes nothing if the same file is imported twice', async () => {
    await loaded(everyType);
    const before = await tables();
    await loaded(everyType);
    expect(await tables()).to.deep.equal(before);
  });

  it('replaces a whole record: absent fields are deleted, but created_at and added_at are kept', async () => {
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

  it('prefers a stated created_at to the stored one', async () => {
    await loaded([workspace, { ...brand, created_at: '2025-01-01T00:00:00Z' }]);
    await loaded([{ ...brand, created_at: '2026-01-01T01:00:00+01:00' }]);
    expect((await rowsOf('brands'))[0].created_at).to.equal('2026-01-01T00:00:00.000Z');
  });

  it('finds a record by its key in any spelling', async () => {
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

  it('treats absent parts of a visit day as part of its key', async () => {
    const visit = { type: 'visit_day', brand: 'b', date: '2026-11-19', path: '/' };
    await loaded([...market, { ...visit, visits: 1 }, { ...visit, visits: 2, country: 'DE' }]);
    await loaded([{ ...visit, visits: 3, ai_source: null, country: null }]);
    expect((await rowsOf('visit_days')).map(({ visits }) => visits).sort()).to.deep.equal([2, 3]);
  });

  it('stores equal crawler hits once, and identifies hits with keys by their keys', async () => {
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
