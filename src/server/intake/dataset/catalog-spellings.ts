/** By which spellings the entities of a catalog are found: those that the file states, and those that answers were counted by. */
import { ExpectedError } from '../../../contract/failure.js';
import { type Entry, idsOf, type StoredEntry } from './catalog-ids.js';
import { foldName } from './entity-resolution.js';
import type { RecordOf } from './records/index.js';

/** What an entry says of its other spellings. */
export interface Spellings {
  readonly aliases: readonly string[];
  /** Former names, the oldest first. Each stays a spelling. */
  readonly was?: readonly string[];
  /** Spellings to drop. */
  readonly forget?: readonly string[];
}

interface NamedSpellings extends Spellings {
  readonly id: string;
  readonly name: string;
}

/** Spellings of an entity that its `aliases` in the file do not list: former names, and what only the database has. */
export interface KeptSpellings {
  readonly id: string;
  readonly name: string;
  readonly spellings: readonly string[];
}

/** A spelling that one entity keeps, and that the file states of another. */
export interface Conflict {
  readonly spelling: string;
  /** The names of the entities. */
  readonly keeper: string;
  readonly claimant: string;
}

/** The brand, or a competitor of the file. */
interface CatalogEntity {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Its name and every spelling that the file states. */
  readonly stated: readonly string[];
  /** All spellings but the name: those that the file states, and those that the database has. */
  readonly spellings: readonly string[];
}

/** Who is tracked by the file: the brand, then its competitors in the order of `ids`. */
export function trackedOf(
  brand: NamedSpellings,
  competitors: readonly (Entry & Spellings)[],
  storedBrand: RecordOf<'brand'> | undefined,
  stored: readonly RecordOf<'competitor'>[],
): { ids: string[]; entities: CatalogEntity[] } {
  const rows = stored.map(
    ({ id, name, retired_at: since }): StoredEntry => ({ id, text: name, isRetired: since != null }),
  );
  const ids = idsOf(competitors, rows);
  const statedBy = ({ aliases, was = [] }: Spellings, name: string) => [name, ...aliases, ...was];
  const owners = [statedBy(brand, brand.name), ...competitors.map((each) => statedBy(each, each.text))];
  const entities = [
    entityOf(brand.id, brand.name, brand, storedBrand),
    ...competitors.map((each, at) => {
      const known = stored.find(({ id }) => id === ids[at]);
      const entity = entityOf(ids[at]!, each.text, each, known);
      if (known?.retired_at == null) return entity;
      // While it was retired, another may have got one of its spellings.
      const others = new Set(owners.flatMap((own, of) => (of === at + 1 ? [] : own.map(foldName))));
      return { ...entity, spellings: entity.spellings.filter((each) => !others.has(foldName(each))) };
    }),
  ];
  return { ids, entities };
}

/** @param known The stored record. Its name and its spellings stay spellings: answers were counted by them. */
function entityOf(
  id: string,
  name: string,
  { aliases, was = [], forget = [] }: Spellings,
  known: { readonly name: string; readonly aliases?: readonly string[] | null | undefined } | undefined,
): CatalogEntity {
  const seen = new Set([name, ...forget].map(foldName));
  const former = known ? [...(known.aliases ?? []), known.name] : [];
  const spellings = [...aliases, ...was, ...former].filter((each) => {
    const isNew = !seen.has(foldName(each));
    seen.add(foldName(each));
    return isNew;
  });
  return { id, name, aliases, stated: [name, ...aliases, ...was], spellings };
}

export const keptIn = (entities: readonly CatalogEntity[]): KeptSpellings[] =>
  entities.flatMap(({ id, name, aliases, spellings }) => {
    const stated = new Set(aliases.map(foldName));
    const kept = spellings.filter((each) => !stated.has(foldName(each)));
    return kept.length === 0 ? [] : [{ id, name, spellings: kept }];
  });

export function conflictsIn(entities: readonly CatalogEntity[]): Conflict[] {
  const owners = new Map(
    entities.flatMap((entity) => entity.stated.map((each) => [foldName(each), entity] as const)),
  );
  return entities.flatMap((keeper) =>
    keeper.spellings.flatMap((spelling) => {
      const claimant = owners.get(foldName(spelling));
      if (claimant === undefined || claimant === keeper) return [];
      return [{ spelling, keeper: keeper.name, claimant: claimant.name }];
    }),
  );
}

/** @throws ExpectedError `usage` if the file gives a spelling to another entity than the one that answers counted for. */
export function requireOneOwner(conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0) return;
  const lines = conflicts.map(
    ({ spelling, keeper, claimant }) =>
      `${spelling} is a spelling of ${keeper} in the database, and the file states it of ${claimant}: forget = [${JSON.stringify(spelling)}] in the entry of ${keeper} gives it away, with the mentions that are stored.`,
  );
  throw new ExpectedError('usage', lines.join('\n'));
}
