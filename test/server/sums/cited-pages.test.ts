import { expect } from 'chai';
import type pg from 'pg';
import type { Database } from '../../../src/server/database/database.js';
import { everyDayOf } from '../../../src/server/days.js';
import { citedThreadCandidates } from '../../../src/server/reads/threads.js';
import { citedVideos } from '../../../src/server/reads/youtube.js';
import { citusWorkers } from '../../support/citus.js';
import { emptyDatabase } from '../../support/database.js';
import { describeOnServer } from '../../support/on-server.js';
import { recordedStatements } from '../dataset/support/plans.js';

const window = { start: '2026-11-14', end: '2026-11-20' };
const bindings = {
  brandKey: 7,
  ...window,
  days: everyDayOf(window),
  videoDomain: 'youtube.com',
  prefix: 'https://www.youtube.com/watch?v=',
};
/** So many that reading all of them is dearer than to look up a few. */
const PAGES = 12_000;
const DOMAINS = 2000;
/** Of the pages, so many are videos and so many have the address of a forum. */
const FEW = 3;
/** Rows of the few pages of either kind on the days of the window. */
const WANTED = 2 * FEW * bindings.days.length;

const TEXTS = `
  insert into cited_domains (brand_key, domain_key, domain, hash)
  select :brandKey, n, domain, sha256(convert_to(domain, 'UTF8'))
  from (
    select n, case when n = 1 then 'youtube.com' else 'site' || n || '.example' end as domain
    from generate_series(1, ${DOMAINS}) n
  ) d`;
const URLS = `
  insert into cited_urls (brand_key, url_key, url, hash, domain_key, page_type)
  select :brandKey, n, case when n <= ${FEW} then :prefix else 'https://a.example/' end || n,
    sha256(convert_to(n::text, 'UTF8')), case when n <= ${FEW} then 1 else 2 + n % (${DOMAINS} - 1) end,
    case when n > ${FEW} and n <= ${2 * FEW} then 'forum' end
  from generate_series(1, ${PAGES}) n`;
const CITATIONS = `
  insert into day_url (brand_key, day, url_key, citations, answers, engines, present_runs, position_sum, best_position)
  select :brandKey, day, n, 1, 1, 1, 0, 1, 1
  from generate_series(1, ${PAGES}) n cross join unnest(cast(:days as date[])) day`;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsRead = (table: string, node: PlanNode): number => {
  const {
    'Actual Rows': rows,
    'Actual Loops': loops,
    'Rows Removed by Filter': removed = 0,
    Plans = [],
  } = node;
  const own = node['Relation Name'] === table ? loops * (rows + removed) : 0;
  return Plans.reduce((sum, child) => sum + rowsRead(table, child), own);
};

describeOnServer('queries of a few cited pages', () => {
  let database: Database;
  before(async function () {
    // Its plans are those of the nodes.
    if (citusWorkers.length > 0) this.skip();
    database = await emptyDatabase();
    for (const sql of [TEXTS, URLS, CITATIONS]) await database.knex.raw(sql, bindings);
    await database.knex.raw('analyze cited_domains, cited_urls, day_url');
  });
  after(() => database?.close());

  for (const [name, query] of Object.entries({ citedVideos, citedThreadCandidates })) {
    it(`${name} reads these pages, however many others are cited`, async () => {
      const [sent] = await recordedStatements(database.knex, () => query(database.knex, bindings));
      const plan = await database.knex.transaction(async (trx) => {
        const connection: pg.Client = await trx.client.acquireConnection();
        const { rows } = await connection.query(
          `explain (analyze, format json) ${sent!.sql}`,
          sent!.bindings,
        );
        return rows[0]['QUERY PLAN'][0].Plan as PlanNode;
      });
      expect(rowsRead('day_url', plan)).to.be.within(1, WANTED);
    });
  }
});
