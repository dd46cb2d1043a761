/**
 * The brands of an import, with the keys of their prompts and entities. A line may refer to a brand or a prompt that only
 * a later line defines: the reference gets its key at once, and the checks at the end of the file find what is missing.
 */
import type { Knex } from 'knex';
import { brandKeyOf } from '../../answers/collections.js';
import { entitiesWithAliases } from '../../answers/sums/tracked-entities.js';
import { utcDay } from '../../base/days.js';
import { statement } from '../../base/statement.js';
import { lockImports } from './import-locks.js';

export interface ImportedBrand {
  readonly key: number;
  readonly id: string;
  readonly promptKeys: Map<string, number>;
  /** Entity numbers of competitors. The brand itself is 0. */
  readonly entities: Map<string, number>;
  /** The UTC day on which a competitor was retired before this import, by entity. */
  readonly retiredOn: ReadonlyMap<number, string>;
  /** What the file states of entities whose names some answers were not searched for, by entity. */
  readonly statedGaps: Map<number, StatedGap>;
  /** `entitiesText` before this import. */
  readonly entitiesBefore: string;
  /** Days that a replaced run has or had: their roll-ups must be rebuilt. */
  readonly replacedDays: Set<string>;
  /** New runs by day. */
  readonly addedRuns: Map<string, AddedRuns>;
  /** How many runs were stored already when a line had them again. */
  replacedRuns: number;
  /** Whether a run was written in whose answer only tracked names were looked for. */
  hasTrackedNames: boolean;
  /** Whether pages were added whose lifetime totals are not rolled up yet. */
  tracksNewPages: boolean;
}

/** The first days from which an entity is measured, with every spelling, and with citations; null: all days. */
export interface StatedGap {
  readonly measured: string | null;
  readonly spelled: string | null;
  readonly cited: string | null;
}

export interface AddedRuns {
  count: number;
  /** The ids of the first `MAX_ADDED`. */
  readonly ids: string[];
}

/** More new runs of a day than these are not added to its roll-ups: they are rebuilt. */
export const MAX_ADDED = 500;

/** Row 0 of import_locks serialises the assignment of brand keys. */
const NEW_BRANDS = 0;

export class BrandCatalog {
  readonly #trx: Knex.Transaction;
  readonly #brands = new Map<string, ImportedBrand>();

  constructor(trx: Knex.Transaction) {
    this.#trx = trx;
  }

  get all(): Iterable<ImportedBrand> {
    return this.#brands.values();
  }

  /** Returns the brand and locks it for this import. */
  async get(id: string): Promise<ImportedBrand> {
    const loaded = this.#brands.get(id);
    if (loaded) return loaded;
    const brand = await this.#load(id);
    this.#brands.set(id, brand);
    return brand;
  }

  /** Returns the brands by id. Locks them in the order of their ids, so that two imports do not deadlock. */
  async getAll(ids: Iterable<string>): Promise<Map<string, ImportedBrand>> {
    const brands = new Map<string, ImportedBrand>();
    for (const id of [...new Set(ids)].sort()) brands.set(id, await this.get(id));
    return brands;
  }

  promptKey(brand: ImportedBrand, id: string): number {
    return numberOf(brand.promptKeys, id);
  }

  /** The number of the entity with this id: 0 for the brand itself. */
  entity(brand: ImportedBrand, id: string): number {
    return id === brand.id ? 0 : this.competitorEntity(brand, id);
  }

  competitorEntity(brand: ImportedBrand, id: string): number {
    return numberOf(brand.entities, id);
  }

  async #load(id: string): Promise<ImportedBrand> {
    const key = (await this.#find(id)) ?? (await this.#newKey(id));
    await lockImports(this.#trx, key);
    return {
      key,
      id,
      promptKeys: numbersOf(await promptNumbers(this.#trx, { brandKey: key })),
      entities: numbersOf(await competitorNumbers(this.#trx, { brandKey: key })),
      retiredOn: await this.#retiredOn(key),
      statedGaps: new Map(),
      entitiesBefore: await entitiesText(this.#trx, key),
      replacedDays: new Set(),
      addedRuns: new Map(),
      replacedRuns: 0,
      hasTrackedNames: false,
      tracksNewPages: false,
    };
  }

  async #find(id: string): Promise<number | undefined> {
    const [brand] = await brandKeyOf(this.#trx, { id });
    return brand?.brandKey;
  }

  /** An unused key. The row of the brand is inserted later in the import. */
  async #newKey(id: string): Promise<number> {
    await lockImports(this.#trx, NEW_BRANDS);
    // Another import may have inserted the brand while this one waited for the lock.
    const inserted = await this.#find(id);
    if (inserted !== undefined) return inserted;
    const [brands] = await newestBrand(this.#trx, {});
    const assigned = [...this.#brands.values()].map((brand) => brand.key);
    return Math.max(brands!.newest, ...assigned, 0) + 1;
  }

  async #retiredOn(key: number): Promise<Map<number, string>> {
    const retired = await retiredCompetitors(this.#trx, { brandKey: key });
    return new Map(retired.map(({ entity, retiredAt }) => [entity, utcDay(retiredAt)]));
  }
}

interface Numbered {
  id: string;
  number: number;
}

const numbersOf = (rows: readonly Numbered[]): Map<string, number> =>
  new Map(rows.map(({ id, number }) => [id, number]));

const promptNumbers = statement<Numbered, { brandKey: number }>(
  'prompt_numbers',
  'select id, prompt_key as number from prompts where brand_key = :brandKey',
);

const competitorNumbers = statement<Numbered, { brandKey: number }>(
  'competitor_numbers',
  'select id, entity as number from competitors where brand_key = :brandKey',
);

const retiredCompetitors = statement<{ entity: number; retiredAt: Date }, { brandKey: number }>(
  'retired_competitors',
  `select entity, retired_at as "retiredAt" from competitors
   where brand_key = :brandKey and retired_at is not null`,
);

const newestBrand = statement<{ newest: number }, Record<string, never>>(
  'newest_brand',
  'select coalesce(max(brand_key), 0) as newest from brands',
);

/** The number of an id, counted from 1. Entries are never removed, so the next number is the size plus 1. */
function numberOf(numbers: Map<string, number>, id: string): number {
  const known = numbers.get(id);
  if (known !== undefined) return known;
  const next = numbers.size + 1;
  numbers.set(id, next);
  return next;
}

/** The ids, names, aliases and domains of all entities as one text. If it is unchanged, resolution is unchanged too. */
export const entitiesText = async (trx: Knex.Transaction, brandKey: number): Promise<string> =>
  JSON.stringify(await entitiesWithAliases(trx, { brandKey }));
