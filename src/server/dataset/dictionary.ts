/**
 * A per-brand dictionary of texts: each distinct text has a small number, so that runs store numbers. The import
 * assigns the numbers while it holds the brand's lock, so there is no sequence and no conflict.
 */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';

/** The columns of a new entry besides the text. */
export type EntryColumns = Readonly<Record<string, string | number | null>>;

const REMEMBERED = 200_000;

export class Dictionary {
  readonly #known: LRUCache<string, number>;
  readonly #next = new Map<number, number>();
  /** Per brand, the first number that this import assigned: entries from there on are new. */
  readonly firstNew = new Map<number, number>();
  readonly #trx: Knex.Transaction;
  readonly #table: string;
  readonly #key: string;
  readonly #text: string;

  /** @param remembered How many texts to cache: more than one call of `ensure` gets. */
  constructor(trx: Knex.Transaction, table: string, key: string, text: string, remembered = REMEMBERED) {
    // By size, because `max` allocates space for all entries at once.
    this.#known = new LRUCache({ maxSize: remembered, sizeCalculation: () => 1 });
    this.#trx = trx;
    this.#table = table;
    this.#key = key;
    this.#text = text;
  }

  /**
   * The number of a text that `ensure` has added.
   * @throws Error for any other text.
   */
  keyOf(brandKey: number, text: string): number {
    const key = this.#known.get(`${brandKey}\n${text}`);
    if (key === undefined) throw new Error(`unknown key in dictionary ${this.#table}: ${text.slice(0, 100)}`);
    return key;
  }

  /** Ensures that every text has a number. `columnsOf` returns the other columns of a new entry. */
  async ensure(
    brandKey: number,
    texts: Iterable<string>,
    columnsOf?: (text: string) => EntryColumns,
  ): Promise<void> {
    const missing = new Map<string, string>();
    for (const text of texts) {
      // `get` instead of `has`: it marks the text as used, so that new entries do not evict it.
      if (this.#known.get(`${brandKey}\n${text}`) === undefined)
        missing.set(hash('sha256', text, 'hex'), text);
    }
    if (missing.size === 0) return;
    for (const { hex, key } of await this.#find(brandKey, [...missing.keys()])) {
      this.#known.set(`${brandKey}\n${missing.get(hex)!}`, key);
      missing.delete(hex);
    }
    await this.#add(brandKey, missing, columnsOf);
  }

  async #find(brandKey: number, hexes: string[]): Promise<{ hex: string; key: number }[]> {
    const { rows } = await this.#trx.raw(
      `select encode(hash, 'hex') as hex, ${this.#key} as key from ${this.#table}
       where brand_key = :brandKey and hash = any(cast(:hashes as bytea[]))`,
      { brandKey, hashes: hexes.map((hex) => `\\x${hex}`) },
    );
    return rows;
  }

  async #add(
    brandKey: number,
    missing: Map<string, string>,
    columnsOf?: (text: string) => EntryColumns,
  ): Promise<void> {
    if (missing.size === 0) return;
    let key = await this.#nextKey(brandKey);
    const entries = [...missing].map(([hex, text]) => {
      this.#known.set(`${brandKey}\n${text}`, key);
      return { [this.#key]: key++, hash: `\\x${hex}`, [this.#text]: text, ...columnsOf?.(text) };
    });
    this.#next.set(brandKey, key);
    const columns = Object.keys(entries[0]!).join(', ');
    await this.#trx.raw(
      `insert into ${this.#table} (brand_key, ${columns})
       select :brandKey, ${columns} from json_populate_recordset(null::${this.#table}, :entries)`,
      { brandKey, entries: JSON.stringify(entries) },
    );
  }

  async #nextKey(brandKey: number): Promise<number> {
    const known = this.#next.get(brandKey);
    if (known !== undefined) return known;
    const { rows } = await this.#trx.raw(
      `select coalesce(max(${this.#key}), 0) + 1 as next from ${this.#table} where brand_key = ?`,
      [brandKey],
    );
    this.firstNew.set(brandKey, rows[0].next);
    return rows[0].next;
  }
}
