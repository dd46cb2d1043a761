/**
 * The brands that an import meets, with the keys of their prompts and entities. A line may refer to a brand or a
 * prompt that only a later line defines: it gets its key at once, and the end of the file shows what never came.
 */
import type { Knex } from 'knex';

export interface ImportedBrand {
  readonly key: number;
  readonly id: string;
  readonly promptKeys: Map<string, number>;
  /** Entity numbers of competitors; the brand itself is 0. */
  readonly entities: Map<string, number>;
  /** How names and domains resolved before this import, to see whether it changes that. */
  readonly resolvedBefore: string;
  /** Days whose roll-ups must be rebuilt. */
  readonly touchedDays: Set<string>;
  /** Pages were added whose lifetime totals are not rolled up yet. */
  tracksNewPages: boolean;
}

/** Row 0 of import_locks guards the giving out of brand keys. */
const NEW_BRANDS = 0;

export class BrandCatalog {
  readonly #trx: Knex.Transaction;
  readonly #met = new Map<string, ImportedBrand>();

  constructor(trx: Knex.Transaction) {
    this.#trx = trx;
  }

  get all(): Iterable<ImportedBrand> {
    return this.#met.values();
  }

  /** The brand, locked for this import. */
  async get(id: string): Promise<ImportedBrand> {
    const met = this.#met.get(id);
    if (met) return met;
    const brand = await this.#load(id);
    this.#met.set(id, brand);
    return brand;
  }

  /** The brands by id, locked in the order of their ids: two imports that meet the same ones wait for one another. */
  async getAll(ids: Iterable<string>): Promise<Map<string, ImportedBrand>> {
    const brands = new Map<string, ImportedBrand>();
    for (const id of [...new Set(ids)].sort()) brands.set(id, await this.get(id));
    return brands;
  }

  promptKey(brand: ImportedBrand, id: string): number {
    return numberOf(brand.promptKeys, id);
  }

  /** The entity with this id: the brand's own is 0. */
  entity(brand: ImportedBrand, id: string): number {
    return id === brand.id ? 0 : this.competitorEntity(brand, id);
  }

  competitorEntity(brand: ImportedBrand, id: string): number {
    return numberOf(brand.entities, id);
  }

  async #load(id: string): Promise<ImportedBrand> {
    const key = (await this.#find(id)) ?? (await this.#newKey(id));
    await this.#lock(key);
    return {
      key,
      id,
      promptKeys: await this.#numbers('select id, prompt_key as n from prompts where brand_key = ?', key),
      entities: await this.#numbers('select id, entity as n from competitors where brand_key = ?', key),
      resolvedBefore: await trackedSet(this.#trx, key),
      touchedDays: new Set(),
      tracksNewPages: false,
    };
  }

  async #find(id: string): Promise<number | undefined> {
    const { rows } = await this.#trx.raw('select brand_key from brands where id = ?', [id]);
    return rows[0]?.brand_key;
  }

  /** A key that is not in the table yet; the brand's row follows at the end of the import. */
  async #newKey(id: string): Promise<number> {
    await this.#lock(NEW_BRANDS);
    // Another import may have brought the brand while this one waited.
    const brought = await this.#find(id);
    if (brought !== undefined) return brought;
    const { rows } = await this.#trx.raw('select coalesce(max(brand_key), 0) as newest from brands');
    const given = [...this.#met.values()].map((brand) => brand.key);
    return Math.max(rows[0].newest, ...given, 0) + 1;
  }

  async #lock(key: number): Promise<void> {
    await this.#trx.raw('insert into import_locks values (?) on conflict do nothing', [key]);
    await this.#trx.raw('select 1 from import_locks where brand_key = ? for update', [key]);
  }

  async #numbers(sql: string, key: number): Promise<Map<string, number>> {
    const { rows } = await this.#trx.raw(sql, [key]);
    return new Map(rows.map((row: { id: string; n: number }) => [row.id, row.n]));
  }
}

/** Counts from 1; entries are never removed, so the next number is the size. */
function numberOf(numbers: Map<string, number>, id: string): number {
  const known = numbers.get(id);
  if (known !== undefined) return known;
  const next = numbers.size + 1;
  numbers.set(id, next);
  return next;
}

/** Names, aliases and domains of all entities as one text; equal before and after means nothing resolves otherwise. */
export async function trackedSet(trx: Knex.Transaction, brandKey: number): Promise<string> {
  const { rows } = await trx.raw(
    `select coalesce(json_agg(t order by entity), '[]')::text as tracked from (
       select 0 as entity, name, domain, aliases from brands where brand_key = :brandKey
       union all
       select entity, name, domain, aliases from competitors where brand_key = :brandKey) t`,
    { brandKey },
  );
  return rows[0].tracked;
}
