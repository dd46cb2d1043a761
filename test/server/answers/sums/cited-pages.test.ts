import { expect } from 'chai';
import fc from 'fast-check';
import type pg from 'pg';
import { compareText } from '../../../../src/contract/order.js';
import { citedThreadCandidates } from '../../../../src/server/answers/reads/threads.js';
import { urlLists } from '../../../../src/server/answers/reads/urls.js';
import { citedVideos } from '../../../../src/server/answers/reads/youtube.js';
import { EVERY_RUN } from '../../../../src/server/answers/sums/run-choice.js';
import { everyDayOf } from '../../../../src/server/base/days.js';
import type { Database } from '../../../../src/server/database/database.js';
import { citusWorkers } from '../../../support/citus.js';
import { emptyDatabase } from '../../../support/database.js';
import { shared } from '../../../support/hooks.js';
import { describeOnServer, itOnServer } from '../../../support/on-server.js';
import { recordedStatements } from '../../intake/dataset/support/plans.js';

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
  readonly 'Node Type': string;
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

const prior = { start: '2026-11-07', end: '2026-11-13' };
const days = everyDayOf(window);
const priorDays = everyDayOf(prior);
const windows = {
  ...{ ...window, priorStart: prior.start, days, priorDays, engines: [], engineBits: [] },
  ...EVERY_RUN,
};
const urlOf = (page: number): string => `https://a.example/${page}`;

/** Citations of each page on each day, the days of the window before first. */
type Cited = readonly (readonly number[])[];

interface Listed {
  readonly url: string;
  readonly citations: number;
  readonly priorCitations: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Sums every page and sorts all of them. */
const naive = (cited: Cited, rows: number): Listed[] =>
  cited
    .map((counts, page) => ({
      url: urlOf(page),
      citations: sum(counts.slice(priorDays.length)),
      priorCitations: sum(counts.slice(0, priorDays.length)),
    }))
    .filter(({ citations, priorCitations }) => citations + priorCitations > 0)
    .sort(
      (a, b) => b.citations - a.citations || b.priorCitations - a.priorCitations || compareText(a.url, b.url),
    )
    .slice(0, rows);

async function store({ knex }: Database, brandKey: number, cited: Cited): Promise<void> {
  const days = [...priorDays, ...everyDayOf(window)];
  const counts = cited.flatMap((row, page) =>
    row.map((citations, at) => ({ page, day: days[at], citations })),
  );
  const bindings = { brandKey, counts: JSON.stringify(counts.filter(({ citations }) => citations > 0)) };
  const given = `json_to_recordset(cast(:counts as json)) as c(page integer, day date, citations integer)`;
  await knex.raw(
    `insert into cited_domains (brand_key, domain_key, domain, hash) values (:brandKey, 1, 'a.example', '\\x00')`,
    bindings,
  );
  await knex.raw(
    `insert into cited_urls (brand_key, url_key, url, hash, domain_key)
     select distinct cast(:brandKey as integer), page, 'https://a.example/' || page, sha256(convert_to(page::text, 'UTF8')), 1 from ${given}`,
    bindings,
  );
  await knex.raw(
    `insert into day_url (brand_key, day, url_key, citations, answers, engines, present_runs, position_sum, best_position)
     select :brandKey, day, page, citations, 1, 1, 0, 1, 1 from ${given}`,
    bindings,
  );
  await knex.raw(
    `insert into day_scope (brand_key, day, engine, run_count, citations, quotes)
     select :brandKey, day, 'chatgpt', 1, sum(citations), 0 from ${given} group by day`,
    bindings,
  );
}

/** How many citations a page has on a day: of all pages about as many, or of few pages far more. */
const flat = fc.nat(2);
const popular = fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.nat(200) });
const pagesOf = (count: fc.Arbitrary<number>) =>
  fc.array(fc.array(count, { minLength: 14, maxLength: 14 }), { minLength: 1, maxLength: 60 });

describe('the most cited URLs', () => {
  let brands = 0;
  const database = shared(emptyDatabase);

  async function listed(cited: Cited, rows: number): Promise<Listed[]> {
    const brandKey = ++brands;
    await store(database, brandKey, cited);
    const found = await urlLists.rollUp.top(database.knex, { brandKey, ...windows, rows });
    return found.map(({ url, citations, priorCitations }) => ({ url, citations, priorCitations }));
  }

  for (const [name, count] of Object.entries({ flat, popular })) {
    it(`are those that a sum of every page finds (${name})`, async () => {
      await fc.assert(
        fc.asyncProperty(pagesOf(count), fc.integer({ min: 1, max: 4 }), async (cited, rows) => {
          expect(await listed(cited, rows)).to.deep.equal(naive(cited, rows));
        }),
        { numRuns: 30 },
      );
    });
  }

  it('a page with its citations on one day is listed before one with as many on only the busiest day', async () => {
    const none = Array.from({ length: 14 }, () => 0);
    const on = (day: number, citations: number) => none.with(day, citations);
    const pages = [
      on(13, 90),
      on(13, 80),
      on(7, 85),
      on(8, 84),
      ...Array.from({ length: 9 }, () => on(13, 9)),
    ];
    expect((await listed(pages, 3)).map(({ url }) => url)).to.deep.equal([0, 2, 3].map(urlOf));
  });

  itOnServer('are found without a sum of the pages that cannot be among them', async function () {
    // Its plans are those of the nodes.
    if (citusWorkers.length > 0) this.skip();
    const brandKey = ++brands;
    const seldom = Array.from({ length: 14 }, () => 1);
    const often = Array.from({ length: 14 }, () => 50);
    await store(
      database,
      brandKey,
      Array.from({ length: 2000 }, (_, page) => (page < 20 ? often : seldom)),
    );
    await database.knex.raw('analyze day_url, day_scope, cited_urls, cited_domains');
    const [sent] = await recordedStatements(database.knex, () =>
      urlLists.rollUp.top(database.knex, { brandKey, ...windows, rows: 10 }),
    );
    const plan = await database.knex.transaction(async (trx) => {
      const connection: pg.Client = await trx.client.acquireConnection();
      const { rows } = await connection.query(`explain (analyze, format json) ${sent!.sql}`, sent!.bindings);
      return rows[0]['QUERY PLAN'][0].Plan as PlanNode;
    });
    expect(groupsIn(plan)).to.be.within(20, 200);
  });
});

/** The rows that aggregates return, each page's own sum included. */
const groupsIn = ({ Plans = [], ...node }: PlanNode): number =>
  Plans.reduce(
    (total, child) => total + groupsIn(child),
    node['Node Type'] === 'Aggregate' ? node['Actual Rows'] * node['Actual Loops'] : 0,
  );
