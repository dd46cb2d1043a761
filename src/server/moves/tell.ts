/** Finds what moved for a brand up to a night, and stores what was not told yet. */
import type { Knex } from 'knex';
import { engineIds } from '../../contract/engines.js';
import type { Plan } from '../../contract/keys.js';
import { MOVE_DAYS, type MoveFacts, type MoveKind, siteMoves as siteKinds } from '../../contract/moves.js';
import { bumpStoredVersion } from '../accounts/brands.js';
import { collectionsOfDays } from '../collections.js';
import { addDays, daysBetween, everyDayOf, utcDay, type Window, windowEnding } from '../days.js';
import { enqueue } from '../delivery/outbox.js';
import { seesCrawlers } from '../reads/circumstances.js';
import { reasonOf } from '../reads/why.js';
import type { RobotsState } from '../robots/fetch.js';
import { statement } from '../statement.js';
import { modelChangesOf } from '../sums/collection.js';
import { collectionDaysFor, collectionMoves } from './collections.js';
import { eventOf } from './events.js';
import type { FoundMove } from './found.js';
import { enginesOf, type History, historyOf } from './history.js';
import { daysFor, metricMoves } from './metric-moves.js';
import { crawlerMoves, siteMoves } from './site.js';
import { type StoredMove, storeMoves } from './store.js';

/** What was imported later than this is listed, but nobody is alerted. */
const NEWS_DAYS = 7;

/**
 * The nights that are looked at: those of which the data are complete, and a move is current. A night is named after the last
 * day that it describes.
 */
const nightsUntil = (now: Date): Window => windowEnding(addDays(utcDay(now), -1), MOVE_DAYS);

interface MovesBrand {
  key: number;
  id: string;
  name: string;
  domain: string;
  archivedAt: Date | null;
  plan: Plan;
}

export const brandOfMoves = statement<MovesBrand, { brandKey: number }>(
  'brand_of_moves',
  `select b.brand_key as key, b.id, b.name, b.domain, b.archived_at as "archivedAt", w.plan
   from brands b join workspaces w on w.id = b.workspace_id where b.brand_key = :brandKey`,
);

const OF_RUNS = [
  'metric',
  'model',
  'collection_missed',
  'collection_incomplete',
  'collection_completed',
] as const satisfies MoveKind[];
const OF_CRAWLERS = ['crawler_silent', 'crawler_refused'] as const satisfies MoveKind[];

/** What runs tell about some nights, from roll-ups. */
export async function movesOfRuns(db: Knex, brand: MovesBrand, nights: Window): Promise<FoundMove[]> {
  const history = await historyOf(db, brand.key, daysFor(nights));
  const models = await modelChangesOf({ db, brand }, engineIds, { ...nights, end: addDays(nights.end, 1) });
  return [
    ...(await metricMoves(history, nights)),
    ...models.map(
      ({ engine, model, since }): FoundMove<'model'> => ({
        ...{ kind: 'model', subject: `${engine} ${model}`, direction: null, day: since },
        facts: { engine: engine as FoundMove<'model'>['facts']['engine'], model },
      }),
    ),
    ...(await collectionsUntil(db, history, brand, nights)),
  ];
}

/** An archived brand is not collected, so that nothing is missed from that day on. */
async function collectionsUntil(
  db: Knex,
  history: History,
  { key: brandKey, archivedAt }: MovesBrand,
  nights: Window,
): Promise<FoundMove[]> {
  const collections = await collectionsOfDays(db, { brandKey, ...collectionDaysFor(nights) });
  const found = collectionMoves(history, collections, nights);
  return archivedAt === null ? found : found.filter(({ day }) => day < utcDay(archivedAt));
}

/**
 * Stores what the runs of a brand tell. Belongs at the end of a transaction that changes them, and holds the lock of the
 * brand's imports.
 */
export async function tellMovesOfRuns(
  trx: Knex,
  brandKey: number,
  now: Date,
): Promise<readonly StoredMove[]> {
  const [brand] = await brandOfMoves(trx, { brandKey });
  const nights = nightsUntil(now);
  const found = await movesOfRuns(trx, brand!, nights);
  return stored(trx, brand!, { kinds: OF_RUNS, since: nights.start, found }, now);
}

/**
 * Stores what happened to a brand up to now: what its runs tell, its crawlers and its site.
 * @param robots Of its domain; undefined: it was not fetched.
 */
export async function tellMoves(
  trx: Knex,
  brandKey: number,
  robots: RobotsState | undefined,
  now: Date,
): Promise<readonly StoredMove[]> {
  const [brand] = await brandOfMoves(trx, { brandKey });
  const nights = nightsUntil(now);
  const ofRuns = await tellMovesOfRuns(trx, brandKey, now);
  const crawlers = await crawlerMoves(trx, brandKey, nights);
  const ofCrawlers = await stored(
    trx,
    brand!,
    { kinds: OF_CRAWLERS, since: nights.start, found: crawlers },
    now,
  );
  const site = await siteMoves(trx, brand!, robots, utcDay(now));
  const ofSite = await stored(trx, brand!, { kinds: [], since: nights.start, found: site }, now);
  return [...ofRuns, ...ofCrawlers, ...ofSite];
}

/** The one place where moves are stored. Cached reads of the brand are out of date if any changed. */
async function stored(
  trx: Knex,
  brand: MovesBrand,
  search: Parameters<typeof storeMoves>[2],
  now: Date,
): Promise<readonly StoredMove[]> {
  const { told, changed } = await storeMoves(trx, brand, search, now, (found) =>
    explained(trx, brand, found),
  );
  if (changed) await bumpStoredVersion(trx, { brandKey: brand.key });
  // Others are not of every plan, and not listed there either.
  const isOfPlan = ({ kind }: StoredMove) =>
    seesCrawlers({ plan: brand.plan }) || !(siteKinds as readonly MoveKind[]).includes(kind);
  const isNews = ({ day }: StoredMove) => daysBetween(day, utcDay(now)) <= NEWS_DAYS;
  await enqueue(
    trx,
    told.filter((move) => isNews(move) && isOfPlan(move)).map((move) => eventOf(brand, move)),
  );
  return told;
}

/** For readers that send several statements at once: the connection of a transaction takes one after the other. */
function inTurn(trx: Knex): Knex {
  let last: Promise<unknown> = Promise.resolve();
  const raw = (sql: string, bindings: Knex.RawBinding) => ({
    options: (options: object) => {
      const sent = last.then(() => trx.raw(sql, bindings).options(options));
      last = sent.catch(() => undefined);
      return sent;
    },
  });
  return { raw } as unknown as Knex;
}

/** A metric of the brand with the drivers of its change, as far as they are more than chance. */
async function explained(
  db: Knex,
  brand: MovesBrand,
  { kind, facts }: FoundMove,
): Promise<MoveFacts[MoveKind]> {
  if (kind !== 'metric') return facts;
  const of = facts as MoveFacts['metric'];
  if (of.entity !== null) return facts;
  const { metric, engine, start, end } = of;
  const window = { start, end };
  return {
    ...of,
    because: await reasonOf({ db: inTurn(db), brand }, { metric, window, engines: enginesOf(engine) }),
  };
}

/** What would have been told of each day of a window, by what is stored now. */
export async function replayedMoves(
  db: Knex,
  brandKey: number,
  nights: Window,
): Promise<{ readonly toldOn: string; readonly move: FoundMove }[]> {
  const [brand] = await brandOfMoves(db, { brandKey });
  const found = [...(await movesOfRuns(db, brand!, nights)), ...(await crawlerMoves(db, brandKey, nights))];
  const days = new Set(everyDayOf(nights));
  const replayed: { readonly toldOn: string; readonly move: FoundMove }[] = [];
  for (const move of found.filter(({ day }) => days.has(day))) {
    const toldOn = addDays(move.day, move.kind === 'model' ? 0 : 1 + (move.grace ?? 0));
    replayed.push({ toldOn, move: { ...move, facts: await explained(db, brand!, move) } });
  }
  return replayed.sort((a, b) => (a.toldOn < b.toldOn ? -1 : a.toldOn > b.toldOn ? 1 : 0));
}
