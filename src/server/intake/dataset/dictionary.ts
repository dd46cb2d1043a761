/**
 * A per-brand dictionary of texts: each distinct text has a small number, so that runs store numbers. The import
 * assigns the numbers while it holds the brand's lock, so there is no sequence and no conflict.
 */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { type CopyValue, copyInto, copyRow } from '../../database/copy.js';
import { storedEntries } from './probes.js';

/** The columns of a new entry besides its brand, number and hash. */
export type EntryColumns = Readonly<Record<string, CopyValue>>;

const REMEMBERED = 100_000;

export class Dictionary {
  /** Per brand, the numbers of texts. */
  readonly #known = new Map<number, Map<string, number>>();
  #size = 0;
  readonly #next = new Map<number, number>();
  /** Per brand, the first number that this import assigned: entries from there on are new. */
  readonly firstNew = new Map<number, number>();
  readonly #trx: Knex.Transaction;
  readonly #table: string;
  readonly #key: string;
  readonly #text: string;
  readonly #remembered: number;

  /** @param remembered More texts than these are forgotten when the next call of `ensure` begins. */
  constructor(trx: Knex.Transaction, table: string, key: string, text: string, remembered = REMEMBERED) {
    this.#trx = trx;
    this.#table = table;
    this.#key = key;
    this.#text = text;
    this.#remembered = remembered;
  }

  /**
   * The number of a text that the last call of `ensure` for this brand had.
   * @throws Error for any other text.
   */
  keyOf(brandKey: number, text: string): number {
    const key = this.#known.get(brandKey)?.get(text);
    if (key === undefined) throw new Error(`unknown key in dictionary ${this.#table}: ${text.slice(0, 100)}`);
    return key;
  }

  /** Forgets every text if there are too many. Call it before the first `ensure` of a batch. */
  forgetIfFull(): void {
    if (this.#size <= this.#remembered) return;
    this.#known.clear();
    this.#size = 0;
  }

  /** Ensures that every text has a number. `columnsOf` returns the columns of a new entry, if it has more than its text. */
  async ensure(
    brandKey: number,
    texts: Iterable<string>,
    columnsOf = (text: string): EntryColumns => ({ [this.#text]: text }),
  ): Promise<void> {
    const known = this.#known.get(brandKey);
    const missing = new Map<string, string>();
    for (const text of texts) {
      if (known?.get(text) === undefined) missing.set(hash('sha256', text, 'hex'), text);
    }
    if (missing.size === 0) return;
    for (const { hex, key } of await this.#find(brandKey, [...missing.keys()])) {
      this.#remember(brandKey, missing.get(hex)!, key);
      missing.delete(hex);
    }
    await this.#add(brandKey, missing, columnsOf);
  }

  #remember(brandKey: number, text: string, key: number): void {
    const known = this.#known.get(brandKey) ?? new Map<string, number>();
    this.#known.set(brandKey, known.set(text, key));
    this.#size++;
  }

  async #find(brandKey: number, hexes: string[]): Promise<{ hex: string; key: number }[]> {
    const { rows } = await this.#trx.raw(storedEntries(this.#table, this.#key), {
      brandKey,
      hashes: hexes.map((hex) => `\\x${hex}`),
    });
    return rows;
  }

  async #add(
    brandKey: number,
    missing: Map<string, string>,
    columnsOf: (text: string) => EntryColumns,
  ): Promise<void> {
    if (missing.size === 0) return;
    let key = await this.#nextKey(brandKey);
    let columns: string[] = [];
    const rows = [...missing].map(([hex, text]) => {
      this.#remember(brandKey, text, key);
      const entry = columnsOf(text);
      columns = Object.keys(entry);
      return copyRow([brandKey, key++, `\\x${hex}`, ...Object.values(entry)]);
    });
    this.#next.set(brandKey, key);
    await copyInto(this.#trx, `${this.#table} (brand_key, ${this.#key}, hash, ${columns.join(', ')})`, rows);
  }

  async #nextKey(brandKey: number): Promise<number> {
    const known = this.#next.get(brandKey);
    if (known !== undefined) return known;
    const { rows } = await this.#trx.raw(
      `select ${this.#key} + 1 as next from ${this.#table} where brand_key = ? order by ${this.#key} desc limit 1`,
      [brandKey],
    );
    const next = rows[0]?.next ?? 1;
    this.firstNew.set(brandKey, next);
    return next;
  }
}
