/** Repeats work that failed because of a concurrent transaction. */
import { setTimeout } from 'node:timers/promises';
import type { Knex } from 'knex';

/** Serialisation failure and deadlock: the whole transaction can be repeated. */
const AGAIN = new Set(['40001', '40P01']);
const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 20;

/** Runs `work` in a transaction, and repeats it after a serialisation failure or a deadlock, with growing random pauses. */
export const retriedTransaction = <T>(db: Knex, work: (trx: Knex) => Promise<T>): Promise<T> =>
  retried(() => db.transaction((trx) => work(trx)));

/** Like `retriedTransaction`, for work that opens its own transaction and can be repeated. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!AGAIN.has(code) || attempt === MOST_ATTEMPTS) throw error;
      await setTimeout(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}
