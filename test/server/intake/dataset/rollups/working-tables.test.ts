import { expect } from 'chai';
import type { Knex } from 'knex';
import { ROLLUPS } from '../../../../../src/server/intake/dataset/rollups/statements.js';
import {
  bindingsOf,
  fillWorkingTable,
  makeWorkingTable,
  presenceTables,
} from '../../../../../src/server/intake/dataset/rollups/working-tables.js';
import { citusWorkers } from '../../../../support/citus.js';
import { emptyDatabase } from '../../../../support/database.js';
import { fresh } from '../../../../support/hooks.js';
import { drawFrom } from '../../../../support/reference/generators/draw.js';
import { load, market, runOf } from '../support/load.js';

const DAY = '2026-11-20';

interface Citation {
  readonly url: string;
  readonly title: string | null;
}

describe('the roll-ups of runs with long lists of citations', () => {
  const database = fresh(emptyDatabase);

  it('count the first place of each page, and have the title of its first titled place in the newest run', async () => {
    const draw = drawFrom(5);
    // One run has a short list, the others have long ones, in which pages and titles repeat.
    const lists = [300, 900, 40].map((length): Citation[] =>
      Array.from({ length }, () => ({
        url: `https://page.example/${draw.int(0, 199)}`,
        title: draw.chance(0.3) ? null : `Title ${draw.int(0, 4)}`,
      })),
    );
    const runs = lists.map((citations, at) =>
      runOf(`r${at}`, { citations, collected_at: `${DAY}T0${at}:00:00Z` }),
    );
    await load(database.knex, [...market, ...runs]);
    const { rows } = await database.knex.raw(
      `select u.url, t.title, d.citations, d.answers, d.position_sum, d.best_position
       from day_url d join cited_urls u using (brand_key, url_key)
       left join page_titles t on t.brand_key = d.brand_key and t.title_key = d.title_key`,
    );
    const found = rows.map((row: Record<string, unknown>) => ({
      ...row,
      citations: Number(row.citations),
      answers: Number(row.answers),
      position_sum: Number(row.position_sum),
    }));
    expect(found).to.have.deep.members(expected(lists));
  });

  it('are not read once more for every citation', async function () {
    // A distributed table is not explained with its pages.
    if (citusWorkers.length > 0) this.skip();
    const count = 3000;
    const citations = Array.from({ length: count }, (_, at) => ({
      url: `https://page.example/${at}`,
      title: `Title ${at}`,
    }));
    await load(database.knex, [...market, runOf('long', { citations })]);
    expect(await pagesRead(database.knex, DAY)).to.be.within(10, count / 2);
  });
});

/** What `day_url` must have, computed one citation at a time. */
function expected(lists: readonly (readonly Citation[])[]): object[] {
  const urls = [...new Set(lists.flat().map(({ url }) => url))];
  return urls.map((url) => {
    const places = lists.map((list) => list.flatMap((each, at) => (each.url === url ? [at + 1] : [])));
    const titled = lists.flatMap(
      (list) => list.find((each) => each.url === url && each.title !== null) ?? [],
    );
    return {
      url,
      title: titled.at(-1)?.title ?? null,
      citations: places.flat().length,
      answers: places.filter((each) => each.length > 0).length,
      position_sum: places.flat().reduce((sum, place) => sum + place, 0),
      best_position: Math.min(...places.flat()),
    };
  });
}

interface Explained {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Local Hit Blocks': number;
  readonly 'Local Read Blocks': number;
}

/** Pages of 8 KiB that the roll-up of cited pages reads for a day: a long list is stored outside its row. */
async function pagesRead(db: Knex, day: string): Promise<number> {
  return db.transaction(async (trx) => {
    const { rows } = await trx.raw('select brand_key from brands');
    const bindings = bindingsOf(rows[0].brand_key, [day]);
    let pages = 0;
    const explain = async (sql: string) => {
      const { rows: plans } = await trx.raw(`explain (analyze, buffers, format json) ${sql}`, {
        ...bindings,
      });
      const plan: Explained = plans[0]['QUERY PLAN'][0].Plan;
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = plan;
      pages += hit + read + plan['Local Hit Blocks'] + plan['Local Read Blocks'];
    };
    for (const table of presenceTables('every run')) {
      await makeWorkingTable(trx, table, bindings);
      if (table.name === 'run_citations') await explain(table.select);
      await fillWorkingTable(trx, table, bindings);
    }
    await explain(ROLLUPS.day_url!.select);
    return pages;
  });
}
