import { expect } from 'chai';
import fc from 'fast-check';
import { ExpectedError } from '../../../src/contract/failure.js';
import type { Database } from '../../../src/server/database/database.js';
import {
  applyCatalog,
  type Catalog,
  catalogChanges,
  differenceOf,
} from '../../../src/server/dataset/apply-catalog.js';
import { exportBrand } from '../../../src/server/dataset/export.js';
import { trackedEntities } from '../../../src/server/sums/tracked-entities.js';
import { emptyDatabase } from '../../support/database.js';
import { load, runOf } from './support/load.js';

const NOW = new Date('2026-11-20T12:00:00Z');
type Row = ReturnType<typeof differenceOf>['records'][number];

const catalog = (changed: Partial<Catalog> = {}): Catalog => ({
  workspace: null,
  brand: { id: 'shoes', name: 'Fleetfoot', domain: 'fleetfoot.example', aliases: ['Fleet Foot'] },
  competitors: [{ text: 'Stride', domain: 'stride.example', aliases: [], was: [] }],
  prompts: [
    { text: 'Which shoes last?', topic: 'Durability', tags: ['shoes'], was: [] },
    { text: 'Which shoes are wide?', topic: null, tags: [], was: [] },
  ],
  ...changed,
});

/** What an import of the records makes of the rows. */
function imported(rows: readonly Row[], records: readonly Row[]): Row[] {
  const byKey = new Map(rows.map((row) => [`${row.type} ${row.id}`, row]));
  for (const record of records) byKey.set(`${record.type} ${record.id}`, record);
  return [...byKey.values()];
}

const applied = (rows: readonly Row[], to: Catalog): Row[] =>
  imported(rows, differenceOf(to, rows, NOW).records);

/** What is tracked, with ids, in one order. */
function tracked(rows: readonly Row[]): unknown[] {
  const topics = new Map(rows.flatMap((row) => (row.type === 'topic' ? [[row.id, row.name]] : [])));
  return rows
    .flatMap((row): unknown[] => {
      if (row.type === 'prompt')
        return row.active === false ? [] : [[row.id, row.text, topics.get(row.topic ?? ''), row.tags ?? []]];
      if (row.type === 'competitor')
        return row.retired_at == null ? [[row.id, row.name, row.domain ?? null, row.aliases ?? []]] : [];
      return row.type === 'brand' ? [[row.id, row.name, row.domain, row.aliases ?? []]] : [];
    })
    .map((each) => JSON.stringify(each))
    .sort();
}

/** Catalogs of few texts, so that two of them share some. */
const words = ['one', 'Two', 'three?', 'four', 'C++', 'C#', '五', 'six'];
const catalogs = (hasWas: boolean) =>
  fc
    .record({
      texts: fc.shuffledSubarray(words, { minLength: 1 }),
      rivals: fc.shuffledSubarray(words),
      topic: fc.constantFrom(null, 'Topic', 'Other'),
      was: fc.shuffledSubarray(words),
    })
    .map(({ texts, rivals, topic, was }) => {
      const free = was.filter((each) => !texts.includes(each));
      return catalog({
        competitors: rivals.map((text) => ({ text, domain: null, aliases: [], was: [] })),
        prompts: texts.map((text, at) => ({
          ...{ text, topic: at % 2 === 0 ? topic : null, tags: topic === null ? [] : [topic] },
          was: hasWas && free[at] !== undefined ? [free[at]] : [],
        })),
      });
    });

describe('a catalog that is applied', () => {
  it('a catalog that is applied is what is tracked afterwards, and applying it again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(catalogs(true), { minLength: 1, maxLength: 4 }), (all) => {
        let rows: Row[] = [];
        for (const each of all) {
          rows = applied(rows, each);
          expect(differenceOf(each, rows, NOW).changes).to.deep.equal([]);
          const texts = rows.flatMap((row) =>
            row.type === 'prompt' && row.active !== false ? [row.text] : [],
          );
          expect(texts.sort()).to.deep.equal(each.prompts.map(({ text }) => text).sort());
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a catalog that is applied is tracked with the same ids after another one was', () => {
    fc.assert(
      fc.property(catalogs(false), catalogs(true), (a, b) => {
        const first = applied([], a);
        expect(tracked(applied(applied(first, b), a))).to.deep.equal(tracked(first));
      }),
      { numRuns: 300 },
    );
  });

  it('a catalog that is applied never drops a row', () => {
    fc.assert(
      fc.property(catalogs(true), catalogs(true), (a, b) => {
        const first = applied([], a);
        const ids = new Set(applied(first, b).map(({ type, id }) => `${type} ${id}`));
        expect(first.filter(({ type, id }) => !ids.has(`${type} ${id}`))).to.deep.equal([]);
      }),
    );
  });
});

describe('a catalog in the database', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  const apply = async (to: Catalog) => {
    const expected = await catalogChanges(database.knex, to, NOW);
    await applyCatalog(database.knex, to, { now: NOW, expected });
    return expected.map(({ action, type, id }) => `${action} ${type} ${id}`);
  };
  const stored = async () => {
    const rows: Row[] = [];
    for await (const row of exportBrand(database.knex, 'shoes', ['brand', 'competitor', 'topic', 'prompt']))
      rows.push(row as Row);
    return rows;
  };

  it('a catalog in the database is written, found again, changed and retired; runs stay', async () => {
    expect(await apply(catalog())).to.deep.equal([
      'add workspace shoes',
      'add brand shoes',
      'add competitor stride',
      'add topic durability',
      'add prompt which-shoes-last',
      'add prompt which-shoes-are-wide',
    ]);
    expect(await apply(catalog())).to.deep.equal([]);
    const before = tracked(await stored());
    await load(database.knex, [runOf('r1', { brand: 'shoes', prompt: 'which-shoes-last' })]);
    const changed = catalog({
      competitors: [{ text: 'Rapid', domain: null, aliases: [], was: [] }],
      prompts: [{ text: 'Which shoes last longest?', topic: 'Life', tags: [], was: ['Which shoes last?'] }],
    });
    expect(await apply(changed)).to.deep.equal([
      'add competitor rapid',
      'retire competitor stride',
      'add topic life',
      'rename prompt which-shoes-last',
      'retire prompt which-shoes-are-wide',
    ]);
    expect(await apply(changed)).to.deep.equal([]);
    const { rows: runs } = await database.knex.raw('select id from runs');
    expect(runs).to.have.length(1);
    await apply(catalog());
    expect(tracked(await stored())).to.deep.equal(before);
  });

  it('a catalog in the database keeps what it does not state: stages, volumes, the plan of the workspace, other brands', async () => {
    await load(database.knex, [
      { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
      { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
      { type: 'brand', id: 'boots', workspace: 'acme', name: 'Boots', domain: 'boots.example' },
      {
        type: 'prompt',
        id: 'p1',
        brand: 'shoes',
        text: 'Which shoes last?',
        stage: 'compare',
        est_volume: 5,
      },
    ]);
    expect(await apply(catalog())).to.deep.equal([
      'change brand shoes',
      'add competitor stride',
      'add topic durability',
      'change prompt p1',
      'add prompt which-shoes-are-wide',
    ]);
    const prompt = (await stored()).find(({ id }) => id === 'p1');
    expect(prompt).to.deep.include({ stage: 'compare', est_volume: 5, topic: 'durability' });
    const { rows } = await database.knex.raw('select plan, name from workspaces');
    expect(rows).to.deep.equal([{ plan: 'growth', name: 'Acme' }]);
  });

  it('a catalog in the database is not written if the database changed since its changes were shown', async () => {
    const expected = await catalogChanges(database.knex, catalog(), NOW);
    await apply(catalog({ competitors: [] }));
    const second = await applyCatalog(database.knex, catalog(), { now: NOW, expected }).catch(
      (error) => error,
    );
    expect(second).to.be.instanceOf(ExpectedError);
  });

  it('a retired competitor is no entity, and its number is not given to another', async () => {
    await apply(catalog());
    await load(database.knex, [
      runOf('r1', { brand: 'shoes', prompt: 'which-shoes-last', mentions: [{ name: 'Stride', order: 1 }] }),
    ]);
    const entityOf = async (name: string) =>
      (await database.knex.raw('select entity from mention_names where name = ?', [name])).rows[0].entity;
    expect(await entityOf('Stride')).to.equal(1);
    await apply(catalog({ competitors: [{ text: 'Rapid', domain: null, aliases: [], was: [] }] }));
    expect(await entityOf('Stride')).to.equal(null);
    const { rows: brands } = await database.knex.raw('select brand_key from brands');
    const entities = await trackedEntities(database.knex, { brandKey: brands[0].brand_key });
    expect(entities.map(({ name }) => name)).to.deep.equal(['Fleetfoot', 'Rapid']);
    const { rows } = await database.knex.raw('select id, entity from competitors order by entity');
    expect(rows).to.deep.equal([
      { id: 'stride', entity: 1 },
      { id: 'rapid', entity: 2 },
    ]);
  });
});
