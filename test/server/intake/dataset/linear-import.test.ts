/** An import costs the same per run however long the file is and whatever the statistics are: counted in statements and plans, not in time. */
import { expect } from 'chai';
import type { Knex } from 'knex';
import { BATCH_BYTES } from '../../../../src/server/intake/dataset/import.js';
import { citusWorkers } from '../../../support/citus.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { describeOnServer, itOnServer } from '../../../support/on-server.js';
import { load, market, runOf } from './support/load.js';
import { type Plan, plansOf, type Recorded, recordedStatements } from './support/plans.js';

/** A run with a page, a name, a search, a carousel and an ad of its own. */
const fullRun = (id: string, fields: object = {}) =>
  runOf(id, {
    mentions: [
      { name: 'Acme', order: 1 },
      { name: `Name ${id}`, order: 2 },
    ],
    citations: [{ url: `https://site.example/${id}`, title: `Title ${id}` }, { url: 'https://acme.com/' }],
    fanouts: [`query ${id}`],
    answer: 'Acme is good.',
    carousels: [{ placements: [{ slot: 1, product: `Product ${id}` }] }],
    ad: { advertiser: id },
    ...fields,
  });
const runs = (count: number, name: string, fields: object = {}) =>
  Array.from({ length: count }, (_, at) => fullRun(`${name}${at}`, fields));

describe('dataset: a linear import', () => {
  const database = fresh(emptyDatabase);

  const statementsOf = async (lines: Iterable<object>): Promise<number> =>
    (await recordedStatements(database.knex, () => load(database.knex, lines))).length;

  it('takes as many statements for a thousand runs as for ten', async () => {
    await load(database.knex, [...market, ...runs(10, 'a')]);
    const few = await statementsOf(runs(10, 'b'));
    expect(await statementsOf(runs(1000, 'c'))).to.be.within(few, few + 13);
  });

  itOnServer('takes the same number of statements for every batch of a file', async () => {
    /** Fills a batch together with a few others. */
    const answer = 'a'.repeat(Math.ceil(BATCH_BYTES / 8));
    const batches = (count: number, name: string) => runs(8 * count, name, { answer });
    await load(database.knex, [...market, ...runs(10, 'a')]);
    const counts = [];
    for (const count of [1, 2, 5]) counts.push(await statementsOf(batches(count, `b${count}-`)));
    const [one, two, five] = counts as [number, number, number];
    const perBatch = two - one;
    // Tables that grow are analysed at the end.
    expect(perBatch).to.be.within(1, 20);
    expect(five - two).to.be.within(3 * perBatch - 12, 3 * perBatch + 12);
  });

  describeOnServer('in a database whose statistics are of another brand', () => {
    /** Tables that grow with the runs of a brand. */
    const BIG = [
      'runs',
      'run_answers',
      'cited_urls',
      'page_titles',
      'fanout_queries',
      'placements',
      'carousels',
      'ads',
    ];
    const second = (line: object) => ({ ...line, ...('brand' in line ? { brand: 'z' } : { id: 'z' }) });
    const secondMarket = market.slice(1).map(second);

    const looksUpKeys = ({ node, condition }: Plan): boolean =>
      /Index|Bitmap/.test(node) && (condition.match(/\b(id|run_id|hash|url_key|day)\b/g) ?? []).length > 0;

    async function importPlans(db: Knex, lines: object[]): Promise<{ recorded: Recorded[]; plans: Plan[] }> {
      await load(db, [...market, ...runs(1500, 'a')]);
      await db.raw('analyze');
      await load(
        db,
        [...secondMarket, ...runs(40, 'b').map(second)].map((line) => ({ ...line })),
      );
      const recorded = await recordedStatements(db, () => load(db, lines));
      return { recorded, plans: await plansOf(db, recorded) };
    }

    it('finds every stored row by its key', async function () {
      // The plans are those of the nodes.
      if (citusWorkers.length > 0) this.skip();
      const lines = [...runs(40, 'b'), ...runs(40, 'c')].map(({ id, ...run }) => ({
        ...run,
        id,
        brand: 'z',
      }));
      const { plans } = await importPlans(database.knex, lines);
      const reads = plans.filter(({ table }) => BIG.includes(table));
      expect(new Set(reads.map(({ table }) => table))).to.include.keys('runs', 'cited_urls', 'run_answers');
      for (const read of reads) {
        // The newest entry of a dictionary, and whether the brand has runs: both read one row.
        const one = /order by \w+ desc limit 1$|exists \(select 1 from runs where brand_key = \$\d\)/m;
        if (!one.test(read.sql.trim())) expect(looksUpKeys(read), JSON.stringify(read)).to.equal(true);
      }
    });

    it('reads of the pages of a day those that an added run cites', async function () {
      if (citusWorkers.length > 0) this.skip();
      const { plans } = await importPlans(database.knex, [{ ...fullRun('d'), brand: 'z' }]);
      const reads = plans.filter(
        ({ sql, table }) => table === 'day_url' && sql.trim().startsWith('insert into contested_titles'),
      );
      expect(reads).to.have.length(1);
      expect(reads[0]!.condition).to.include('url_key');
    });
  });
});
