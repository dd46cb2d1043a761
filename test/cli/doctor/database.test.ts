import { expect } from 'chai';
import type { Check } from '../../../src/cli/doctor/check.js';
import {
  checkCollections,
  checkDestinations,
  checkNames,
  checkNightly,
  checkSchema,
  checkStoredBrands,
  checkStoredKeys,
  checkSurfaces,
  freeCheck,
} from '../../../src/cli/doctor/database.js';
import { createKey } from '../../../src/server/accounts/keys.js';
import { addDestination } from '../../../src/server/alerts/delivery/destinations.js';
import type { MailConfig } from '../../../src/server/alerts/delivery/mail.js';
import {
  brandKeyOf,
  type Collection,
  endCollection,
  planCollections,
  takeCollection,
} from '../../../src/server/answers/collections.js';
import { searchNames } from '../../../src/server/intake/dataset/name-search.js';
import { load, market, runOf } from '../../server/intake/dataset/support/load.js';
import { emptyDatabase } from '../../support/database.js';
import { fresh } from '../../support/hooks.js';

const NOW = new Date('2026-11-22T12:00:00Z');

describe('checks of the content of a database', () => {
  const database = fresh(emptyDatabase);
  beforeEach(async () => {
    await load(database.knex, [...market, runOf('a'), runOf('b', { collected_at: '2026-11-19T08:00:00Z' })]);
  });

  it('report how far stored answers are searched for names that were added', async () => {
    const { knex: db } = database;
    expect(await checkNames(db)).to.equal(null);
    const answer = { answer: 'Acme, then Boltra.', names: 'tracked', mentions: [{ name: 'Acme', order: 1 }] };
    await load(db, [runOf('c', answer)]);
    await load(db, [{ type: 'competitor', id: 'd', brand: 'b', name: 'Boltra' }]);
    const { status, finding } = (await checkNames(db))!;
    expect([status, finding]).to.deep.equal([
      'warning',
      'Stored answers are being searched for names that were added: b back to 2026-11-21.',
    ]);
    for await (const _ of searchNames(db, { now: NOW }));
    expect(await checkNames(db)).to.equal(null);
  });

  it('report finished days without statistics', async () => {
    await database.knex.raw('delete from daily_stats');
    const { status, finding } = await checkNightly(database.knex, NOW, 400);
    expect([status, finding]).to.deep.equal(['warning', 'Pending: statistics of 2 finished days.']);
  });

  it('say of each collected brand what the last collection gave, when the next is, and what is against it', async () => {
    const db = database.knex;
    const checks = async (now = NOW) => {
      const all: Check[] = [];
      for await (const check of checkCollections(db, now)) all.push(check);
      return all;
    };
    expect(await checks()).to.deep.equal([]);
    const [brand] = await brandKeyOf(db, { id: 'b' });
    const { brandKey } = brand!;
    const day = '2026-11-22';
    const started = new Date(`${day}T04:00:00Z`);
    await takeCollection(db, { brandKey, day, journal: 'j', host: 'h', now: started, isForced: false });
    expect((await checks())[0]!.finding)
      .to.include('It has not ended')
      .and.include('plans the next one when this one ends');
    const ended = {
      brandKey,
      day,
      now: new Date(`${day}T04:12:00Z`),
      calls: 240,
      costUsd: 1.24,
      assumedUsd: 0,
    };
    await endCollection(db, {
      ...{ ...ended, outcome: 'complete', reason: null, answered: 120, missing: 0, waiting: 0 },
    });
    const dueAt = new Date('2026-11-23T04:00:00Z');
    const plan = (reason: string | null, remedy: Collection['remedy'] = null) =>
      planCollections(db, brandKey, {
        next: { day: '2026-11-23', dueAt, reason, remedy },
        ...{ missed: [], now: NOW },
      });
    await plan(null);
    expect(await checks()).to.deep.equal([
      {
        ...{ name: 'collection', status: 'ok', remedy: null },
        finding:
          'b: 120 of 120 answers for $1.24 (240 calls), from 2026-11-22 04:00 UTC to 04:12; next 2026-11-23 04:00 UTC.',
      },
    ]);
    expect((await checks(new Date('2026-11-23T05:00:00Z')))[0]).to.include({ status: 'warning' });
    await plan('svc.toml: line 3\nline 4');
    const [held] = await checks();
    expect([held!.status, held!.finding]).to.satisfy(
      ([status, text]: string[]) => status === 'warning' && text!.includes('svc.toml: line 3; line 4'),
    );
    await plan('OPENAI_API_KEY is not set.', 'restart');
    expect((await checks())[0]).to.include({
      ...{ status: 'warning', remedy: 'Correct the environment and start the server again.' },
      finding:
        'b: 120 of 120 answers for $1.24 (240 calls), from 2026-11-22 04:00 UTC to 04:12; next 2026-11-23 04:00 UTC. OPENAI_API_KEY is not set.',
    });
    await plan(null);
    await endCollection(db, {
      ...{
        ...ended,
        outcome: 'incomplete',
        reason: '1 run is missing.',
        answered: 119,
        missing: 1,
        waiting: 0,
      },
    });
    const [missing] = await checks();
    expect([missing!.status, missing!.finding.includes('1 run is missing.')]).to.deep.equal([
      'warning',
      true,
    ]);
  });

  it('report crawler hits that should have been deleted, a day after they expired', async () => {
    await database.knex.raw(
      `insert into crawler_events (brand_key, dedupe_key, agent, path, time, received_at)
       select brand_key, 'x', 'gptbot', '/', '2026-11-11T12:00:00Z', '2026-11-11T12:00:00Z' from brands limit 1`,
    );
    await database.knex.raw(
      `insert into crawler_connections (brand_key, last_event_at, data_version)
       select brand_key, '2026-11-11T12:00:00Z', 1 from brands order by brand_key limit 1`,
    );
    const pending = async (days: number) => (await checkNightly(database.knex, NOW, days)).finding;
    expect(await pending(9)).to.contain('expired crawler requests of 1 brand');
    expect(await pending(11)).to.not.contain('expired');
  });

  it('name the keys that expire within two weeks, and report that none works', async () => {
    const { rows } = await database.knex.raw('select id from workspaces limit 1');
    const workspace = rows[0].id;
    expect(await checkStoredKeys(database.knex, NOW)).to.include({ status: 'warning' });
    await createKey(database.knex, { workspace, kind: 'read' }, NOW);
    expect(await checkStoredKeys(database.knex, NOW)).to.include({ status: 'ok', finding: '1 key works.' });
    const { key } = await createKey(database.knex, { workspace, kind: 'read', expires: '2026-11-30' }, NOW);
    const { status, finding } = await checkStoredKeys(database.knex, NOW);
    expect(status).to.equal('warning');
    expect(finding)
      .to.contain(`${key.slice(0, 12)}… at 2026-12-01T00:00Z`)
      .and.not.contain(key);
  });

  it('name the brands whose answers come from other surfaces than in the week before', async () => {
    expect(await checkSurfaces(database.knex, NOW)).to.include({ status: 'ok' });
    const week = (surface: string, collected_at: string) =>
      Array.from({ length: 5 }, (_, at) => runOf(`${surface}${at}`, { surface, collected_at }));
    await load(database.knex, week('api', '2026-11-12T08:00:00Z'));
    expect(await checkSurfaces(database.knex, NOW)).to.include({ status: 'ok' });
    await load(database.knex, week('ui', '2026-11-20T09:00:00Z'));
    const { status, finding } = await checkSurfaces(database.knex, NOW);
    expect([status, finding]).to.deep.equal([
      'warning',
      'The surfaces that answers are collected from changed for b: verdicts of this brand are unknown.',
    ]);
  });

  it('count the stored brands', async () => {
    expect((await checkStoredBrands(database.knex)).finding).to.match(/^\d+ brands? stored/);
  });

  it('report destinations at which nothing arrives, and mail without a mail server', async () => {
    const check = (mail: MailConfig | null = null) => checkDestinations(database.knex, { mail });
    expect(await check()).to.equal(null);
    const add = (kind: 'slack' | 'email', address: string) =>
      addDestination(database.knex, { workspace: 'w', kind, address }, { allowPrivate: false, now: NOW });
    const { id } = await add('slack', 'https://hooks.slack.example/hidden');
    expect(await check()).to.include({ status: 'ok', finding: '1 destination of events.' });
    await add('email', 'team@example.com');
    expect(await check()).to.include({ status: 'warning', remedy: 'Set SMTP_URL and MAIL_FROM.' });
    const mail = { url: 'smtp://mail.example', from: { name: '', address: 'a@b.example' } };
    expect(await check(mail)).to.include({ status: 'ok' });
    await database.knex.raw(
      "update destinations set failed_at = now(), failure = 'HTTP status 404' where id = ?",
      [id],
    );
    const failing = (await check(mail))!;
    expect(failing.status).to.equal('warning');
    expect(failing.finding).to.contain(
      'nothing arrives at slack https://hooks.slack.example/… (HTTP status 404)',
    );
  });

  it('report a schema of a newer version as a failure', async () => {
    await database.knex.raw("insert into knex_migrations (name, batch) values ('99-later', 9)");
    try {
      const { isCurrent, check } = await checkSchema(database.knex);
      expect([isCurrent, check.status]).to.deep.equal([false, 'failure']);
    } finally {
      await database.knex.raw("delete from knex_migrations where name = '99-later'");
    }
  });
});

describe('the check of a disk', () => {
  it('warns below 2 GiB and fails below 100 MiB', () => {
    const statusOf = (mib: number) => freeCheck('', mib * 1024 ** 2).status;
    expect([99, 100, 2047, 2048].map(statusOf)).to.deep.equal(['failure', 'warning', 'warning', 'ok']);
  });
});
