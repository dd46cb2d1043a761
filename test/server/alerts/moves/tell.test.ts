import { expect } from 'chai';
import type { MoveFacts } from '../../../../src/contract/moves.js';
import type { Moves } from '../../../../src/contract/reads/moves.js';
import type { Why } from '../../../../src/contract/reads/why.js';
import { becauseOf } from '../../../../src/contract/waterfall.js';
import { replayedMoves } from '../../../../src/server/alerts/moves/tell.js';
import { addDays, everyDayOf } from '../../../../src/server/base/days.js';
import { tellAllMoves } from '../../../../src/server/run/nightly.js';
import { fresh, shared } from '../../../support/hooks.js';
import { type MarketServer, market, marketServer } from '../../answers/reads/support/market-server.js';
import { runsFrom, runsOn } from './support/runs.js';

const START = '2026-10-20';
/** The last complete day of the clock of the tests. */
const LAST = '2026-11-19';
const FALL = { before: 12, after: 4, from: '2026-11-13' };

interface Row {
  subject: string;
  kind: string;
  direction: string | null;
  day: string;
  facts: MoveFacts['metric'];
  withdrawn: boolean;
}

/** What the tests ask of a server. */
function asked(server: MarketServer) {
  const db = () => server.database.knex;
  const stored = async (): Promise<Row[]> => {
    const { rows } = await db().raw(
      'select subject, kind, direction, day, facts, withdrawn from moves order by subject, direction, day',
    );
    return rows;
  };
  return {
    stored,
    listed: async () => (await stored()).filter(({ withdrawn }) => !withdrawn),
    events: async (): Promise<{ id: string; type: string }[]> =>
      (await db().raw('select id, type from events order by id')).rows,
    night: () => tellAllMoves(db(), null, server.now),
  };
}

const presence = (rows: readonly Row[]) =>
  rows.filter(({ facts }) => facts.metric === 'presence_rate' && facts.engine === null);

const fall = runsFrom(START, LAST, FALL) as { collected_at: string }[];

describe('moves: what is told', () => {
  const server = fresh(marketServer);
  const { stored, listed, events, night } = asked(server);

  it('is one event a night: the headline, the others by worth, and those that say the same folded into them', async () => {
    const days = everyDayOf({ start: START, end: LAST });
    const named = days.flatMap((day, at) => {
      const most = (day < FALL.from ? 6 : 15) + ((at * 5) % 3) - 1;
      return ['chatgpt', 'gemini'].flatMap((engine) =>
        (runsOn(day, 0, { engine }) as { mentions: object[] }[]).map((run, place) => ({
          ...run,
          mentions: [
            ...(place % 4 < 3 ? [{ name: 'Globex', order: 1 }] : []),
            ...(place < most ? [{ name: 'Acme', order: 2 }] : []),
          ],
        })),
      );
    });
    await server.collect(...named);
    const { rows } = await server.database.knex.raw('select id, type, data from events order by at, id');
    expect(rows).to.have.length(1);
    const [{ type, data }] = rows;
    expect(type).to.equal('move.detected');
    expect(data).to.deep.include({
      title: 'Presence rose',
      metric: 'presence_rate',
      engine: null,
      subject: null,
    });
    const [headline, ...lines] = data.moves;
    expect(headline).to.deep.include({ title: data.title, sentence: data.sentence, link: data.link });
    expect([...headline.engines].sort()).to.deep.equal(['chatgpt', 'gemini']);
    expect(lines.map(({ title }: { title: string }) => title)).to.have.members([
      'Visibility rose',
      'Share of voice rose',
    ]);
    const told = await listed();
    expect(told.length).to.be.above(6);
    const { moves } = await server.body<Moves>('moves');
    expect(new Set(moves.map(({ group }) => group)).size).to.equal(1);
    expect(moves.slice(0, 4).map(({ role }) => role)).to.deep.equal(['headline', 'line', 'line', 'folded']);
    expect(moves.slice(3).every(({ role }) => role === 'folded')).to.equal(true);
    const rival = moves.find(({ entity }) => entity !== null)!;
    expect(rival).to.include({ direction: 'down', role: 'folded' });
    expect(data.moves.flatMap(({ rivals }: { rivals: string[] }) => rivals)).to.deep.equal(['Globex']);
  });

  it('is told by itself where later data add it to a night that was told', async () => {
    const runs = fall.map((run) => ({ ...run, model: 'm-1' }));
    await server.collect(...runs);
    const sent = async () => {
      const { rows } = await server.database.knex.raw(
        `select type, data->'moves' as moves from events order by at, id`,
      );
      return rows.map(({ type, moves }: { type: string; moves: object[] }) => [type, moves.length]);
    };
    const [[type, lines]] = await sent();
    expect(type).to.equal('move.detected');
    const [{ day }] = presence(await listed()) as [Row];
    const model = (runsOn(addDays(day, 1), 4) as { id: string }[]).map((run) => ({
      ...{ ...run, id: `${run.id}.late` },
      model: 'm-2',
    }));
    await server.load([...market, ...model]);
    expect(await sent()).to.have.deep.members([
      ['move.detected', lines],
      ['model.changed', 1],
    ]);
    const { moves } = await server.body<Moves>('moves');
    const [headline, ...others] = moves;
    expect(headline!.kind).to.equal('metric');
    expect(others.find(({ kind }) => kind === 'model')).to.include({ group: headline!.group, role: 'line' });
    await night();
    expect(await sent()).to.have.length(2);
  });

  it('is told once while it lasts, and again only when it reverts', async () => {
    await server.collect(...fall);
    const onDay = (days: number) => runsOn(addDays(LAST, days), (days <= 11 ? 4 : 12) + (days % 3) - 1);
    for (let days = 2; days <= 22; days += 2) {
      server.now = new Date(`${addDays(LAST, days + 1)}T01:00:00Z`);
      await server.load([...market, ...onDay(days - 1), ...onDay(days)]);
      await night();
    }
    const told = presence(await listed()).sort((a, b) => (a.day < b.day ? -1 : 1));
    expect(told.map(({ direction }) => direction)).to.deep.equal(['down', 'up']);
  });

  it('is told again where it moves on by more than the change that was told', async () => {
    const small = runsFrom(START, '2026-11-10', { before: 4, after: 8, from: '2026-11-01' });
    const large = runsFrom('2026-11-11', LAST, { before: 8, after: 17, from: '2026-11-12' });
    await server.collect(...small, ...large);
    const told = presence(await listed()).sort((a, b) => (a.day < b.day ? -1 : 1));
    expect(told.map(({ direction }) => direction)).to.deep.equal(['up', 'up']);
    expect(told[0]!.day < '2026-11-12' && told[1]!.day > '2026-11-12').to.equal(true);
    const [rows, sent] = [await stored(), await events()];
    await night();
    expect([await stored(), await events()]).to.deep.equal([rows, sent]);
  });

  it('is told once where all answers are of one engine, also when another engine is added weeks later', async () => {
    await server.collect(...fall);
    const onDay = (days: number) => {
      const day = addDays(LAST, days);
      const other = days < 3 ? [] : runsOn(day, 4 + (days % 3), { engine: 'gemini' });
      return [...runsOn(day, 4 + (days % 3) - 1), ...other];
    };
    for (let days = 2; days <= 12; days += 2) {
      server.now = new Date(`${addDays(LAST, days + 1)}T01:00:00Z`);
      await server.load([...market, ...onDay(days - 1), ...onDay(days)]);
      await night();
    }
    const told = (await listed()).filter(({ facts }) => facts.metric === 'presence_rate');
    expect(told.map(({ facts, direction }) => [facts.engine, direction])).to.deep.equal([[null, 'down']]);
  });

  it('is nothing where the prompts changed, or where other engines are asked', async () => {
    const calm = { before: 12, after: 12, from: LAST };
    const other = (day: string) =>
      (runsOn(day, 0, { engine: 'gemini' }) as { id: string }[]).map((run) => ({
        ...run,
        id: `${run.id}.g`,
      }));
    const added = everyDayOf({ start: FALL.from, end: LAST }).flatMap(other);
    await server.collect(...runsFrom(START, LAST, calm), ...added);
    expect((await listed()).filter(({ kind }) => kind === 'metric')).to.deep.equal([]);
  });

  it('is nothing where the answers of one window are of other surfaces, though they fell', async () => {
    const fallen = (surfaceOf: (day: string) => string | undefined) =>
      fall.map((run) => ({
        ...run,
        surface: surfaceOf(run.collected_at.slice(0, 10)),
      }));
    const metrics = async () => (await listed()).filter(({ kind }) => kind === 'metric');
    await server.collect(...fallen((day) => (day < FALL.from ? 'api' : 'ui')));
    expect(await metrics()).to.deep.equal([]);
    await server.load([...market, ...fallen(() => 'ui')]);
    expect(presence(await metrics())).to.have.length(1);
  });

  describe('names its drivers', () => {
    /** Only the answers to prompt `q` fall; with `even`, those to both. */
    const fallen = (even = false) =>
      everyDayOf({ start: START, end: LAST }).flatMap((day, at) => {
        const left = day < FALL.from ? 7 : even ? 4 : 1;
        return (runsOn(day, 0) as { prompt: string }[]).map((run, place) => {
          const most = run.prompt === 'q' || even ? left + ((at * 5) % 3) - 1 : 7 + ((at * 5) % 3) - 1;
          const names = Math.floor(place / 2) < most ? [{ name: 'Acme', order: 2 }] : [];
          return { ...run, mentions: [{ name: 'Globex', order: 1 }, ...names] };
        });
      });
    const blended = async () => {
      const { moves } = await server.body<Moves>('moves');
      return moves.find(({ metric, engine, entity }) => metric === 'presence_rate' && !engine && !entity)!;
    };

    it('as why does, in the list, in the event and where one looks again', async () => {
      await server.collect(...fallen());
      const move = await blended();
      const { metric, from, to } = move.why!;
      const why = await server.body<Why>('why', `&metric=${metric}&from=${from}&to=${to}`);
      expect(move.because)
        .to.equal(becauseOf(why))
        .and.match(/^Because of cheapest crm\? \(−\d+\.\d pp\)\.$/);
      const { rows } = await server.database.knex.raw(
        `select data from events where data->>'metric' = 'presence_rate' and data->>'engine' is null`,
      );
      expect(rows[0].data.because).to.equal(move.because);
      const told = await stored();
      await night();
      expect(await stored()).to.deep.equal(told);
      const rival = (await stored()).find(({ facts }) => facts.entity !== null);
      expect(rival?.facts.because).to.equal(undefined);
    });

    it('only where a part of the change is more than chance', async () => {
      await server.collect(...fallen(true));
      const move = await blended();
      const { metric, from, to } = move.why!;
      const why = await server.body<Why>('why', `&metric=${metric}&from=${from}&to=${to}`);
      expect(move.because).to.equal(becauseOf(why));
    });
  });

  it('is a model that an engine begins to answer with, once', async () => {
    const runs = runsFrom(START, LAST, { before: 12, after: 12, from: LAST }) as { collected_at: string }[];
    const dated = runs.map((run) => ({ ...run, model: run.collected_at < '2026-11-18' ? 'm-1' : 'm-2' }));
    await server.collect(...dated);
    const { moves } = await server.body<Moves>('moves');
    expect(moves.map(({ kind, day, engine, text }) => ({ kind, day, engine, text }))).to.deep.equal([
      {
        kind: 'model',
        day: '2026-11-18',
        engine: 'chatgpt',
        text: 'ChatGPT answers with m-2 since 18 Nov 2026.',
      },
    ]);
    server.now = new Date('2026-12-10T12:00:00Z');
    await night();
    expect((await stored()).filter(({ kind }) => kind === 'model')).to.have.length(1);
  });

  it('is a day without answers, a day later, and the first complete one after it', async () => {
    const calm = { before: 12, after: 12, from: LAST };
    await server.collect(
      ...runsFrom(START, '2026-11-16', calm),
      ...runsOn('2026-11-18', 12),
      ...runsOn(LAST, 12),
    );
    const kinds = (await listed()).map(({ kind, day }) => [kind, day]);
    expect(kinds).to.deep.include(['collection_missed', '2026-11-17']);
    expect(kinds).to.deep.include(['collection_completed', '2026-11-18']);
    await server.load([...market, ...runsOn('2026-11-17', 12)]);
    expect((await listed()).filter(({ kind }) => kind.startsWith('collection'))).to.deep.equal([]);
  });
});

describe('moves: what is told of a fall', () => {
  const server = shared(async () => {
    const loaded = await marketServer();
    await loaded.collect(...fall);
    return loaded;
  });
  const { stored, listed, events, night } = asked(server);
  /** Each test leaves what is told as it was. */
  let told: Row[];
  before(async () => {
    told = await listed();
  });
  afterEach(async () => {
    expect(await listed()).to.deep.equal(told);
  });

  it('is a fall, by the import that brings its second night, with the windows that are described', async () => {
    const [first, ...others] = presence(await listed());
    expect(others).to.deep.equal([]);
    expect(first).to.include({ kind: 'metric', direction: 'down' });
    expect(first!.facts.before).to.be.closeTo(0.6, 0.01);
    expect(first!.facts.difference).to.be.below(-0.2);
    expect(first!.facts.end).to.equal(first!.day);
  });

  it('is not a difference that holds on one night only', async () => {
    const [{ day }] = presence(await listed()) as [Row];
    const until = new Date(`${day}T12:00:00Z`);
    const other = await marketServer(until);
    await other.collect(...runsFrom(START, addDays(day, -1), FALL));
    const { rows } = await other.database.knex.raw(
      `select 1 from moves where subject like '%presence_rate%' and not withdrawn`,
    );
    await other.close();
    expect(rows).to.deep.equal([]);
  });

  it('is told once: not by a repeated import, a night, a second server or a replay', async () => {
    const [rows, sent] = [await stored(), await events()];
    await server.load([...market, ...fall]);
    await Promise.all([night(), night()]);
    await night();
    expect(await stored()).to.deep.equal(rows);
    expect(await events()).to.deep.equal(sent);
  });

  it('is told once though a clock is set forward and back by days', async () => {
    const { now } = server;
    const detected = async () => (await events()).filter(({ type }) => type === 'move.detected');
    const sent = await detected();
    for (const days of [9, -20, 60, 3, 0]) {
      server.now = new Date(`${addDays(now.toISOString().slice(0, 10), days)}T12:00:00Z`);
      await night();
      expect(await detected(), `${days} days`).to.deep.equal(sent);
    }
  });

  it('does not depend on the order of imports', async () => {
    const days = everyDayOf({ start: START, end: LAST });
    const of = (day: string) => fall.filter(({ collected_at }) => collected_at.startsWith(day));
    const orders = [
      days.toReversed(),
      [...days.filter((_, at) => at % 3 === 0), ...days.filter((_, at) => at % 3 > 0)],
    ];
    for (const order of orders) {
      const other = await marketServer();
      await other.collect();
      for (let at = 0; at < order.length; at += 8)
        await other.load([...market, ...order.slice(at, at + 8).flatMap(of)]);
      const found = await asked(other).listed();
      await other.close();
      expect(found).to.deep.equal(told);
    }
  });

  it('is withdrawn when later data do not have it, and not told again when they have', async () => {
    const sent = await events();
    await server.load([...market, ...runsFrom(START, LAST, { ...FALL, after: 12 })]);
    expect(await listed()).to.deep.equal([]);
    await server.load([...market, ...fall]);
    expect(await listed()).to.deep.equal(told);
    expect(await events()).to.deep.equal(sent);
  });

  it('is what a preview replays, on the day after its night', async () => {
    const replayed = await replayedMoves(server.database.knex, 1, { start: addDays(LAST, -89), end: LAST });
    const again = await replayedMoves(server.database.knex, 1, { start: addDays(LAST, -89), end: LAST });
    expect(again).to.deep.equal(replayed);
    const metric = replayed.filter(({ move }) => move.kind === 'metric');
    for (const { night, move } of metric) expect(night).to.equal(addDays(move.day, 1));
    expect(
      metric.map(({ move: { subject, direction, day, facts } }) => ({ subject, direction, day, facts })),
    ).to.have.deep.members(
      (await listed())
        .filter(({ kind }) => kind === 'metric')
        .map(({ subject, direction, day, facts }) => ({ subject, direction, day, facts })),
    );
  });
});
