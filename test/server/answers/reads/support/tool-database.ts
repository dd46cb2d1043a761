/** A database to load records into, and the payloads of tools on it, without a server. */
import type { BodyOf, ReadName } from '../../../../../src/contract/registry.js';
import { findBrand, OPERATOR } from '../../../../../src/server/accounts/access.js';
import { readers } from '../../../../../src/server/answers/reads/index.js';
import type { ReadContext } from '../../../../../src/server/answers/reads/reader.js';
import { utcDay } from '../../../../../src/server/base/days.js';
import type { Database } from '../../../../../src/server/database/database.js';
import { emptyDatabase } from '../../../../support/database.js';
import { type Lines, load, market, NOW } from '../../../intake/dataset/support/load.js';

export { runOf } from '../../../intake/dataset/support/load.js';

export interface ToolDatabase {
  readonly database: Database;
  /** Loads records as they are. */
  load(lines: Lines, now?: Date): Promise<void>;
  /** Loads the market and more. */
  collect(...lines: object[]): Promise<void>;
  /** The body of a read for a brand, `b` unless said, as it crosses the wire. */
  payload<N extends ReadName>(read: N, brandId?: string, now?: Date, params?: object): Promise<BodyOf<N>>;
  close(): Promise<void>;
}

export async function toolDatabase(): Promise<ToolDatabase> {
  const database = await emptyDatabase();
  const { knex } = database;
  const loadAll = async (lines: Lines, now = NOW) => {
    await load(knex, lines, { now });
  };
  return {
    database,
    load: loadAll,
    collect: (...lines) => loadAll([...market, ...lines]),
    payload: async (name, brandId = 'b', now = NOW, params = {}) => {
      const brand = await findBrand(knex, OPERATOR, brandId);
      if (typeof brand === 'string') throw new Error(`no brand ${brandId}`);
      const robots: ReadContext['robots'] = { of: () => Promise.reject(new Error('no tool asks the site')) };
      const context: ReadContext = {
        db: knex,
        access: OPERATOR,
        brand,
        today: utcDay(now),
        now,
        robots,
        page: null,
      };
      const compute = readers[name];
      return JSON.parse(JSON.stringify(await compute(context, params as never)));
    },
    close: () => database.close(),
  };
}

/** A run field: citations of these addresses. */
export const cites = (...urls: string[]) => ({ citations: urls.map((url) => ({ url })) });
/** A run field: collected on this day. */
export const on = (day: string, time = '08:00:00') => ({ collected_at: `${day}T${time}Z` });
/** Numbers from 0 up to a count. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
/** As many digits as text order needs. */
export const padded = (at: number): string => String(at).padStart(4, '0');
