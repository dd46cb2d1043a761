/** What the reads of one page have in common: a statement that several of them run with the same values is run once. */
import type { Db } from '../../base/statement.js';

type Rows = { readonly rows: never[] };

/** The reads of a page, while they are computed. */
export interface CommonWork {
  /** The same database; statements that were run before through any of them have their rows already. */
  of(db: Db): Db;
  /** The result of `work`, which is done once for each key; a failure is not kept. */
  once<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** @returns For reads of one version of the data: kept rows do not change. */
export function commonWork(): CommonWork {
  const results = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = results.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const made = work();
    results.set(key, made);
    made.catch(() => results.delete(key));
    return made;
  };
  const of = (db: Db): Db => ({
    raw: (sql, bindings) => ({
      options: (options) => {
        const run = async (): Promise<Rows> => db.raw(sql, bindings).options(options);
        const key = `${sql}\n${JSON.stringify(bindings)}`;
        const isKnown = results.has(key);
        const found = once(key, run);
        // What failed may have failed because nobody waits for the read that ran it.
        const own = isKnown ? found.catch(run) : found;
        // A list of its own, since readers may sort it.
        return own.then(({ rows }) => ({ rows: [...rows] }));
      },
    }),
  });
  return { of, once };
}
