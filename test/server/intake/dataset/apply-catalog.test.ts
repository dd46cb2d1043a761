import { expect } from 'chai';
import fc from 'fast-check';
import type { Knex } from 'knex';
import { ExpectedError } from '../../../../src/contract/failure.js';
import { tellMovesOfRuns } from '../../../../src/server/alerts/moves/tell.js';
import { trackedEntities } from '../../../../src/server/answers/sums/tracked-entities.js';
import {
  applyCatalog,
  type Catalog,
  catalogChanges,
  differenceOf,
  mentionsLostBy,
} from '../../../../src/server/intake/dataset/apply-catalog.js';
import { exportBrand } from '../../../../src/server/intake/dataset/export.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
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
  marks: [],
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
  it('is what is tracked afterwards, and applying it again changes nothing', () => {
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

  it('is tracked with the same ids after another one was', () => {
    fc.assert(
      fc.property(catalogs(false), catalogs(true), (a, b) => {
        const first = applied([], a);
        expect(tracked(applied(applied(first, b), a))).to.deep.equal(tracked(first));
      }),
      { numRuns: 300 },
    );
  });

  it('never drops a row', () => {
    fc.assert(
      fc.property(catalogs(true), catalogs(true), (a, b) => {
        const first = applied([], a);
        const ids = new Set(applied(first, b).map(({ type, id }) => `${type} ${id}`));
        expect(first.filter(({ type, id }) => !ids.has(`${type} ${id}`))).to.deep.equal([]);
      }),
    );
  });
});

describe('a name that changes', () => {
  const rival = (text: string, more: object = {}) => ({ text, domain: null, aliases: [], was: [], ...more });
  const rivals = (...competitors: ReturnType<typeof rival>[]) => catalog({ competitors });
  const rowsAfter = (...all: Catalog[]): Row[] => all.reduce<Row[]>((rows, each) => applied(rows, each), []);
  const spellings = (rows: readonly Row[], id: string) => {
    const row = rows.find((each) => each.id === id && (each.type === 'competitor' || each.type === 'brand'));
    const { name, aliases = [] } = row as { name: string; aliases?: string[] };
    return [name, ...aliases];
  };
  const STRIDE = rivals(rival('Stride'));
  const RENAMED = rivals(rival('Stride Sports', { was: ['Stride'] }));

  it('stays a spelling, of a competitor and of the brand, also without its earlier text in the file', () => {
    const renamed = rowsAfter(STRIDE, RENAMED);
    expect(spellings(renamed, 'stride')).to.deep.equal(['Stride Sports', 'Stride']);
    const later = rivals(rival('Stride Sports'));
    expect(differenceOf(later, renamed, NOW).changes).to.deep.equal([]);
    expect(differenceOf(later, renamed, NOW).kept).to.deep.include({
      ...{ id: 'stride', name: 'Stride Sports' },
      spellings: ['Stride'],
    });
    const brand = { ...catalog().brand, name: 'Swift', aliases: [] };
    const own = rowsAfter(STRIDE, catalog({ brand }));
    expect(spellings(own, 'shoes')).to.deep.equal(['Swift', 'Fleet Foot', 'Fleetfoot']);
    expect(differenceOf(catalog({ brand }), own, NOW).changes).to.deep.equal([]);
  });

  it('keeps a spelling that differs by more than case', () => {
    expect(spellings(rowsAfter(rivals(rival('Stride!')), STRIDE), 'stride')).to.deep.equal([
      'Stride',
      'Stride!',
    ]);
    expect(spellings(rowsAfter(STRIDE, rivals(rival('STRIDE'))), 'stride')).to.deep.equal(['STRIDE']);
  });

  it('keeps every former name when it changes twice, and none twice when it changes back or was an alias', () => {
    const twice = rivals(rival('Apex', { was: ['Stride Sports'] }));
    expect(spellings(rowsAfter(STRIDE, RENAMED, twice), 'stride')).to.deep.equal([
      ...['Apex', 'Stride Sports', 'Stride'],
    ]);
    const back = rivals(rival('Stride', { was: ['Stride Sports'] }));
    expect(spellings(rowsAfter(STRIDE, RENAMED, back), 'stride')).to.deep.equal(['Stride', 'Stride Sports']);
    const alias = rivals(rival('Stride Sports', { aliases: ['stride'], was: ['Stride'] }));
    const rows = rowsAfter(STRIDE, alias);
    expect(spellings(rows, 'stride')).to.deep.equal(['Stride Sports', 'stride']);
    expect(differenceOf(alias, rows, NOW).kept.map(({ id }) => id)).to.not.include('stride');
  });

  it('is dropped by `forget` only', () => {
    const dropped = rivals(rival('Stride Sports', { was: ['Stride'], forget: ['STRIDE'] }));
    const rows = rowsAfter(STRIDE, RENAMED, dropped);
    expect(spellings(rows, 'stride')).to.deep.equal(['Stride Sports']);
    expect(differenceOf(dropped, rows, NOW).changes).to.deep.equal([]);
    const listed = rivals(rival('Stride', { aliases: ['Strd'] }));
    expect(spellings(rowsAfter(listed, STRIDE), 'stride')).to.deep.equal(['Stride', 'Strd']);
  });

  it('belongs to another only after `forget`', () => {
    const renamed = rowsAfter(STRIDE, RENAMED);
    const taken = rivals(rival('Stride Sports'), rival('Stride'));
    expect(differenceOf(taken, renamed, NOW).conflicts).to.deep.equal([
      { spelling: 'Stride', keeper: 'Stride Sports', claimant: 'Stride' },
    ]);
    const given = rivals(rival('Stride Sports', { forget: ['Stride'] }), rival('Stride'));
    const { conflicts } = differenceOf(given, renamed, NOW);
    expect(conflicts).to.deep.equal([]);
    const rows = applied(renamed, given);
    expect(spellings(rows, 'stride')).to.deep.equal(['Stride Sports']);
    expect(spellings(rows, 'stride-2')).to.deep.equal(['Stride']);
  });

  it('was given to another while its entity was not tracked, and stays there', () => {
    const other = rivals(rival('Apex', { aliases: ['Stride'] }));
    const rows = rowsAfter(
      STRIDE,
      RENAMED,
      other,
      rivals(rival('Apex', { aliases: ['Stride'] }), rival('Stride Sports')),
    );
    expect(spellings(rows, 'stride')).to.deep.equal(['Stride Sports']);
    expect(spellings(rows, 'apex')).to.deep.equal(['Apex', 'Stride']);
  });
});

describe('a catalog in the database', () => {
  const database = fresh(emptyDatabase);

  const apply = async (to: Catalog) => {
    const { changes: expected } = await catalogChanges(database.knex, to, NOW);
    await applyCatalog(database.knex, to, { now: NOW, expected, afterDays: tellMovesOfRuns });
    return expected.map(({ action, type, id }) => `${action} ${type} ${id}`);
  };
  const stored = async () => {
    const rows: Row[] = [];
    for await (const row of exportBrand(database.knex, 'shoes', ['brand', 'competitor', 'topic', 'prompt']))
      rows.push(row as Row);
    return rows;
  };

  it('is written, found again, changed and retired; runs stay', async () => {
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

  it('keeps what it does not state: stages, volumes, the plan of the workspace, other brands', async () => {
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

  it('is not written if the database changed since its changes were shown', async () => {
    const { changes: expected } = await catalogChanges(database.knex, catalog(), NOW);
    await apply(catalog({ competitors: [] }));
    const second = await applyCatalog(database.knex, catalog(), {
      now: NOW,
      expected,
      afterDays: tellMovesOfRuns,
    }).catch((error) => error);
    expect(second).to.be.instanceOf(ExpectedError);
  });

  it('says how many stored mentions a change of names takes from an entity, and of which', async () => {
    await apply(catalog());
    const mentions = ['Stride', 'Fleet  foot'].map((name, at) => ({ name, order: at + 1 }));
    await load(database.knex, [
      runOf('r1', { brand: 'shoes', prompt: 'which-shoes-last', mentions }),
      runOf('r2', { brand: 'shoes', prompt: 'which-shoes-last', mentions: mentions.slice(0, 1) }),
    ]);
    const renamed = catalog({
      competitors: [{ text: 'Apex', domain: null, aliases: [], was: ['Stride'], forget: ['Stride'] }],
    });
    const lost = await mentionsLostBy(database.knex, renamed, NOW);
    expect(lost).to.deep.equal([{ id: 'stride', name: 'Apex', spelling: 'Stride', mentions: 2 }]);
    const kept = catalog({ competitors: [{ text: 'Apex', domain: null, aliases: [], was: ['Stride'] }] });
    expect(await mentionsLostBy(database.knex, kept, NOW)).to.deep.equal([]);
    expect(await mentionsLostBy(database.knex, catalog({ competitors: [] }), NOW)).to.deep.equal([]);
    const record = { type: 'brand', id: 'shoes', workspace: 'shoes', name: 'Fleetfoot', domain: 'f.example' };
    const expected = [
      { brand: 'shoes', id: 'shoes', name: 'Fleetfoot', spelling: 'Fleet  foot', mentions: 1 },
    ];
    expect((await load(database.knex, [record], { dryRun: true })).lost).to.deep.equal(expected);
    expect((await load(database.knex, [record])).lost).to.deep.equal(expected);
    expect(await load(database.knex, [record])).to.not.have.property('lost');
  });

  it('refuses a name that another entity keeps, before anything is written', async () => {
    await apply(catalog());
    await apply(catalog({ competitors: [{ text: 'Apex', domain: null, aliases: [], was: ['Stride'] }] }));
    const taken = catalog({
      competitors: ['Apex', 'Stride'].map((text) => ({ text, domain: null, aliases: [], was: [] })),
    });
    const refused = await apply(taken).catch((error) => error);
    expect(refused).to.be.instanceOf(ExpectedError);
    expect(refused.message).to.include('Stride is a spelling of Apex').and.to.include('forget = ["Stride"]');
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

describe('the marks of a catalog', () => {
  const mark = (changed: Partial<Catalog['marks'][number]> = {}): Catalog['marks'][number] => ({
    ...{ id: null, day: '2026-11-12', text: 'Guide published', url: null, prompts: null, topics: null },
    ...{ tags: null, pages: null, engines: null, ...changed },
  });
  const stored = async (db: Knex) => {
    const { rows } = await db.raw('select id, day, text, prompts, topics, planned from marks order by id');
    return rows.map((row: object) => Object.values(row));
  };

  it('are added, changed under their id and removed, and others stay', async () => {
    const { knex, close } = await emptyDatabase();
    try {
      const apply = async (marks: Catalog['marks']) => {
        const wanted = catalog({ marks });
        const { changes } = await catalogChanges(knex, wanted, NOW);
        await applyCatalog(knex, wanted, { now: NOW, expected: changes, afterDays: async () => undefined });
        expect((await catalogChanges(knex, wanted, NOW)).changes).to.deep.equal([]);
        return changes.filter(({ type }) => type === 'mark').map(({ action, id }) => [action, id]);
      };
      const guide = 'guide-published-2026-11-12';
      const topics = ['durability'];
      expect(await apply([mark({ topics: ['DURABILITY'] })])).to.deep.equal([['add', guide]]);
      await load(knex, [{ type: 'mark', id: 'own', brand: 'shoes', day: '2026-11-12', text: 'By hand' }]);
      expect(await apply([mark({ text: 'Guide rewritten', topics: ['Durability'] })])).to.deep.equal([
        ['change', guide],
      ]);
      expect(
        await apply([mark({ text: 'Guide rewritten', day: '2026-11-13', prompts: ['which shoes last'] })]),
      ).to.deep.equal([['change', guide]]);
      expect(await stored(knex)).to.deep.equal([
        [guide, '2026-11-13', 'Guide rewritten', ['which-shoes-last'], null, true],
        ['own', '2026-11-12', 'By hand', null, null, false],
      ]);
      const both = [
        mark({ id: guide, text: 'Both', day: '2026-11-14', topics }),
        mark({ text: 'Both', day: '2026-11-15' }),
      ];
      expect(await apply(both)).to.deep.equal([
        ['change', guide],
        ['add', 'both-2026-11-15'],
      ]);
      expect(await apply([both[1]!])).to.deep.equal([['remove', guide]]);
      expect((await stored(knex)).map(([id]: string[]) => id)).to.deep.equal(['both-2026-11-15', 'own']);
    } finally {
      await close();
    }
  });
});
