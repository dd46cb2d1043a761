import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import {
  type DeliveryReport,
  type DeliverySettings,
  pauseAfter,
  startDeliveries,
} from '../../../../src/server/alerts/delivery/deliveries.js';
import {
  addDestination,
  failureOf,
  listDestinations,
  resumeDestination,
  rotateSecret,
} from '../../../../src/server/alerts/delivery/destinations.js';
import { enqueue, eventId } from '../../../../src/server/alerts/delivery/outbox.js';
import { createLog } from '../../../../src/server/base/log.js';
import type { Database } from '../../../../src/server/database/database.js';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { emptyDatabase } from '../../../support/database.js';
import { load, market } from '../../intake/dataset/support/load.js';
import { eventOf, NOW } from './support/events.js';
import { type Receiver, receiver } from './support/receiver.js';

const SETTINGS: DeliverySettings = { allowPrivate: true, mail: null, publicUrl: 'https://svc.example' };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits until something is true, for as long as the test may take. */
const eventually = async (isTrue: () => Promise<boolean> | boolean) => {
  while (!(await isTrue())) await wait(5);
};

describe('the pauses between attempts', () => {
  it('are those of the contract, up to a fifth longer, and end', () => {
    const pauses = Array.from({ length: 9 }, (_, i) => pauseAfter(i + 1, 0, 0));
    expect(pauses).to.deep.equal([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, null]);
    expect(pauseAfter(1, 0, 1)).to.equal(6);
    expect(pauseAfter(1, 60, 0)).to.equal(60);
    expect(pauseAfter(4, 60, 0)).to.equal(7200);
    expect(pauseAfter(50, 0, 0)).to.equal(null);
  });
});

describe('deliveries', () => {
  let database: Database;
  let target: Receiver;
  let now: Date;
  const running: { stop(): Promise<void> }[] = [];
  beforeEach(async () => {
    database = await emptyDatabase();
    target = await receiver();
    now = NOW;
    await load(database.knex, market);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()));
    await target.close();
    await database.close();
  });

  const add = (more: object = {}) =>
    addDestination(
      database.knex,
      { workspace: 'w', kind: 'webhook', address: target.url, ...more },
      { allowPrivate: true, now },
    );
  const begin = (log = createLog('silent'), report?: DeliveryReport, settings = SETTINGS) => {
    const overrides = { clock: () => now, random: () => 0, everyMs: 5, report };
    const one = startDeliveries(database.knex, log, settings, overrides);
    running.push(one);
    return one;
  };
  const listed = async () => (await listDestinations(database.knex, {}))[0]!;
  const ended = () => eventually(async () => (await listed()).pending === 0);
  const pass = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
  };
  const ids = () => target.received.map(({ headers }) => headers['webhook-id']);

  it('bring an event to its receiver, signed, with a link', async () => {
    const { secret } = await add();
    await enqueue(database.knex, [eventOf('a')]);
    begin();
    await ended();
    expect(ids()).to.deep.equal([eventId(eventOf('a'))]);
    const [{ headers, body }] = target.received as [Receiver['received'][number]];
    const signed = new Webhook(secret!).sign(ids()[0] as string, NOW, body);
    expect(headers['webhook-signature']).to.equal(signed);
    expect(headers['webhook-timestamp']).to.equal(String(NOW.getTime() / 1000));
    expect(JSON.parse(body).data.link).to.equal('https://svc.example/brands/b');
    expect(await listed()).to.deep.include({ deliveredAt: NOW, failedAt: null, pending: 0, givenUp: 0 });
  });

  it('are retried with the same id, at the times of the contract, until one succeeds', async () => {
    await add();
    await enqueue(database.knex, [eventOf('a')]);
    target.answer = (response) => response.writeHead(500).end();
    begin();
    await target.until(1);
    for (const [at, seconds] of [5, 300, 1800, 7200].entries()) {
      await eventually(async () => (await listed()).failedAt?.getTime() === now.getTime());
      pass(seconds - 1);
      await wait(30);
      expect(target.received).to.have.length(at + 1);
      if (seconds === 7200) target.answer = (response) => response.writeHead(200).end();
      pass(1);
      await target.until(at + 2);
    }
    await ended();
    expect(new Set(ids()).size).to.equal(1);
    expect(failureOf(await listed())).to.equal(null);
  });

  it('end after the last attempt, which is listed with its reason', async () => {
    await add();
    await enqueue(database.knex, [eventOf('a')]);
    target.answer = (response) => response.writeHead(404).end();
    const attempted: string[] = [];
    begin(undefined, { attempted: (_, result) => attempted.push(result), pending: () => {} });
    for (let attempt = 1; attempt <= 9; attempt++) {
      await target.until(attempt);
      await eventually(() => attempted.length === attempt);
      pass(90_000);
    }
    await ended();
    await wait(30);
    expect(target.received).to.have.length(9);
    expect(attempted).to.deep.equal([...Array(8).fill('retried'), 'failed']);
    const row = await listed();
    expect(row).to.deep.include({ givenUp: 1, pausedAt: null });
    expect(failureOf(row)).to.equal('HTTP status 404');
  });

  it('pause a destination whose receiver is gone, until it is resumed', async () => {
    const { id } = await add();
    await enqueue(database.knex, [eventOf('a'), eventOf('b', { at: new Date(NOW.getTime() + 1) })]);
    target.answer = (response) => response.writeHead(410).end();
    begin();
    await eventually(async () => (await listed()).pausedAt !== null);
    pass(100_000);
    await wait(30);
    expect(target.received).to.have.length(1);
    expect(failureOf(await listed())).to.equal('HTTP status 410: the receiver is gone');
    target.answer = (response) => response.writeHead(200).end();
    await resumeDestination(database.knex, { id });
    await ended();
    expect(ids()).to.deep.equal([eventId(eventOf('a')), eventId(eventOf('b'))]);
  });

  it('of an event that cannot be read fail, and keep no others of the destination waiting', async () => {
    await add();
    await enqueue(database.knex, [eventOf('a'), eventOf('b', { at: new Date(NOW.getTime() + 1) })]);
    await database.knex.raw("update events set data = 'null' where id = ?", [eventId(eventOf('a'))]);
    begin();
    await target.until(1);
    expect(ids()).to.deep.equal([eventId(eventOf('b'))]);
    const { rows } = await database.knex.raw('select failure from deliveries where event_id = ?', [
      eventId(eventOf('a')),
    ]);
    expect(rows[0].failure).to.equal('the stored event cannot be read');
  });

  it('of a receiver that fails do not keep others from theirs', async () => {
    const other = await receiver();
    target.answer = () => {};
    await add();
    await add({ address: other.url });
    await enqueue(
      database.knex,
      ['a', 'b', 'c'].map((key) => eventOf(key)),
    );
    begin();
    await other.until(3);
    expect(target.received).to.have.length(1);
    await other.close();
  });

  it('of slow receivers with a backlog keep neither a fast receiver nor the retries of another waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 3 }, receiver));
    const held: (() => void)[] = [];
    for (const each of slow) {
      each.answer = (response) => held.push(() => response.writeHead(200).end());
      await add({ address: each.url });
    }
    const failing = await receiver();
    failing.answer = (response) => response.writeHead(500).end();
    await add({ address: failing.url });
    await enqueue(
      database.knex,
      ['a', 'b', 'c'].map((key) => eventOf(key)),
    );
    await add();
    await enqueue(database.knex, [eventOf('d', { at: new Date(NOW.getTime() + 1) })]);
    begin();
    await eventually(() => held.length === 3);
    await target.until(1);
    await failing.until(4);
    pass(10);
    // The failure of the last one may be noted after that.
    await failing.until(7);
    expect(slow.map(({ received }) => received.length)).to.deep.equal([1, 1, 1]);
    for (const each of slow) each.answer = (response) => response.writeHead(200).end();
    for (const answer of held) answer();
    await Promise.all(slow.map((each) => each.until(4)));
    await Promise.all([...slow, failing].map((each) => each.close()));
  });

  it('are made once by two servers', async () => {
    await add();
    const events = Array.from({ length: 20 }, (_, i) => eventOf(`event ${i}`));
    begin();
    begin();
    await enqueue(database.knex, events);
    await ended();
    await wait(30);
    expect([...ids()].sort()).to.deep.equal(events.map(eventId).sort());
  });

  it('have both signatures while a secret is rotated', async () => {
    const { id, secret: former } = await add();
    const { secret } = await rotateSecret(database.knex, { id, now });
    begin();
    await enqueue(database.knex, [eventOf('a')]);
    await target.until(1);
    pass(86_400);
    await enqueue(database.knex, [eventOf('b')]);
    await target.until(2);
    const signatures = target.received.map(({ headers }) => String(headers['webhook-signature']).split(' '));
    expect(signatures.map((each) => each.length)).to.deep.equal([2, 1]);
    const { body } = target.received[0]!;
    const signedBy = (by: string) => new Webhook(by).sign(eventId(eventOf('a')), NOW, body);
    expect(signatures[0]).to.deep.equal([signedBy(secret), signedBy(former!)]);
  });

  it('that a stopping server sends are aborted after a while, and made by the next one', async () => {
    await add();
    await enqueue(database.knex, [eventOf('a')]);
    target.answer = () => {};
    const first = begin();
    await target.until(1);
    await first.stop();
    target.answer = (response) => response.writeHead(200).end();
    begin();
    await ended();
    expect(ids()).to.deep.equal([eventId(eventOf('a')), eventId(eventOf('a'))]);
  });

  it('say nothing secret in the log, whatever happens', async () => {
    const { log, lines } = collectingLog();
    const { secret } = await add();
    await add({ kind: 'email', address: 'team@example.com' });
    await add({ kind: 'slack', address: 'http://127.0.0.1:1/services/hidden' });
    target.answer = (response, { headers }) =>
      response.writeHead(500).end(`hidden ${headers['webhook-signature']}`);
    begin(log);
    await enqueue(database.knex, [eventOf('a')]);
    await eventually(async () =>
      (await listDestinations(database.knex, {})).every(({ failedAt }) => failedAt),
    );
    await running.splice(0)[0]!.stop();
    const text = lines.join('');
    expect(text).to.contain('event not delivered').and.contain('HTTP status 500');
    for (const hidden of [
      'hidden',
      'path-that-is-secret',
      secret!,
      secret!.slice(6),
      'team@example.com',
      'v1,',
    ])
      expect(text).to.not.contain(hidden);
  });

  it('go on after a failure of the database', async () => {
    const { log, lines } = collectingLog();
    const broken = { raw: () => Promise.reject(new Error('gone')) } as never;
    const one = startDeliveries(broken, log, SETTINGS, { everyMs: 5 });
    await eventually(() => lines.length >= 2);
    await one.stop();
    expect(lines.join('')).to.contain('deliveries failed');
  });

  it('forget events after ninety days, with their deliveries', async () => {
    await add();
    await enqueue(database.knex, [eventOf('a')]);
    begin();
    await ended();
    pass(91 * 86_400);
    await eventually(async () => {
      const { rows } = await database.knex.raw(
        'select (select count(*) from events) + (select count(*) from deliveries) as rows',
      );
      return Number(rows[0].rows) === 0;
    });
  });
});
