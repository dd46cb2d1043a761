import { expect } from 'chai';
import fc from 'fast-check';
import { foldName } from '../../../../src/server/intake/dataset/entity-resolution.js';
import { rebuildAll } from '../../../../src/server/intake/dataset/rollups/rebuild.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { brand, load, market, NOW, rival, runOf } from './support/load.js';
import { rollupsOf, tablesOf } from './support/tables.js';

const mentions = [
  { name: ' GLOBEX ', order: 1 },
  { name: 'New\u00a0 thing', order: 2, sentiment: 'positive' },
  { name: 'acme', order: 3 },
];
const citations = ['https://blog.newthing.dev/', 'https://acme.com/', 'https://notacme.com/'].map((url) => ({
  url,
}));
const runs = [
  runOf('r', { mentions, citations }),
  runOf('s', { mentions, citations, collected_at: '2026-10-01T00:00:00Z', engine: 'llama' }),
];
const newcomer = { type: 'competitor', id: 'n', brand: 'b', name: 'NEW THING', domain: 'newthing.dev' };

describe('dataset: names and domains', () => {
  const database = fresh(emptyDatabase);

  const loaded = (lines: object[]) => load(database.knex, lines);
  const entitiesOf = async (table: string, text: string) =>
    Object.fromEntries(
      (await tablesOf(database.knex))
        [table]!.map((row) => JSON.parse(row))
        .map((row) => [row[text], row.entity]),
    );

  /** Expects the tables that an import of all lines in one file makes. */
  async function likeAtOnce(lines: object[]): Promise<void> {
    const late = await tablesOf(database.knex);
    const other = await emptyDatabase();
    await load(other.knex, lines);
    const { domain_entities, mention_names, ...rest } = await tablesOf(other.knex);
    await other.close();
    expect(late.domain_entities).to.deep.equal(domain_entities);
    expect(late.mention_names).to.deep.equal(mention_names);
    expect(rollupsOf(late)).to.deep.equal(rollupsOf(rest));
    expect(late.day_entity).not.to.deep.equal([]);
  }

  it('are compared without case, and with single spaces', async () => {
    expect(foldName(' New\t\u00a0Thing\n')).to.equal(foldName('nEW thing'));
    expect(foldName('New Thing')).not.to.equal(foldName('NewThing'));
    await loaded([...market, ...runs]);
    expect(await entitiesOf('mention_names', 'name_key')).to.deep.equal({
      ' GLOBEX ': 'c',
      'New\u00a0 thing': null,
      acme: 'b',
    });
  });

  it('are compared independent of the encoding of accents, and stored unchanged', async () => {
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];
    const names = [composed, decomposed, decomposed.toUpperCase()];
    const entity = { ...newcomer, name: decomposed };
    const said = names.map((name, at) => ({ name, order: at + 1 }));
    await loaded([...market, entity, runOf('r', { mentions: said })]);
    const found = await entitiesOf('mention_names', 'name_key');
    expect(found).to.deep.equal(Object.fromEntries(names.map((name) => [name, 'n'])));
    const placements = [composed, decomposed].map((product, at) => ({ product, slot: at + 1 }));
    await loaded([runOf('s', { carousels: [{ placements }] })]);
    expect((await tablesOf(database.knex)).day_product).to.have.lengthOf(1);
  });

  it('are folded to the same text for all canonically equivalent spellings', () => {
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      const [composed, decomposed] = [character.normalize('NFC'), character.normalize('NFD')];
      if (composed === decomposed) continue;
      if (foldName(composed) !== foldName(decomposed)) expect.fail(`U+${code.toString(16)}`);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldName(name.normalize('NFD'))).to.equal(foldName(name.normalize('NFC')));
        expect(foldName(foldName(name))).to.equal(foldName(name));
      }),
    );
  });

  it('are resolved again by a rebuild if an earlier version resolved them differently', async () => {
    await loaded([...market, newcomer, ...runs]);
    const before = await tablesOf(database.knex);
    await database.knex.raw('update mention_names set entity = null');
    await database.knex.raw('truncate domain_entities, day_entity');
    for await (const _ of rebuildAll(database.knex, NOW));
    expect(await tablesOf(database.knex)).to.deep.equal(before);
  });

  it('are resolved to a competitor that is added later', async () => {
    await loaded([...market, ...runs]);
    await loaded([newcomer]);
    expect(await entitiesOf('mention_names', 'name_key')).to.include({ 'New\u00a0 thing': 'n' });
    await likeAtOnce([...market, newcomer, ...runs]);
  });

  it('follow an alias that is added or removed later', async () => {
    const renamed = { ...brand, aliases: ['new thing'] };
    await loaded([...market, ...runs]);
    await loaded([renamed]);
    expect(await entitiesOf('mention_names', 'name_key')).to.include({ 'New\u00a0 thing': 'b' });
    await likeAtOnce([...market.filter((record) => record !== brand), renamed, ...runs]);
    await loaded([brand]);
    await likeAtOnce([...market, ...runs]);
  });

  it('follow a name that moves from one entity to another', async () => {
    await loaded([...market, ...runs]);
    const moved = [
      { ...rival, name: 'Elsewhere' },
      { ...brand, aliases: ['Globex'] },
    ];
    await loaded(moved);
    await likeAtOnce([...market.filter((record) => record !== brand && record !== rival), ...moved, ...runs]);
  });

  it('follow a domain that changes, subdomains with it', async () => {
    await loaded([...market, ...runs]);
    const moved = { ...brand, domain: 'WWW.NewThing.dev:8080' };
    await loaded([moved]);
    const owners = await entitiesOf('domain_entities', 'domain_key');
    expect(owners).to.deep.equal({ 'blog.newthing.dev': 'b' });
    await likeAtOnce([...market.filter((record) => record !== brand), moved, ...runs]);
  });

  it('of a domain that two entities share belong to both', async () => {
    await loaded([...market, { ...newcomer, domain: 'acme.com' }, ...runs]);
    const rows = (await tablesOf(database.knex)).domain_entities!.map((row) => JSON.parse(row));
    expect(rows.map(({ domain_key, entity }) => [domain_key, entity])).to.deep.equal([
      ['acme.com', 'b'],
      ['acme.com', 'n'],
    ]);
  });
});
