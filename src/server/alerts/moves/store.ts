/** Stores moves. Nothing is told twice: not by a repeated import, a second server or a later change of the data. */
import type { Knex } from 'knex';
import { type Direction, MOVE_DAYS, type MoveFacts, type MoveKind } from '../../../contract/moves.js';
import { daysBetween } from '../../base/days.js';
import { uuidOf } from '../../base/hashed-text.js';
import { statement } from '../../base/statement.js';
import type { FoundMove } from './found.js';

export interface StoredMove {
  id: string;
  kind: MoveKind;
  subject: string;
  direction: Direction | null;
  day: string;
  facts: MoveFacts[MoveKind];
  toldAt: Date;
  /** The data that it was found in have changed, and no longer have it. */
  withdrawn: boolean;
}

/** What was looked for. */
export interface Search {
  /** The kinds of moves, all of which are in `found` that there are from `since` on. */
  readonly kinds: readonly MoveKind[];
  readonly since: string;
  readonly found: readonly FoundMove[];
}

interface Reconciled {
  readonly tell: readonly FoundMove[];
  /** What is stored and has other facts now. */
  readonly change: readonly { readonly id: string; readonly found: FoundMove }[];
  /** Ids of what the data no longer have. */
  readonly withdraw: readonly string[];
}

type Told = Pick<StoredMove, 'id' | 'kind' | 'subject' | 'direction' | 'day' | 'facts' | 'withdrawn'>;

const isSame = (
  a: Pick<Described, 'kind' | 'direction'>,
  b: Pick<Described, 'kind' | 'direction'>,
): boolean => a.kind === b.kind && a.direction === b.direction;

/**
 * Compares what is found with what was told. A move is known if the same was told within `MOVE_DAYS` of it, and nothing else
 * about its subject in between: then it is not told again, though its day and its facts may be others now. Of two in the same
 * direction each is its own.
 * @param stored What was told, from `MOVE_DAYS` before `since` on.
 */
export function reconcile(stored: readonly Told[], { kinds, since, found }: Search): Reconciled {
  const tell: FoundMove[] = [];
  const change: { id: string; found: FoundMove }[] = [];
  const kept = new Set<string>();
  // A move that was told since then and is not found any more is withdrawn, so that it no longer stands between others.
  const isLooked = ({ kind, day }: Told) => kinds.includes(kind) && day >= since;
  const standing = [...stored.filter((each) => !each.withdrawn && !isLooked(each)), ...found];
  for (const move of found) {
    const [known] = stored
      .filter(
        (each) => !kept.has(each.id) && !isOfOther(each, move, found) && isKnownAs(each, move, standing),
      )
      .sort((a, b) => distance(a, move) - distance(b, move) || Number(a.withdrawn) - Number(b.withdrawn));
    if (!known) {
      tell.push(move);
      continue;
    }
    kept.add(known.id);
    const isChanged = known.withdrawn || known.day !== move.day || !hasFacts(known, move);
    if (isChanged && (known.withdrawn || known.day >= since)) change.push({ id: known.id, found: move });
  }
  const gone = stored.filter((each) => isLooked(each) && !each.withdrawn && !kept.has(each.id));
  return { tell, change, withdraw: gone.map(({ id }) => id) };
}

type Described = Pick<FoundMove, 'kind' | 'subject' | 'direction' | 'day'>;

const distance = (a: Described, b: Described): number => Math.abs(daysBetween(a.day, b.day));

/** Whether another move that is found is of the day of what was told. */
const isOfOther = (told: Told, move: FoundMove, found: readonly FoundMove[]): boolean =>
  told.day !== move.day &&
  found.some((each) => each.subject === told.subject && isSame(each, told) && each.day === told.day);

function isKnownAs(told: Told, move: FoundMove, standing: readonly Described[]): boolean {
  if (move.after !== undefined && told.day <= move.after) return false;
  if (told.subject !== move.subject || !isSame(told, move) || distance(told, move) > MOVE_DAYS) return false;
  const [first, last] = [told.day, move.day].sort();
  return !standing.some(
    (each) => each.subject === move.subject && !isSame(each, move) && each.day > first! && each.day < last!,
  );
}

/** Facts are stored as JSON, whose keys have an order of their own, with a reason that is not searched for again. */
const hasFacts = ({ facts }: Told, move: FoundMove): boolean => {
  const now: Readonly<Record<string, unknown>> = { ...move.facts };
  const { because: _, ...was }: Readonly<Record<string, unknown>> = { ...facts };
  return [...new Set([...Object.keys(now), ...Object.keys(was)])].every(
    (name) => JSON.stringify(now[name]) === JSON.stringify(was[name]),
  );
};

const columns = `id, kind, subject, direction, day, facts, told_at as "toldAt", withdrawn`;

/** What was told from `MOVE_DAYS` before a day on, oldest first. */
export const movesSince = statement<StoredMove, { brandKey: number; day: string }>(
  'moves_since',
  `select ${columns} from moves where brand_key = :brandKey and day >= cast(:day as date) - ${MOVE_DAYS} order by day, id`,
);

const insertMove = statement<
  { id: string },
  Omit<StoredMove, 'facts' | 'withdrawn'> & { brandKey: number; facts: string }
>(
  'insert_move',
  `insert into moves (brand_key, id, kind, subject, direction, day, facts, told_at, withdrawn)
   values (:brandKey, :id, :kind, :subject, :direction, cast(:day as date), cast(:facts as jsonb), :toldAt, false)
   on conflict (brand_key, id) do nothing returning id`,
);

const changeMove = statement<never, { brandKey: number; id: string; day: string; facts: string }>(
  'change_move',
  `update moves set day = cast(:day as date), facts = cast(:facts as jsonb), withdrawn = false
   where brand_key = :brandKey and id = :id`,
);

const withdrawMoves = statement<never, { brandKey: number; ids: readonly string[] }>(
  'withdraw_moves',
  'update moves set withdrawn = true where brand_key = :brandKey and id = any(cast(:ids as text[]))',
);

/**
 * The identifier of a move, equal on every server and in every replay: version 8 of RFC 9562.
 * @param taken Identifiers of other moves: one of these moves may have had this day before its day changed.
 */
export function moveId(
  brandId: string,
  { kind, subject, direction, day }: Described,
  taken: ReadonlySet<string> = new Set(),
): string {
  for (let attempt = 0; ; attempt += 1) {
    const id = uuidOf(JSON.stringify([brandId, kind, subject, direction, day, attempt]));
    if (!taken.has(id)) return id;
  }
}

export interface BrandOfMoves {
  readonly key: number;
  readonly id: string;
}

export interface Stored {
  /** Moves that were not told before. */
  readonly told: readonly StoredMove[];
  /** Whether any stored move of the brand has changed. */
  readonly changed: boolean;
}

/** Adds to a move why it happened, which is looked for only where the move is stored. */
export type Explain = (found: FoundMove) => Promise<MoveFacts[MoveKind]>;

/** Stores what is found. The transaction holds the lock of the brand's imports, so that nothing is stored in between. */
export async function storeMoves(
  trx: Knex,
  { key: brandKey, id: brandId }: BrandOfMoves,
  search: Search,
  now: Date,
  explain: Explain = async ({ facts }) => facts,
): Promise<Stored> {
  const stored = await movesSince(trx, { brandKey, day: search.since });
  const { tell, change, withdraw } = reconcile(stored, search);
  const told: StoredMove[] = [];
  const taken = new Set(stored.map(({ id }) => id));
  for (const move of tell) {
    const { kind, subject, direction, day } = move;
    const row = { kind, subject, direction, day, id: moveId(brandId, move, taken), toldAt: now };
    const facts = await explain(move);
    taken.add(row.id);
    const [inserted] = await insertMove(trx, { ...row, brandKey, facts: JSON.stringify(facts) });
    if (inserted) told.push({ ...row, facts, withdrawn: false });
  }
  for (const { id, found } of change)
    await changeMove(trx, { brandKey, id, day: found.day, facts: JSON.stringify(await explain(found)) });
  if (withdraw.length > 0) await withdrawMoves(trx, { brandKey, ids: withdraw });
  return { told, changed: told.length + change.length + withdraw.length > 0 };
}
