/** Finds what moved for a brand up to a night, and stores what was not told yet. */
import type { Knex } from 'knex';
import { engineIds } from '../../../contract/engines.js';
import type { Plan } from '../../../contract/keys.js';
import { type Grouped, groupsOf } from '../../../contract/move-groups.js';
import { MOVE_DAYS, type MoveFacts, type MoveKind, siteMoves as siteKinds } from '../../../contract/moves.js';
import { bumpStoredVersion } from '../../accounts/brands.js';
import { collectionsOfDays } from '../../answers/collections.js';
import { seesCrawlers } from '../../answers/reads/circumstances.js';
import { reasonOf } from '../../answers/reads/why.js';
import { modelChangesOf } from '../../answers/sums/collection.js';
import { addDays, daysBetween, everyDayOf, utcDay, type Window, windowEnding } from '../../base/days.js';
import type { RobotsState } from '../../base/robots/fetch.js';
import { type Db, statement } from '../../base/statement.js';
import { readsOf } from '../../database/read-session.js';
import { enqueue } from '../delivery/outbox.js';
import { collectionDaysFor, collectionMoves } from './collections.js';
import { eventOf } from './events.js';
import type { FoundMove } from './found.js';
import { enginesOf, type History, historyOf } from './history.js';
import { daysFor, metricMoves } from './metric-moves.js';
import { crawlerMoves, siteMoves } from './site.js';
import { movesSince, type StoredMove, storeMoves } from './store.js';

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
        kind: 'model',
        subject: `${engine} ${model}`,
        direction: null,
        day: since,
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
 * Stores what the runs of a brand tell. Must run at the end of a transaction that changes them and
 * holds the lock of the brand's imports.
 */
export async function tellMovesOfRuns(
  trx: Knex.Transaction,
  brandKey: number,
  now: Date,
): Promise<readonly StoredMove[]> {
  const [brand] = await brandOfMoves(trx, { brandKey });
  const told = await storedOfRuns(trx, brand!, now);
  await announce(trx, brand!, told, now);
  return told;
}

async function storedOfRuns(
  trx: Knex.Transaction,
  brand: MovesBrand,
  now: Date,
): Promise<readonly StoredMove[]> {
  const nights = nightsUntil(now);
  const found = await movesOfRuns(trx, brand, nights);
  return stored(trx, brand, { kinds: OF_RUNS, since: nights.start, found }, now);
}

/**
 * Stores what happened to a brand up to now: what its runs tell, its crawlers and its site.
 * @param robots Of its domain; undefined: it was not fetched.
 */
export async function tellMoves(
  trx: Knex.Transaction,
  brandKey: number,
  robots: RobotsState | undefined,
  now: Date,
): Promise<readonly StoredMove[]> {
  const [brand] = await brandOfMoves(trx, { brandKey });
  const nights = nightsUntil(now);
  const ofRuns = await storedOfRuns(trx, brand!, now);
  const crawlers = await crawlerMoves(trx, brandKey, nights);
  const ofCrawlers = await stored(
    trx,
    brand!,
    { kinds: OF_CRAWLERS, since: nights.start, found: crawlers },
    now,
  );
  const site = await siteMoves(trx, brand!, robots, utcDay(now));
  const ofSite = await stored(trx, brand!, { kinds: [], since: nights.start, found: site }, now);
  const told = [...ofRuns, ...ofCrawlers, ...ofSite];
  await announce(trx, brand!, told, now);
  return told;
}

/** The one place where moves are stored. Cached reads of the brand are out of date if any changed. */
async function stored(
  trx: Knex.Transaction,
  brand: MovesBrand,
  search: Parameters<typeof storeMoves>[2],
  now: Date,
): Promise<readonly StoredMove[]> {
  const { told, changed } = await storeMoves(trx, brand, search, now, (found) =>
    // Its readers send several statements at once, and the connection of a transaction takes one after the other.
    explained(readsOf(trx, new AbortController().signal), brand, found),
  );
  if (changed) await bumpStoredVersion(trx, { brandKey: brand.key });
  return told;
}

/** Enqueues one event for each night of which something is told that nothing says already. */
async function announce(trx: Knex, brand: MovesBrand, told: readonly StoredMove[], now: Date): Promise<void> {
  if (told.length === 0) return;
  // Others are not of every plan, and not listed there either.
  const isOfPlan = ({ kind }: StoredMove) =>
    seesCrawlers({ plan: brand.plan }) || !(siteKinds as readonly MoveKind[]).includes(kind);
  const isNews = ({ day }: StoredMove) => daysBetween(day, utcDay(now)) <= NEWS_DAYS;
  const first = told.reduce((least, { day }) => (day < least ? day : least), told[0]!.day);
  const known = await movesSince(trx, { brandKey: brand.key, day: first });
  const ids = new Set(told.map(({ id }) => id));
  const groups = groupsOf(known.filter((move) => !move.withdrawn && isOfPlan(move))).filter(
    ({ move }) => ids.has(move.id) && isNews(move),
  );
  for (const night of [...new Set(groups.map((each) => each.night))].sort()) {
    const moves = groups.filter((each) => each.night === night);
    const headline = moves.find(({ into }) => into === null)?.move;
    if (!headline) continue;
    const event = (key: string) => eventOf(brand, key, moves);
    // What data that are late add to a night comes by itself.
    if ((await enqueue(trx, [event(night)])).length === 0) await enqueue(trx, [event(headline.id)]);
  }
}

/** A metric of the brand with the drivers of its change, as far as they are more than chance. */
async function explained(
  db: Db,
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
    because: await reasonOf({ db, brand }, { metric, window, engines: enginesOf(engine) }),
  };
}

/** What would have been told on each night of a window, by what is stored now: the oldest first, in its groups. */
export async function replayedMoves(
  db: Knex,
  brandKey: number,
  nights: Window,
): Promise<Grouped<FoundMove>[]> {
  const [brand] = await brandOfMoves(db, { brandKey });
  const found = [...(await movesOfRuns(db, brand!, nights)), ...(await crawlerMoves(db, brandKey, nights))];
  const days = new Set(everyDayOf(nights));
  const replayed: FoundMove[] = [];
  for (const move of found.filter(({ day }) => days.has(day)))
    replayed.push({ ...move, facts: await explained(db, brand!, move) });
  return groupsOf(replayed).sort((a, b) => (a.night < b.night ? -1 : a.night > b.night ? 1 : 0));
}
