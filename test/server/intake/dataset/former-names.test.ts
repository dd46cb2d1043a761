import { expect } from 'chai';
import { tellMovesOfRuns } from '../../../../src/server/alerts/moves/tell.js';
import { everyDayOf } from '../../../../src/server/base/days.js';
import {
  applyCatalog,
  type Catalog,
  catalogChanges,
} from '../../../../src/server/intake/dataset/apply-catalog.js';
import { tellAllMoves } from '../../../../src/server/run/nightly.js';
import { fresh } from '../../../support/hooks.js';
import { marketServer, NOW, runOf } from '../../answers/reads/support/market-server.js';

const DAYS = everyDayOf({ start: '2026-10-21', end: '2026-11-19' });

/** 12 runs a day: all name the rival, most the brand too. */
const runs = DAYS.flatMap((day, at) =>
  Array.from({ length: 12 }, (_, number) =>
    runOf(`${day}.${number}`, {
      prompt: number % 2 === 0 ? 'p' : 'q',
      collected_at: `${day}T08:00:00Z`,
      mentions: [
        { name: 'Globex', order: 1, sentiment: 'neutral' },
        ...(number < 8 + (at % 3) ? [{ name: 'Acme', order: 2 }] : []),
      ],
    }),
  ),
);

const MARKET: Catalog = {
  workspace: null,
  brand: { id: 'b', name: 'Acme', domain: 'acme.com', aliases: [] },
  competitors: [{ text: 'Globex', domain: 'globex.io', aliases: [], was: [] }],
  prompts: ['best crm?', 'cheapest crm?'].map((text) => ({ text, topic: null, tags: [], was: [] })),
  marks: [],
};
const RENAMED: Catalog = {
  ...MARKET,
  brand: { ...MARKET.brand, name: 'Veloquay' },
  competitors: [{ text: 'Globex Group', domain: 'globex.io', aliases: [], was: ['Globex'] }],
};

const READS = [
  ['overview', ''],
  ['overview', '&from=2026-11-06&to=2026-11-19&prompt=p'],
  ['competitors', ''],
  ['metrics/history', '&metric=visibility&competitors=true'],
  ['metrics/history', '&metric=share_of_voice_fraction&competitors=true'],
  ['prompts', ''],
  ['why', '&metric=share_of_voice_fraction&by=rival'],
  ['gaps', ''],
  ['moves', ''],
] as const;

describe('a brand and a rival that are renamed, on 30 days of answers', () => {
  const server = fresh(marketServer);
  beforeEach(async () => {
    await server.collect(...runs);
  });

  /** All numbers, under the names of before. */
  const numbers = async () => {
    const bodies = [];
    for (const [read, query] of READS) bodies.push(JSON.stringify(await server.body(read, query)));
    return bodies.join('\n').replaceAll('Globex Group', 'Globex').replaceAll('Veloquay', 'Acme');
  };
  const apply = async (catalog: Catalog) => {
    const { knex } = server.database;
    const { changes } = await catalogChanges(knex, catalog, NOW);
    await applyCatalog(knex, catalog, { now: NOW, expected: changes, afterDays: tellMovesOfRuns });
    await tellAllMoves(knex, null, server.now);
    server.pass(2000);
  };

  it('keep every number, and nothing is told', async () => {
    await apply(MARKET);
    const before = await numbers();
    await apply(RENAMED);
    expect((await server.body<{ brand: object }>('overview')).brand).to.include({ name: 'Veloquay' });
    expect(await numbers()).to.equal(before);
    const { rows: moves } = await server.database.knex.raw('select 1 from moves where not withdrawn');
    expect(moves).to.deep.equal([]);
  });

  it('lose what they were called before only if the file says so', async () => {
    await apply({ ...RENAMED, brand: { ...RENAMED.brand, forget: ['Acme'] } });
    expect(await server.body('overview')).to.include({ visibility: 0 });
  });
});
