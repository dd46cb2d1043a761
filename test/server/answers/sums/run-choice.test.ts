import { expect } from 'chai';
import { chosenDays } from '../../../../src/server/answers/reads/slice-days.js';
import { domainLists } from '../../../../src/server/answers/reads/sources.js';
import { urlLists } from '../../../../src/server/answers/reads/urls.js';
import { sliceSums } from '../../../../src/server/answers/sums/slice-sums.js';
import type { Database } from '../../../../src/server/database/database.js';
import { citusWorkers } from '../../../support/citus.js';
import { emptyDatabase } from '../../../support/database.js';
import { plansOf, recordedStatements } from '../../intake/dataset/support/plans.js';

const bindings = {
  brandKey: 7,
  engines: ['chatgpt'],
  engineBits: ['chatgpt'],
  start: '2026-11-14',
  end: '2026-11-20',
  priorStart: '2026-11-07',
  promptKeys: [3],
  regions: null,
  surfaces: null,
  rows: 10,
  after: null,
  days: [],
  priorDays: [],
};

/** So many that to read the runs of two weeks is dearer than to look up those of one prompt. */
const RUNS = 14_000;
const PROMPTS = 200;
const STORED = `
  insert into runs (brand_key, id, day, collected_at, prompt_key, engine, region, model, m_name, m_order, m_tone,
    m_evidence, c_url, c_title, f_query, quotes_negative, quotes_neutral, quotes_positive)
  select cast(:brandKey as integer), 'r' || n, cast(:priorStart as date) + n % 14, now(), n / 14 % ${PROMPTS}, 'chatgpt',
    'us', 'm', '{1}', '{1}', '{0}', '{null}', '{1,2}', '{null,null}', '{}', 0, 0, 0
  from generate_series(1, ${RUNS}) n`;

const DAYS = `
  insert into day_scope (brand_key, day, engine, run_count, citations, quotes)
  select cast(:brandKey as integer), day, 'chatgpt', count(*), 2 * count(*), 0 from runs group by day`;

describe('statements on chosen runs', () => {
  let database: Database;
  before(async function () {
    // Its plans are those of the nodes.
    if (citusWorkers.length > 0) this.skip();
    database = await emptyDatabase();
    await database.knex.raw(STORED, bindings);
    await database.knex.raw(DAYS, bindings);
    await database.knex.raw('analyze runs, day_scope');
  });
  after(() => database?.close());

  for (const [name, query] of Object.entries({
    sliceSums: sliceSums.runs.brand,
    domainLists: domainLists.runs.top,
    topUrls: urlLists.runs.top,
    urlsByUrl: urlLists.runs.byUrl,
  })) {
    it(`${name} looks up the runs of a prompt, and reads no other`, async () => {
      const sent = await recordedStatements(database.knex, () => query(database.knex, bindings));
      const explained = sent.map((each) => ({ ...each, sql: each.sql.replace(/^\/\*.*?\*\/ /, '') }));
      const conditions = (await plansOf(database.knex, explained))
        .filter(({ table }) => table === 'runs')
        .map(({ condition }) => condition);
      expect(conditions).to.have.length(1);
      expect(conditions[0]).to.contain('prompt_key');
    });
  }

  it('chosenDays reads no run twice where none is chosen', async () => {
    const nowhere = { ...bindings, promptKeys: null, regions: ['nowhere'] };
    expect(await chosenDays(database.knex, nowhere)).to.deep.equal([{ first: null, last: null }]);
    const [sent] = await recordedStatements(database.knex, () => chosenDays(database.knex, nowhere));
    const { rows } = await database.knex.raw(
      `explain (analyze, format json) ${sent!.sql.replaceAll(/\$\d+/g, '?')}`,
      sent!.bindings as never,
    );
    expect(rejectedRuns(rows[0]['QUERY PLAN'][0].Plan)).to.equal(RUNS / 2);
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** How many runs the nodes of a plan read and rejected. */
function rejectedRuns(node: PlanNode): number {
  const { 'Relation Name': table, 'Rows Removed by Filter': removed = 0, 'Actual Loops': loops } = node;
  const own = table === 'runs' ? removed * loops : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + rejectedRuns(each), own);
}
