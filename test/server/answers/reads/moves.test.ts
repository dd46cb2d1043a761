import { expect } from 'chai';
import { longDay } from '../../../../src/contract/day-words.js';
import type { Move, Moves } from '../../../../src/contract/reads/moves.js';
import { addDays } from '../../../../src/server/base/days.js';
import { tellAllMoves } from '../../../../src/server/run/nightly.js';
import { fresh, shared } from '../../../support/hooks.js';
import { runsFrom, runsOn } from '../../alerts/moves/support/runs.js';
import { type MarketServer, market, marketServer } from './support/market-server.js';

const FALL = { before: 12, after: 4, from: '2026-11-13' };

const isPresence = ({ metric, engine }: Move) => metric === 'presence_rate' && engine === null;
const movesOf = async (server: MarketServer) => (await server.body<Moves>('moves')).moves;

describe('reads: moves', () => {
  const server = fresh(marketServer);
  const moves = () => movesOf(server);

  it('a brand without answers, and one without moves, says so', async () => {
    await server.collect();
    expect((await server.body<Moves>('moves')).note).to.equal('No answer was ever collected for this brand.');
    await server.collect(...runsOn('2026-11-19', 12));
    const { moves, note } = await server.body<Moves>('moves');
    expect(moves).to.deep.equal([]);
    expect(note).to.match(/^No move was told/);
  });

  it('of the site are left out on plans without crawler analytics', async () => {
    await server.collect(...runsOn('2026-11-19', 12));
    await server.database.knex.raw(
      `insert into moves values (1, 'x', 'robots', 'robots x', 'down', '2026-11-19', '{"labels":["GPTBot"],"closed":true}', now(), false)`,
    );
    expect(await moves()).to.have.length(1);
    await server.load([{ type: 'workspace', id: 'w', name: 'W', plan: 'starter' }]);
    const key = await server.key({ workspace: 'w', kind: 'read' });
    expect((await server.read<Moves>('/api/v1/moves?brand=b', key)).moves).to.deep.equal([]);
  });
});

describe('reads: moves of a fall', () => {
  const server = shared(async () => {
    const loaded = await marketServer();
    await loaded.collect(...runsFrom('2026-10-20', '2026-11-19', FALL));
    return loaded;
  });
  const moves = () => movesOf(server);

  it('a metric that fell has its windows and values, and leads to why, which explains the same change', async () => {
    const fall = (await moves()).find(isPresence)!;
    expect(fall).to.deep.include({
      kind: 'metric',
      direction: 'down',
      entity: null,
      agent: null,
      current: true,
    });
    const { metric, from, to } = fall.why!;
    const why = await server.body<{ before: number; after: number; verdict: string; window: object }>(
      'why',
      `&metric=${metric}&from=${from}&to=${to}`,
    );
    expect(why.verdict).to.equal('down');
    expect(why.window).to.deep.equal(fall.window);
    expect(fall.before).to.be.closeTo(why.before, 0.0005);
    expect(fall.after).to.be.closeTo(why.after, 0.0005);
    expect(fall.interval![0]).to.be.at.most(fall.difference!);
    expect(fall.interval![1]).to.be.within(fall.difference!, 0);
    const [before, after] = [fall.before!, fall.after!].map((value) => (100 * value).toFixed(1));
    expect(fall.text).to.equal(
      `Presence fell ${(Number(before) - Number(after)).toFixed(1)} pp, from ${before} % to ${after} %, in the ${fall.window!.days} days to ${longDay(fall.day)}.`,
    );
  });

  it('are the newest night first, of a night the headline, and pages are the list', async () => {
    const all = await moves();
    expect(all.length).to.be.above(3);
    const nights = all.map(({ day }) => day);
    expect(nights).to.deep.equal([...nights].sort().reverse());
    const [first] = all;
    expect(first).to.include({ role: 'headline', metric: 'presence_rate' });
    expect(all.filter(({ role, group }) => role === 'headline' && group === first!.group)).to.have.length(1);
    const paged: Move[] = [];
    let cursor = '';
    do {
      const page = await server.body<Moves & { next_cursor: string | null }>(
        'moves',
        `&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      paged.push(...page.moves);
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(paged).to.deep.equal(all);
  });

  it('a move is current until it reverts, or is four weeks old', async () => {
    const isCurrent = async () =>
      (await moves()).filter(isPresence).map(({ direction, current }) => [direction, current]);
    server.now = new Date('2026-12-30T12:00:00Z');
    expect(await isCurrent()).to.deep.equal([['down', false]]);
    const later = Array.from({ length: 12 }, (_, at) => addDays('2026-11-20', at));
    await server.load([...market, ...later.flatMap((day, at) => runsOn(day, 12 + ((at + 1) % 3) - 1))]);
    server.now = new Date('2026-12-02T12:00:00Z');
    await tellAllMoves(server.database.knex, null, server.now);
    expect((await isCurrent()).find(([direction]) => direction === 'down')).to.deep.equal(['down', false]);
  });
});
