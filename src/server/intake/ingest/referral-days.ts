/**
 * Counts page views of people whom an answer sent. Visitors of a day are told apart by a hash of address and user agent with a
 * salt of the day (as Plausible Analytics does), and the hashes and the salt are deleted after some days.
 */

import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { VISITOR_DAYS } from '../../../contract/limits.js';
import type { Referral } from '../../../logs/referrals/referral.js';
import { pathHash } from '../../answers/sums/crawler-weeks.js';
import { addDays, utcDay } from '../../base/days.js';
import { statement } from '../../base/statement.js';

/** The first day whose visitors are told apart. */
export const visitorsSince = (today: string): string => addDays(today, -VISITOR_DAYS);

// Salts.

const saltsOfDays = statement<{ day: string; salt: Buffer }, { days: readonly string[] }>(
  'visitor_salts',
  'select day, salt from visitor_salts where day = any(cast(:days as date[]))',
);

/** Stores the salt of a day. The first of concurrent inserts is kept. */
const addSalt = statement<never, { day: string; salt: Buffer }>(
  'add_visitor_salt',
  'insert into visitor_salts (day, salt) values (:day, :salt) on conflict (day) do nothing',
);

const SALT_BYTES = 32;

/** The salts of some days, which are created if they are missing. They are not kept: none may outlive its row. */
async function saltsOf(trx: Knex, days: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const stored = async () =>
    new Map((await saltsOfDays(trx, { days })).map(({ day, salt }) => [day, salt] as const));
  const found = await stored();
  const missing = days.filter((day) => !found.has(day)).sort();
  if (missing.length === 0) return found;
  for (const day of missing) await addSalt(trx, { day, salt: randomBytes(SALT_BYTES) });
  return stored();
}

const dropSaltsBefore = statement<never, { day: string }>(
  'drop_visitor_salts',
  'delete from visitor_salts where day < cast(:day as date)',
);

const dropVisitorsBefore = statement<never, { brandKey: number; day: string }>(
  'drop_referral_visitors',
  'delete from referral_visitors where brand_key = :brandKey and day < cast(:day as date)',
);

/** Destroys the salts of days whose visitors are not told apart any more, and then the hashes. Safe to run concurrently. */
export async function dropVisitors(db: Knex, brandKeys: readonly number[], today: string): Promise<void> {
  const day = visitorsSince(today);
  await dropSaltsBefore(db, { day });
  for (const brandKey of brandKeys) await dropVisitorsBefore(db, { brandKey, day });
}

// What is stored.

const insertKeys = statement<{ key: string }, { brandKey: number; rows: string }>(
  'insert_referral_keys',
  `insert into referral_keys (brand_key, day, key)
   select cast(:brandKey as integer), r.day, decode(r.key, 'base64')
   from json_to_recordset(cast(:rows as json)) as r (day date, key text)
   on conflict (brand_key, day, key) do nothing
   returning encode(key, 'base64') as key`,
);

const insertVisitors = statement<{ visitor: string }, { brandKey: number; rows: string }>(
  'insert_referral_visitors',
  `insert into referral_visitors (brand_key, day, visitor)
   select cast(:brandKey as integer), r.day, decode(r.visitor, 'base64')
   from json_to_recordset(cast(:rows as json)) as r (day date, visitor text)
   on conflict (brand_key, day, visitor) do nothing
   returning encode(visitor, 'base64') as visitor`,
);

const addToDays = statement<never, { brandKey: number; rows: string }>(
  'add_to_referral_days',
  `insert into referral_days as d (brand_key, day, product, hash, path, visits, pageviews, without_visitor)
   select cast(:brandKey as integer), r.day, r.product, ${pathHash('r.path')}, r.path, sum(r.visits), count(*),
     sum(r."withoutVisitor")
   from json_to_recordset(cast(:rows as json))
     as r (day date, product text, path text, visits integer, "withoutVisitor" integer)
   group by r.day, r.product, r.path
   on conflict (brand_key, day, product, hash) do update set visits = d.visits + excluded.visits,
     pageviews = d.pageviews + excluded.pageviews, without_visitor = d.without_visitor + excluded.without_visitor`,
);

/** Notes days on which it is known where people came from, and returns those that were not known before. */
const addScope = statement<{ day: string }, { brandKey: number; days: readonly string[] }>(
  'add_referral_scope',
  `insert into referral_scope (brand_key, day) select cast(:brandKey as integer), unnest(cast(:days as date[]))
   on conflict (brand_key, day) do nothing returning day`,
);

export const addReferringDays = async (
  trx: Knex,
  brandKey: number,
  days: readonly string[],
): Promise<number> => (days.length === 0 ? 0 : (await addScope(trx, { brandKey, days })).length);

const TABLES = ['referral_days', 'referral_scope', 'referral_keys'] as const;
const dropBefore = TABLES.map((table) =>
  statement<{ deleted: number }, { brandKey: number; day: string }>(
    `drop_old_${table}`,
    `with gone as (
       delete from ${table} where brand_key = :brandKey and day < cast(:day as date) returning 1
     )
     select count(*) as deleted from gone`,
  ),
);

/** Deletes what was counted before a day, and returns the number of rows. */
export async function dropOldReferrals(db: Knex, brandKey: number, day: string): Promise<number> {
  let total = 0;
  for (const drop of dropBefore) total += (await drop(db, { brandKey, day }))[0]!.deleted;
  return total;
}

// The page views of one body.

const KEY_BYTES = 16;
const SEPARATOR = '\x1f';

const shortMac = (secret: KeyObject | Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest().subarray(0, KEY_BYTES).toString('base64');

interface PageView {
  readonly key: string;
  readonly day: string;
  readonly product: string;
  readonly path: string;
  /** The text whose hash is the visitor on this page; null: the visitor cannot be told from others. */
  readonly visitor: string | null;
}

/** Collects page views of a brand, and counts those that were not counted before. */
export class ReferralWriter {
  readonly #brandKey: number;
  readonly #secret: KeyObject;
  readonly #visitorsSince: string;
  #views: PageView[] = [];

  /** @param secret Of the keys by which page views count once. */
  constructor(brandKey: number, secret: KeyObject, now: Date) {
    this.#brandKey = brandKey;
    this.#secret = secret;
    this.#visitorsSince = visitorsSince(utcDay(now));
  }

  /** Those that wait in memory. */
  get size(): number {
    return this.#views.length;
  }

  add({ product, path, time, address, userAgent, identity }: Referral): void {
    const day = utcDay(new Date(time));
    const isTold = address !== null && day >= this.#visitorsSince;
    // The page is part of it, so that not even equal hashes follow a visitor from page to page or from brand to brand.
    const visitor = isTold ? [this.#brandKey, product, path, address, userAgent].join(SEPARATOR) : null;
    // The namespace of crawler hits is another one.
    this.#views.push({
      key: shortMac(this.#secret, `referral${SEPARATOR}${identity}`),
      day,
      product,
      path,
      visitor,
    });
  }

  /** Counts what waits, and returns how many page views were new. The brand has to be locked. */
  async store(trx: Knex): Promise<number> {
    const brandKey = this.#brandKey;
    const byKey = new Map(this.#views.map((view) => [view.key, view]));
    this.#views = [];
    if (byKey.size === 0) return 0;
    const rows = [...byKey.values()].map(({ day, key }) => ({ day, key }));
    const stored = await insertKeys(trx, { brandKey, rows: JSON.stringify(rows) });
    const added = stored.map(({ key }) => byKey.get(key)!);
    if (added.length === 0) return 0;
    const visits = await this.#visitsOf(trx, added);
    const counted = added.map(({ key, day, product, path, visitor }) => {
      return {
        day,
        product,
        path,
        visits: visits.has(key) ? 1 : 0,
        withoutVisitor: visitor === null ? 1 : 0,
      };
    });
    await addToDays(trx, { brandKey, rows: JSON.stringify(counted) });
    return added.length;
  }

  /** The keys of the page views that begin a visit: one for each visitor who was not there before. */
  async #visitsOf(trx: Knex, views: readonly PageView[]): Promise<ReadonlySet<string>> {
    const told = views.filter(({ visitor }) => visitor !== null);
    if (told.length === 0) return new Set();
    const salts = await saltsOf(trx, [...new Set(told.map(({ day }) => day))]);
    const first = new Map<string, PageView>();
    for (const view of told) {
      const visitor = shortMac(salts.get(view.day)!, view.visitor!);
      if (!first.has(visitor)) first.set(visitor, view);
    }
    const rows = [...first].map(([visitor, { day }]) => ({ day, visitor }));
    const added = await insertVisitors(trx, { brandKey: this.#brandKey, rows: JSON.stringify(rows) });
    return new Set(added.map(({ visitor }) => first.get(visitor)!.key));
  }
}
