import { expect } from 'chai';
import fc from 'fast-check';
import { tellMovesOfRuns } from '../../../../src/server/alerts/moves/tell.js';
import { everyDayOf } from '../../../../src/server/base/days.js';
import { createLog } from '../../../../src/server/base/log.js';
import {
  applyCatalog,
  type Catalog,
  catalogChanges,
} from '../../../../src/server/intake/dataset/apply-catalog.js';
import { exportDataset } from '../../../../src/server/intake/dataset/export.js';
import { mentionsWith } from '../../../../src/server/intake/dataset/mentions.js';
import { nameSearches, searchBatch, searchNames } from '../../../../src/server/intake/dataset/name-search.js';
import { pruneRuns } from '../../../../src/server/intake/storage/prune-runs.js';
import { startNameSearches } from '../../../../src/server/run/name-searches.js';
import { tellAllMoves } from '../../../../src/server/run/nightly.js';
import { emptyDatabase } from '../../../support/database.js';
import { type MarketServer, marketServer, NOW, runOf } from '../../answers/reads/support/market-server.js';
import { load, market } from './support/load.js';

const DAYS = everyDayOf({ start: '2026-10-21', end: '2026-11-19' });
const TODAY = NOW.toISOString().slice(0, 10);
const EVERY_DAY = '&from=2026-10-21&to=2026-11-19';

/** A second implementation: the names as whole words, by their first place, of an entity only the first. */
function mentionsIn(text: string, tracked: readonly (readonly string[])[]) {
  return tracked
    .flatMap((names) => {
      const places = names.flatMap((name) => {
        const place = text.search(new RegExp(`\\b${name}\\b`));
        return place === -1 ? [] : [{ name, place }];
      });
      return places.sort((a, b) => a.place - b.place).slice(0, 1);
    })
    .sort((a, b) => a.place - b.place)
    .map(({ name }, at) => ({ name, order: at + 1 }));
}

/** A run as a collection without a model for names writes it. */
function collected(id: string, day: string, answer: string, tracked: readonly (readonly string[])[]) {
  const mentions = mentionsIn(answer, tracked);
  return runOf(id, {
    prompt: id.length % 2 === 0 ? 'p' : 'q',
    ...{ collected_at: `${day}T08:00:00Z`, answer, mentions, names: 'tracked' },
  });
}

const BEFORE = [['Acme'], ['Globex']];
const AFTER = [['Acme'], ['Globex'], ['Boltra', 'Boltra Labs']];

/** What the answers of a day say, in which the later rival is named more and more. */
const answersOf = (at: number): string[] =>
  Array.from({ length: 12 }, (_, number) => {
    const names = [number < 8 ? 'Acme' : 'Nobody', number % 3 === 0 ? 'Globex' : 'Zeta'];
    const rival = number < at % 9 ? ['Boltra Labs'] : [];
    return `Try ${[...(number % 2 ? rival : []), ...names, ...(number % 2 ? [] : rival)].join(', then ')}.`;
  });
const runs = (tracked: readonly (readonly string[])[], days: readonly string[] = DAYS) =>
  days.flatMap((day) =>
    answersOf(DAYS.indexOf(day)).map((answer, number) => collected(`${day}.${number}`, day, answer, tracked)),
  );
const withoutText = <R extends object>(run: R) => ({ ...run, answer: null });

const MARKET: Catalog = {
  workspace: null,
  brand: { id: 'b', name: 'Acme', domain: 'acme.com', aliases: [] },
  competitors: [{ text: 'Globex', domain: 'globex.io', aliases: [], was: [] }],
  prompts: ['best crm?', 'cheapest crm?'].map((text) => ({ text, topic: null, tags: [], was: [] })),
  marks: [],
};
const BOLTRA = { text: 'Boltra', domain: 'boltra.com', aliases: ['Boltra Labs'], was: [] };
const RIVAL_ADDED: Catalog = { ...MARKET, competitors: [...MARKET.competitors, BOLTRA] };

interface Row {
  name: string;
  visibility: number | null;
  share_of_voice_fraction: number | null;
  citation_share: number | null;
  measured_since: string | null;
  intervals: { visibility: number[] | null };
  change: Record<string, { previous: number | null; verdict: string; reason: string | null }>;
}
interface Series {
  name: string;
  measured_since: string | null;
  points: { date: string; value: number | null; sample_size: number }[];
}

describe('names that are added after their answers were collected', () => {
  let server: MarketServer;
  beforeEach(async () => {
    server = await marketServer();
    await server.collect();
  });
  afterEach(() => server.close());

  const db = () => server.database.knex;
  const store = async (...lines: object[]) => {
    await server.load(lines);
    server.pass(2000);
  };
  const apply = async (catalog: Catalog) => {
    const { changes } = await catalogChanges(db(), catalog, NOW);
    await applyCatalog(db(), catalog, { now: NOW, expected: changes, afterDays: tellMovesOfRuns });
    server.pass(2000);
  };
  const search = async () => {
    const batches = [];
    for await (const batch of searchNames(db(), { now: NOW })) batches.push(batch);
    server.pass(2000);
    return batches;
  };
  const rows = async (query = '') =>
    (await server.body<{ competitors: Row[]; note: string | null }>('competitors', query)) ?? {
      competitors: [],
    };
  const rowOf = async (name: string, query = '') =>
    (await rows(query)).competitors.find((row) => row.name === name)!;
  const seriesOf = async (name: string, metric = 'presence_rate', query = '&days=56') =>
    (
      await server.body<{ series: Series[] }>('metrics/history', `&metric=${metric}&competitors=true${query}`)
    ).series.find((series) => series.name === name)!;
  const READS = [
    ['overview', EVERY_DAY],
    ['overview', `${EVERY_DAY}&prompt=p`],
    ['competitors', EVERY_DAY],
    ['competitors', '&region=us'],
    ['metrics/history', '&metric=visibility&competitors=true&days=56'],
    ['metrics/history', '&metric=share_of_voice_fraction&competitors=true'],
    ['prompts', ''],
    ['why', '&metric=share_of_voice_fraction&by=rival'],
    ['gaps', ''],
    ['moves', ''],
  ] as const;
  const bodies = async (): Promise<string> => {
    const all = [];
    for (const [read, query] of READS) all.push(JSON.stringify(await server.body(read, query)));
    return all.join('\n');
  };

  it('are searched for in stored answers: then all reads are as if they had been tracked from the beginning', async () => {
    await apply(RIVAL_ADDED);
    await store(...runs(AFTER));
    const expected = await bodies();
    await server.close();
    server = await marketServer();
    await server.collect();
    await apply(MARKET);
    await store(...runs(BEFORE));
    await apply(RIVAL_ADDED);
    expect(await bodies()).not.to.equal(expected);
    await search();
    expect(await bodies()).to.equal(expected);
    const { points } = await seriesOf('Boltra');
    expect(points.filter(({ sample_size }) => sample_size > 0).map(({ value }) => value)).to.deep.equal(
      DAYS.map((_, at) => {
        const named = answersOf(at).filter(
          (text) => mentionsIn(text, [['Boltra', 'Boltra Labs']]).length > 0,
        );
        return Math.round((1000 * named.length) / 12) / 1000;
      }),
    );
    expect(await nameSearches(db(), {})).to.deep.equal([]);
  });

  it('are not measured until then: null, never 0, with the day, and no verdict', async () => {
    await apply(MARKET);
    await store(...runs(BEFORE));
    const before = (await rowOf('Acme')).share_of_voice_fraction;
    await apply(RIVAL_ADDED);
    const { competitors, note } = await rows();
    const rival = competitors.find(({ name }) => name === 'Boltra')!;
    expect(rival).to.include({
      ...{ visibility: null, share_of_voice_fraction: null, measured_since: '2026-11-20' },
    });
    expect(rival.intervals.visibility).to.equal(null);
    expect(rival.change.visibility).to.include({ previous: null, verdict: 'unknown' });
    expect(rival.change.visibility!.reason).to.contain('before 2026-11-20 were not searched for Boltra');
    expect(note).to.contain('Measured from 2026-11-20 on').and.to.contain('Boltra');
    expect(note).to.contain('are being searched');
    const own = competitors.find(({ name }) => name === 'Acme')!;
    expect(own.share_of_voice_fraction).to.equal(before);
    const series = await seriesOf('Boltra');
    expect(series.measured_since).to.equal('2026-11-20');
    expect(series.points.every(({ value }) => value === null)).to.equal(true);
    const { rows: stats } = await db().raw(
      'select visibility, presence_rate from daily_stats where entity = 2 and not imported',
    );
    expect(stats.length).to.equal(DAYS.length);
    expect(stats.every((row: object) => Object.values(row).every((value) => value === null))).to.equal(true);
  });

  it('are measured from the day behind the newest answer whose text is not stored', async () => {
    await apply(MARKET);
    const last = '2026-11-09';
    const stored = runs(BEFORE).map((run) => (run.id === `${last}.3` ? withoutText(run) : run));
    await store(...stored);
    await apply(RIVAL_ADDED);
    await search();
    const series = await seriesOf('Boltra');
    expect(series.measured_since).to.equal('2026-11-10');
    for (const { date, value, sample_size } of series.points)
      if (sample_size > 0) expect(value === null, date).to.equal(date <= last);
    // The window of seven days is measured, and the one before in part.
    const rival = await rowOf('Boltra');
    expect(rival.visibility).to.be.above(0);
    expect(rival.change.visibility!.verdict).to.equal('unknown');
    const own = await rowOf('Acme');
    expect(own.change.share_of_voice_fraction).to.include({ verdict: 'unknown' });
    expect(own.change.share_of_voice_fraction!.reason).to.contain('Boltra');
    expect(own.change.visibility!.verdict).not.to.equal('unknown');
    // It says so elsewhere too, and a search there begins again.
    const other = await emptyDatabase();
    const records = [];
    for await (const record of exportDataset(db())) records.push(record);
    await load(other.knex, records);
    const { rows: gaps } = await other.knex.raw(
      'select c.id, g.measured_since from name_gaps g join competitors c using (brand_key, entity)',
    );
    expect(gaps).to.deep.equal([{ id: 'boltra', measured_since: '2026-11-10' }]);
    for await (const _ of searchNames(other.knex, { now: NOW }));
    expect((await other.knex.raw('select measured_since from name_gaps')).rows).to.have.length(1);
    await other.close();
  });

  it('tell nothing false: neither the rival nor the shares of others moved', async () => {
    const told = async () => {
      await tellAllMoves(db(), null, server.now);
      const { rows: moves } = await db().raw(
        `select facts from moves where kind = 'metric' and not withdrawn`,
      );
      return moves;
    };
    await apply(MARKET);
    await store(...runs(BEFORE).map(withoutText));
    expect(await told()).to.deep.equal([]);
    await apply(RIVAL_ADDED);
    await search();
    // From then on every answer names it.
    const later = everyDayOf({ start: TODAY, end: '2026-12-10' });
    for (let at = 0; at < later.length; at += 2) {
      const days = later.slice(at, at + 2);
      server.now = new Date(`${days.at(-1)}T12:00:00Z`);
      const named = days.flatMap((day, more) =>
        answersOf(at + more).map((answer, number) =>
          collected(`${day}.${number}`, day, `${answer} And Boltra.`, AFTER),
        ),
      );
      await store(...named);
      const shares = (await told()).filter(({ facts }: { facts: { metric: string } }) =>
        ['share_of_voice_fraction'].includes(facts.metric),
      );
      expect(shares, days.join()).to.deep.equal([]);
    }
    const measured = (await seriesOf('Boltra', 'presence_rate')).points.filter(({ value }) => value !== null);
    expect(measured[0]).to.include({ date: TODAY, value: 1 });
  }).timeout(60_000);

  it('a spelling that is added is searched for, and verdicts do not compare across the day where it cannot be', async () => {
    await apply(MARKET);
    const texts = DAYS.flatMap((day) =>
      answersOf(DAYS.indexOf(day)).map((answer, number) =>
        collected(
          `${day}.${number}`,
          day,
          answer.replace('Zeta', 'Globex Group').replace('Globex', 'Gx'),
          BEFORE,
        ),
      ),
    );
    const last = '2026-11-11';
    await store(...texts.map((run) => (run.id.startsWith(last) ? withoutText(run) : run)));
    const zero = await seriesOf('Globex');
    await apply({ ...MARKET, competitors: [{ ...MARKET.competitors[0]!, aliases: ['Gx'] }] });
    await search();
    const series = await seriesOf('Globex');
    expect(series.measured_since).to.equal(null);
    for (const [at, { date, value, sample_size }] of series.points.entries()) {
      if (sample_size === 0) continue;
      if (date <= last) expect(value, date).to.equal(zero.points[at]!.value);
      else expect(value, date).to.be.above(zero.points[at]!.value!);
    }
    const { change } = await rowOf('Globex');
    expect(change.visibility).to.include({ verdict: 'unknown' });
    expect(change.visibility!.reason).to.contain('every spelling of Globex');
    const { note } = await rows();
    expect(note).to.contain('2026-11-12').and.to.contain('spelling');
  });

  it('are found already where a model listed every name: nothing is searched, and nothing is unmeasured', async () => {
    await apply(MARKET);
    const every = runs(BEFORE).map(({ names, ...run }: Record<string, unknown>) => run);
    await store(...every);
    await apply(RIVAL_ADDED);
    expect(await nameSearches(db(), {})).to.deep.equal([]);
    const rival = await rowOf('Boltra');
    expect(rival).to.include({ visibility: 0, measured_since: null });
  });

  it('are not measured on days whose runs were pruned, whoever listed their names, with the citations of these days', async () => {
    await apply(MARKET);
    const long = everyDayOf({ start: '2026-09-01', end: '2026-11-19' });
    const cited = { citations: [{ url: 'https://boltra.com/a' }] };
    const all = long.map((day) => ({ ...collected(day, day, 'Acme, then Boltra.', AFTER), ...cited }));
    await store(...all.map(({ names, ...run }: Record<string, unknown>) => run));
    for await (const _ of pruneRuns(db(), { today: TODAY, days: 56 }));
    const [{ runs_since: since }] = (await db().raw('select runs_since from brands')).rows;
    expect(since > long[0]! && since < long.at(-1)!).to.equal(true);
    await apply(RIVAL_ADDED);
    await search();
    for (const metric of ['presence_rate', 'citation_share']) {
      const series = await seriesOf('Boltra', metric, `&from=2026-09-20&to=2026-11-19&engine=chatgpt`);
      expect(series.measured_since, metric).to.equal(since);
      for (const { date, value, sample_size } of series.points)
        if (sample_size > 0) expect(value, `${metric} ${date}`).to.equal(date < since ? null : 1);
    }
  });

  it('a competitor that is tracked again is searched for only since it was retired', async () => {
    await apply(RIVAL_ADDED);
    await store(...runs(AFTER).map(withoutText));
    const before = await bodies();
    await apply(MARKET);
    await apply(RIVAL_ADDED);
    await search();
    expect(await bodies()).to.equal(before);
  });

  it('each batch is searched once, whenever it is stopped and by however many servers', async () => {
    await apply(MARKET);
    const [day] = DAYS;
    const many = Array.from({ length: 2300 }, (_, at) =>
      collected(`r${String(at).padStart(5, '0')}`, day!, at % 2 ? 'Boltra is good.' : 'Acme.', BEFORE),
    );
    await store(...many, ...runs(BEFORE, DAYS.slice(1, 4)));
    await apply(RIVAL_ADDED);
    const total = many.length + 3 * 12;
    const one = () => searchBatch(db(), 1, { now: NOW, waits: false });
    let answers = (await one())!.answers + (await one())!.answers;
    expect(await nameSearches(db(), {})).to.deep.equal([{ key: 1, brand: 'b', day: DAYS[1] }]);
    // A batch that is killed leaves nothing.
    const { rows: state } = await db().raw('select search_day, search_after from brand_versions');
    const killed = await db()
      .transaction(async (trx) => {
        await searchBatch(trx, 1, { now: NOW, waits: false });
        throw new Error('killed');
      })
      .catch((error: Error) => error.message);
    expect(killed).to.equal('killed');
    expect((await db().raw('select search_day, search_after from brand_versions')).rows).to.deep.equal(state);
    for (let isMore = true; isMore; ) {
      const found = await Promise.all([one(), one()]);
      isMore = found.some((batch) => batch !== null);
      answers += found.reduce((sum, batch) => sum + (batch?.answers ?? 0), 0);
    }
    expect(answers).to.equal(total);
    const series = await seriesOf('Boltra');
    expect(series.points.find(({ date }) => date === day)!.value).to.equal(0.5);
  });

  it('are searched for in the background of a server, which goes on after a restart', async () => {
    await apply(MARKET);
    await store(...runs(BEFORE));
    await apply(RIVAL_ADDED);
    const log = createLog('silent');
    const first = startNameSearches(db(), log, () => NOW, 5);
    await first.stop();
    expect(await nameSearches(db(), {})).to.have.length(1);
    const [second, third] = [0, 1].map(() => startNameSearches(db(), log, () => NOW, 5));
    for (let looks = 0; looks < 600 && (await nameSearches(db(), {})).length > 0; looks++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([second!.stop(), third!.stop()]);
    server.pass(2000);
    expect((await seriesOf('Boltra')).measured_since).to.equal(null);
  }).timeout(60_000);

  it('an import whose answers were searched for the names of before finds those of now', async () => {
    await apply(RIVAL_ADDED);
    await store(...runs(BEFORE, DAYS.slice(-7)));
    const first = await rowOf('Boltra', EVERY_DAY);
    expect(first.visibility).to.be.above(0);
    expect(first.measured_since).to.equal(null);
  });
});

describe('a search of stored answers', () => {
  const word = fc.constantFrom('Acme', 'Globex', 'Boltra', 'Boltra Labs', 'Zeta', 'the', 'is', 'good');
  const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));

  it('finds what a collection with the names from the beginning does, and keeps what is stored', () => {
    const tones = fc.constantFrom(null, -1, 0, 1);
    fc.assert(
      fc.property(text, tones, (answer, tone) => {
        const stored = mentionsIn(answer, [...BEFORE, ['Zeta']]).map((each) => ({
          ...{ ...each, tone, evidence: null },
        }));
        const found = mentionsWith(answer, stored, AFTER);
        expect(found.map(({ name, order }) => ({ name, order }))).to.deep.equal(
          mentionsIn(answer, [...AFTER, ['Zeta']]),
        );
        for (const { name, tone: kept } of found)
          expect(kept, name).to.equal(stored.some((each) => each.name === name) ? tone : null);
      }),
    );
    const unknown = { name: 'Elsewhere', order: 1, tone: 1, evidence: 'good' };
    expect(mentionsWith('Boltra.', [unknown], AFTER)).to.deep.equal([
      { name: 'Boltra', order: 1, tone: null, evidence: null },
      { ...unknown, order: 2 },
    ]);
  });

  it('stores it for every run', async () => {
    const texts = fc.sample(text, 200);
    const of = (tracked: string[][]) =>
      texts.map((answer, at) => collected(`r${at}`, DAYS[at % DAYS.length]!, answer, tracked));
    const database = await emptyDatabase();
    await load(database.knex, [...market, ...of(BEFORE)]);
    const rival = { type: 'competitor', id: 'd', brand: 'b', name: 'Boltra', aliases: ['Boltra Labs'] };
    await load(database.knex, [rival]);
    for await (const _ of searchNames(database.knex, { now: NOW }));
    const { rows } = await database.knex.raw(
      `select r.id, array(select n.name from unnest(r.m_name) with ordinality m(name_key, place)
         join mention_names n using (name_key) where n.brand_key = r.brand_key order by m.place) as names,
         m_order as orders from runs r`,
    );
    await database.close();
    const found = new Map(rows.map(({ id, ...of }: { id: string }) => [id, of]));
    for (const { id, mentions } of of(AFTER)) {
      const expected = mentions as { name: string; order: number }[];
      expect(found.get(id), id).to.deep.equal({
        names: expected.map(({ name }) => name),
        orders: expected.map(({ order }) => order),
      });
    }
  });
});
