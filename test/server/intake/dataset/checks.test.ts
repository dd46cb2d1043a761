import { expect } from 'chai';
import { BATCH_RECORDS } from '../../../../src/server/intake/dataset/import.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { everyType } from './support/all-types.js';
import {
  brand,
  load,
  market,
  otherPrompt,
  prompt,
  refusal,
  rival,
  runOf,
  workspace,
} from './support/load.js';
import { tablesOf } from './support/tables.js';

describe('dataset: checks of the whole file', () => {
  const database = fresh(emptyDatabase);

  const loaded = (lines: object[]) => load(database.knex, lines);
  const refused = (lines: (object | string)[]) => refusal(database.knex, lines);

  it('refuse equal names of two entities on their line', async () => {
    const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];
    const twin = { ...rival, id: 'd', name: decomposed };
    expect(await refused([...market, { ...rival, id: 'e', name: composed }, twin])).to.equal(
      `line 7: name: expected names that no other entity of the brand has, but e is called ${composed.toLowerCase()} too`,
    );
  });

  it('refuse times more than a day in the future', async () => {
    const late = '2026-11-21T12:00:00.001Z';
    const event = { type: 'crawler_event', brand: 'b', agent: 'gptbot', path: '/' };
    const lines = [
      ...market,
      { ...event, time: '2999-01-01T00:00:00Z' },
      { ...event, time: '2026-11-21T12:00:00Z' },
      { ...brand, id: 'c', last_event_at: late },
      runOf('r', { collected_at: late }),
    ];
    expect(await refused(lines)).to.equal(
      [
        'line 6: time: expected at most 24 h from now, got 2999-01-01T00:00:00Z',
        `line 8: last_event_at: expected at most 24 h from now, got ${late}`,
        `line 9: collected_at: expected at most 24 h from now, got ${late}`,
      ].join('\n'),
    );
  });

  describe('two lines with one key', () => {
    it('are accepted if they are equal, also with another spelling of times, fields and nulls', async () => {
      const run = runOf('r', {
        ad: { cards: [] },
        carousels: [{ placements: [{ slot: 1, product: 'P', url: null }] }],
        citations: [{ url: 'https://acme.com/' }],
      });
      const same = {
        ...Object.fromEntries(Object.entries(run).reverse()),
        ad: { advertiser: null },
        carousels: [{ placements: [{ product: 'P', slot: 1 }] }],
        citations: [{ url: 'https://acme.com/?utm_source=x', title: null }],
        collected_at: '2026-11-20T13:30:00+05:30',
      };
      await loaded([...market, run, same, { ...prompt, tags: null }]);
    });

    it('are refused if they differ, in one batch or far apart', async () => {
      const lines = [...market, { ...rival, name: 'Other' }, runOf('r'), runOf('r', { region: 'de' })];
      expect(await refused(lines)).to.equal(
        [
          'line 6: expected the same competitor as on line 3, or another id',
          'line 8: expected the same run as on line 7, or another id',
        ].join('\n'),
      );
      const apart = Array.from({ length: BATCH_RECORDS + 1 }, (_, at) => runOf(`r${at}`));
      expect(await refused([...market, ...apart, runOf('r0', { answer: 'A' })])).to.equal(
        `line ${apart.length + 6}: expected the same run as on line 6, or another id`,
      );
    });

    it('are only counted after the first twenty', async () => {
      const lines = Array.from({ length: 30 }, (_, at) => [
        runOf(`r${at}`),
        runOf(`r${at}`, { region: 'de' }),
      ]);
      expect((await refused([...market, ...lines.flat()])).split('\n').at(-1)).to.equal('and 10 more');
    });

    it('are two records if their brands or types differ', async () => {
      const other = { ...brand, id: 'b2', name: 'Other' };
      await loaded([
        ...market,
        other,
        { ...rival, brand: 'b2', id: 'p' },
        { ...prompt, brand: 'b2', text: 'x' },
      ]);
    });
  });

  describe('references', () => {
    const words = (field: string, id: string) =>
      `${field}: expected a ${field} that this file or the database has, got ${id}`;

    it('are resolved by later lines and by the database', async () => {
      await loaded([...everyType].reverse());
      await loaded([runOf('later'), { type: 'topic', id: 'u', brand: 'b', name: 'U' }]);
      expect((await tablesOf(database.knex)).runs).to.have.lengthOf(4);
    });

    it('are refused if they cannot be resolved, for every kind', async () => {
      const lines = [
        ...market,
        { ...prompt, id: 'x', brand: 'no-brand' },
        { ...brand, id: 'b2', workspace: 'no-workspace' },
        { type: 'reclassification', workspace: 'no-workspace', domain: 'x.com', classification: 'y' },
        runOf('r', { prompt: 'no-prompt' }),
        { ...otherPrompt, id: 'y', topic: 'no-topic' },
        {
          type: 'daily_stat',
          brand: 'b',
          entity: 'no-entity',
          engine: 'aio',
          date: '2026-01-01',
          run_count: 1,
          visibility: 1,
        },
        {
          type: 'offsite_mention',
          id: 'o',
          brand: 'b',
          week: '2026-11-16',
          kind: 'web',
          entity: 'w',
          title: '',
          url: '',
          found_at: '2026-11-16T00:00:00Z',
        },
      ];
      expect((await refused(lines)).split('\n')).to.deep.equal([
        `line 6: ${words('brand', 'no-brand')}`,
        `line 7: ${words('workspace', 'no-workspace')}`,
        `line 8: ${words('workspace', 'no-workspace')}`,
        `line 9: ${words('prompt', 'no-prompt')}`,
        `line 10: ${words('topic', 'no-topic')}`,
        `line 11: ${words('entity', 'no-entity')}`,
        `line 12: ${words('entity', 'w')}`,
      ]);
    });

    it('are not resolved by records of another brand', async () => {
      const other = { ...brand, id: 'b2', name: 'Other' };
      const lines = [
        ...market,
        other,
        { ...otherPrompt, id: 'q2', brand: 'b2' },
        runOf('r', { prompt: 'q2' }),
      ];
      expect(await refused(lines)).to.equal(`line 8: ${words('prompt', 'q2')}`);
    });
  });

  describe('times', () => {
    it('of a run may be at most 24 h in the future', async () => {
      await loaded([...market, runOf('r', { collected_at: '2026-11-21T12:00:00Z' })]);
      expect(await refused([runOf('r', { collected_at: '2026-11-21T12:00:00.001Z' })])).to.equal(
        'line 1: collected_at: expected at most 24 h from now, got 2026-11-21T12:00:00.001Z',
      );
    });

    it('of a run must not be after the archived_at of its brand', async () => {
      const archived = { ...brand, archived_at: '2026-11-10T10:00:00Z' };
      const lines = [workspace, archived, prompt, runOf('r', { collected_at: '2026-11-10T10:00:00Z' })];
      await loaded(lines);
      expect(await refused([runOf('s', { collected_at: '2026-11-10T10:00:00.001Z' })])).to.equal(
        "line 1: collected_at: expected no later than the brand's archived_at 2026-11-10T10:00:00.000Z, got 2026-11-10T10:00:00.001Z",
      );
      await loaded([brand, runOf('s')]);
    });

    it('of archived_at must not be before a stored run, with one problem for any number of runs', async () => {
      await loaded([...market, runOf('r'), runOf('s', { collected_at: '2026-11-19T00:00:00Z' })]);
      expect(await refused([{ ...brand, archived_at: '2026-11-01T00:00:00Z' }])).to.equal(
        'line 1: archived_at: expected no run after it, but one was collected at 2026-11-20T08:00:00.000Z',
      );
      const moved = ['r', 's'].map((id) => runOf(id, { collected_at: '2026-10-01T00:00:00Z' }));
      await loaded([{ ...brand, archived_at: '2026-11-01T00:00:00Z' }, ...moved]);
    });

    it('of a daily_stat must be before the last 56 days', async () => {
      const stat = {
        type: 'daily_stat',
        brand: 'b',
        entity: 'b',
        engine: 'aio',
        run_count: 1,
        visibility: 1,
      };
      await loaded([...market, { ...stat, date: '2026-09-25' }]);
      expect(await refused([{ ...stat, date: '2026-09-26' }])).to.equal(
        'line 1: date: expected a day older than the 56 that end today (2026-11-20), got 2026-09-26',
      );
    });
  });

  describe('entities of a brand', () => {
    const shared = (other: string, name: string) =>
      `name: expected names that no other entity of the brand has, but ${other} is called ${name} too`;

    it('must not share a name or alias, compared without case and white space', async () => {
      expect(await refused([...market, { ...rival, id: 'd', name: 'X', aliases: ['gLOBEX '] }])).to.equal(
        `line 6: ${shared('c', 'globex')}`,
      );
      await loaded(market);
      expect(await refused([{ ...rival, name: 'New', aliases: ['ACME'] }])).to.equal(
        `line 1: ${shared('b', 'acme')}`,
      );
      expect(await refused([workspace, { ...brand, aliases: ['Globex'] }])).to.equal(
        `line 2: ${shared('b', 'globex')}`,
      );
    });

    it('are reported on the line that added the name, even if a later entity has it', async () => {
      await loaded([...market, { type: 'competitor', id: 'd', brand: 'b', name: 'Delta' }]);
      expect(await refused([brand, { ...rival, name: 'delta' }])).to.equal(`line 2: ${shared('c', 'delta')}`);
    });

    it('may repeat their own name and a name of another brand', async () => {
      const other = { ...brand, id: 'b2', aliases: ['acme', 'ACME'] };
      await loaded([...market, other]);
    });

    it('must not have the id of the brand', async () => {
      expect(await refused([...market, { ...rival, id: 'b', name: 'X' }])).to.equal(
        "line 6: id: expected another id than the brand's, got b",
      );
    });
  });
});
