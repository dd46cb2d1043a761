import { expect } from 'chai';
import type { EventMessage } from '../../../../src/contract/events.js';
import {
  addDestination,
  pauseDestination,
  resumeDestination,
} from '../../../../src/server/alerts/delivery/destinations.js';
import { messageOf } from '../../../../src/server/alerts/delivery/message.js';
import {
  claimDelivery,
  dropOldEvents,
  enqueue,
  eventId,
  noteDelivered,
  noteFailed,
  pendingDeliveries,
  releaseClaim,
} from '../../../../src/server/alerts/delivery/outbox.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { load, market } from '../../intake/dataset/support/load.js';
import { dataOf, eventOf, moveOf, NOW } from './support/events.js';

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

describe('the outbox', () => {
  const database = fresh(emptyDatabase);
  beforeEach(async () => {
    await load(database.knex, [
      ...market,
      { type: 'brand', id: 'b2', workspace: 'w', name: 'Second', domain: 'second.example' },
      { type: 'workspace', id: 'v', name: 'V', plan: 'growth' },
      { type: 'brand', id: 'foreign', workspace: 'v', name: 'Foreign', domain: 'foreign.example' },
    ]);
  });

  const destination = async (more: object = {}) => {
    const wanted = {
      workspace: 'w',
      kind: 'webhook',
      address: 'https://receiver.example/x',
      ...more,
    } as const;
    return (await addDestination(database.knex, wanted, { allowPrivate: false, now: NOW })).id;
  };
  const pending = async () => (await pendingDeliveries(database.knex, {}))[0]!.pending;
  const claim = async (now: Date | null = NOW, name = 'a', anyTurn = false) =>
    claimDelivery(database.knex, { now, claim: name, anyTurn });
  const claimOf = (
    { eventId: id, destinationId }: { eventId: string; destinationId: string },
    name = 'a',
  ) => ({
    eventId: id,
    destinationId,
    claim: name,
    now: NOW,
  });

  it('stores an event once, whoever enqueues it again, with one delivery', async () => {
    await destination();
    const event = eventOf('visibility 2026-11-09 down');
    expect(await enqueue(database.knex, [event, event])).to.deep.equal([eventId(event)]);
    expect(await enqueue(database.knex, [{ ...event, at: later(86_400) }])).to.deep.equal([]);
    expect(await pending()).to.equal(1);
  });

  it('tells events apart by type, brand and key', () => {
    const ids = [
      eventOf('a'),
      eventOf('b'),
      eventOf('a', { type: 'model.changed' }),
      eventOf('a', { data: dataOf({ brand: { id: 'b2', name: 'Second', domain: '' } }) }),
    ].map(eventId);
    expect(new Set(ids).size).to.equal(4);
    expect(ids[0])
      .to.match(/^evt_[\da-f]{40}$/)
      .and.equal(eventId(eventOf('a', { at: later(5) })));
  });

  it('has neither event nor delivery of a transaction that failed', async () => {
    await destination();
    const failing = database.knex.transaction(async (trx) => {
      await enqueue(trx, [eventOf('a')]);
      throw new Error('the import failed');
    });
    expect(await failing.catch((error: Error) => error.message)).to.equal('the import failed');
    expect(await pending()).to.equal(0);
    expect(await enqueue(database.knex, [eventOf('a')])).to.have.length(1);
  });

  it('delivers to those of the workspace that want the type and the brand', async () => {
    const all = await destination();
    const second = await destination({ brands: ['b2'] });
    await destination({ events: ['digest.weekly'] });
    await destination({ workspace: 'v' });
    await enqueue(database.knex, [eventOf('a')]);
    const data = dataOf({ brand: { id: 'b2', name: 'Second', domain: 'second.example' } });
    await enqueue(database.knex, [eventOf('b', { data, at: later(1) })]);
    const { rows } = await database.knex.raw(
      'select destination_id as id from deliveries order by destination_id',
    );
    expect(rows.map(({ id }: { id: string }) => id)).to.deep.equal([all, all, second].sort());
  });

  it('delivers what is told of a night to those that want any of it, each with what it wants', async () => {
    await destination({ events: ['move.detected'] });
    await destination({ events: ['model.changed'] });
    await destination({ events: ['robots.changed'] });
    const moves = [
      moveOf('Presence rose', { engines: ['chatgpt'], rivals: ['Globex'] }),
      moveOf('New model on Claude', { type: 'model.changed', link: '/brands/b?x' }),
    ];
    const event = eventOf('a', { data: dataOf({ moves }) });
    await enqueue(database.knex, [event]);
    expect(await pending()).to.equal(2);
    const bodies: EventMessage[] = [];
    for (const name of ['one', 'other']) {
      const claimed = (await claim(NOW, name))!;
      bodies.push(messageOf({ ...claimed, id: claimed.eventId }, 'https://svc.example', claimed.wanted).body);
    }
    const told = bodies.map(({ type, data }) => [type, data.title, data.moves.map(({ title }) => title)]);
    expect(told).to.have.deep.members([
      ['move.detected', 'Presence rose', ['Presence rose']],
      ['model.changed', 'New model on Claude', ['New model on Claude']],
    ]);
    const { data } = bodies.find(({ type }) => type === 'model.changed')!;
    expect(data.link).to.equal('https://svc.example/brands/b?x').and.equal(data.moves[0]!.link);
  });

  it('delivers nothing to a paused destination, of an event that happens meanwhile', async () => {
    const id = await destination();
    await enqueue(database.knex, [eventOf('before')]);
    await pauseDestination(database.knex, { id, now: NOW, reason: null });
    await enqueue(database.knex, [eventOf('meanwhile')]);
    expect(await claim()).to.equal(undefined);
    const { rows } = await database.knex.raw('select count(*) as rows from deliveries');
    expect(rows[0].rows).to.equal(1);
  });

  it('does not store an event of a brand that does not exist', async () => {
    const data = dataOf({ brand: { id: 'nothing', name: 'N', domain: '' } });
    expect(await enqueue(database.knex, [eventOf('a', { data })])).to.deep.equal([]);
  });

  it('is claimed once, until the claim is over', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a')]);
    const first = await claim(NOW, 'a');
    expect(first).to.deep.include({ attempts: 1, type: 'move.detected', kind: 'webhook' });
    expect(first!.data).to.deep.equal(dataOf());
    expect(await claim(later(59), 'b')).to.equal(undefined);
    expect(await claim(later(61), 'b')).to.deep.include({ attempts: 2, eventId: first!.eventId });
    expect(await noteDelivered(database.knex, claimOf(first!, 'a'))).to.deep.equal([]);
    expect(await noteDelivered(database.knex, claimOf(first!, 'b'))).to.have.length(1);
    expect(await claim(later(1_000_000), 'c')).to.equal(undefined);
  });

  it('is claimed by one of many servers at once', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a')]);
    const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(NOW, `server ${i}`)));
    expect(claims.filter((each) => each !== undefined)).to.have.length(1);
  });

  it('has one message of a destination claimed, however many servers claim at once', async () => {
    const [first, second] = [await destination(), await destination()];
    const events = Array.from({ length: 8 }, (_, i) => eventOf(`event ${i}`));
    for (let round = 0; round < 5; round++) {
      await enqueue(
        database.knex,
        events.map((event) => ({ ...event, key: `${event.key} ${round}` })),
      );
      const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => claim(NOW, `server ${i}`)));
      const claimed = claims.filter((each) => each !== undefined);
      expect(claimed.map((each) => each.destinationId).sort()).to.deep.equal([first, second].sort());
      for (const each of claimed)
        await noteDelivered(database.knex, claimOf(each, `server ${claims.indexOf(each)}`));
    }
  });

  it('has those of destinations that fail claimed last', async () => {
    const broken = await destination();
    await enqueue(
      database.knex,
      ['a', 'b'].map((key) => eventOf(key)),
    );
    const one = (await claim())!;
    await noteFailed(database.knex, { ...claimOf(one), failure: 'x', pause: null, waitSeconds: 5 });
    const working = await destination();
    await enqueue(database.knex, [eventOf('c', { at: later(1) })]);
    expect((await claim(later(10), 'b'))!.destinationId).to.equal(working);
    expect((await claim(later(10), 'c'))!.destinationId).to.equal(broken);
  });

  it('has destinations take turns, and those that fail only where they may', async () => {
    const [slow, failing] = [await destination(), await destination()];
    await enqueue(
      database.knex,
      ['a', 'b', 'c'].map((key) => eventOf(key)),
    );
    const turn = async (at: number, anyTurn = false) => {
      const now = later(at);
      const one = (await claim(now, 'a', anyTurn))!;
      const noted = { ...claimOf(one), now };
      if (one.destinationId === failing)
        await noteFailed(database.knex, { ...noted, failure: 'x', pause: null, waitSeconds: 5 });
      else await noteDelivered(database.knex, noted);
      return one.destinationId;
    };
    const firstTurns = [await turn(1), await turn(2)];
    expect(firstTurns.sort()).to.deep.equal([slow, failing].sort());
    const added = await destination();
    await enqueue(database.knex, [eventOf('d', { at: later(60) })]);
    expect(await turn(3)).to.equal(added);
    expect(await turn(4)).to.equal(slow);
    expect(await turn(5, true)).to.equal(failing);
    expect(await turn(6)).to.equal(slow);
    expect(await turn(7)).to.equal(slow);
    expect(await turn(8)).to.equal(failing);
  });

  it('is claimed again soon after a clock was set back', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a')]);
    expect((await claim(later(86_400), 'killed'))!.attempts).to.equal(1);
    expect((await claim(NOW, 'next'))!.attempts).to.equal(2);
  });

  it('is noted though its destination is paused meanwhile, and waits for it after a failure', async () => {
    const id = await destination();
    await enqueue(
      database.knex,
      ['a', 'b'].map((key) => eventOf(key)),
    );
    const pause = () => pauseDestination(database.knex, { id, now: NOW, reason: null });
    const first = (await claim())!;
    await pause();
    expect(await noteDelivered(database.knex, claimOf(first))).to.have.length(1);
    await resumeDestination(database.knex, { id });
    const second = (await claim())!;
    await pause();
    const failed = { ...claimOf(second), failure: 'x', pause: null, waitSeconds: 5 };
    expect(await noteFailed(database.knex, failed)).to.have.length(1);
    expect(await claim(later(100))).to.equal(undefined);
    await resumeDestination(database.knex, { id });
    expect(await claim(later(100))).to.deep.include({ attempts: 2, eventId: second.eventId });
  });

  it('is forgotten after ninety days by the clock that its attempts follow', async () => {
    await enqueue(database.knex, [eventOf('a')]);
    const events = async () => (await database.knex.raw('select count(*) as rows from events')).rows[0].rows;
    await dropOldEvents(database.knex, { now: later(89 * 86_400) });
    expect(await events()).to.equal(1);
    await dropOldEvents(database.knex, { now: later(91 * 86_400) });
    expect(await events()).to.equal(0);
  });

  it('sends one message at a time to a destination, and others meanwhile', async () => {
    const [first, second] = [await destination(), await destination()];
    await enqueue(database.knex, [eventOf('a'), eventOf('b', { at: later(1) })]);
    const claims = [await claim(NOW, 'x'), await claim(NOW, 'y'), await claim(NOW, 'z')];
    expect(claims.map((each) => each?.destinationId).sort()).to.deep.equal([first, second, undefined].sort());
  });

  it('waits after a failure, and ends after the last', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a')]);
    const one = (await claim())!;
    const failed = { ...claimOf(one), failure: 'HTTP status 500', pause: null };
    await noteFailed(database.knex, { ...failed, waitSeconds: 300 });
    expect(await claim(later(299))).to.equal(undefined);
    const again = (await claim(later(301)))!;
    expect(again.attempts).to.equal(2);
    await noteFailed(database.knex, { ...failed, waitSeconds: null });
    expect([await claim(later(100_000)), await pending()]).to.deep.equal([undefined, 0]);
  });

  it('counts an attempt that was given back as none', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a')]);
    await releaseClaim(database.knex, claimOf((await claim())!));
    expect((await claim())!.attempts).to.equal(1);
  });

  it('is delivered though a clock was wrong: times that cannot be are over', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a', { at: later(10 * 86_400) })]);
    const wrong = (await claim(later(30 * 86_400), 'wrong'))!;
    expect(wrong.attempts).to.equal(1);
    const right = (await claim(NOW, 'right'))!;
    expect(right.attempts).to.equal(2);
    const failed = { ...claimOf(right, 'right'), failure: 'x', pause: null, waitSeconds: 30 * 86_400 };
    await noteFailed(database.knex, failed);
    expect((await claim(NOW, 'right'))!.attempts).to.equal(3);
  });

  it('uses the clock of the database if none is given', async () => {
    await destination();
    await enqueue(database.knex, [eventOf('a')]);
    expect((await claim(null))!.attempts).to.equal(1);
    expect(await claim(null)).to.equal(undefined);
  });
});
