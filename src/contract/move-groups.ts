/** What is told together: the moves of a night are one group, with the one that is worth the most as its headline. */
import { addDays } from './days.js';
import { COLLECTION_RHYTHM, type MoveFacts, type MoveKind, type MoveRole, worthOf } from './moves.js';

interface Groupable {
  readonly kind: MoveKind;
  readonly subject: string;
  readonly day: string;
  readonly facts: MoveFacts[MoveKind];
  /** The days after the end of `day` until it can be found; if omitted, what its facts say. */
  readonly grace?: number;
}

export interface Grouped<M> {
  readonly move: M;
  /** The night on which it is told if its data are not late. */
  readonly night: string;
  /** The night of its group: another one where it is folded into what was told before. */
  readonly group: string;
  readonly role: MoveRole;
  /** The move that says it already; null: it is told itself. */
  readonly into: M | null;
}

/** Kinds that are found on the day that they describe. The others are found when it is over. */
const SAME_DAY: ReadonlySet<MoveKind> = new Set(['model', 'robots']);

/** The night on which a move is told, named after the day on which it ends. */
function nightOf({ kind, day, facts, grace }: Groupable): string {
  if (SAME_DAY.has(kind)) return day;
  const isLate = 'usual' in facts || ('outcome' in facts && facts.outcome === 'unended');
  return addDays(day, 1 + (grace ?? (isLate ? COLLECTION_RHYTHM.grace : 0)));
}

/**
 * The moves in their groups: the newest night first, and of a night the headline, the lines by their worth, and those that are
 * folded. A move whose target is not among these is told itself.
 * @param moves All that stand, from `MOVE_DAYS` before the first one that is asked about.
 */
export function groupsOf<M extends Groupable>(moves: readonly M[]): Grouped<M>[] {
  const known = new Map(moves.map((move) => [keyOf(move), move]));
  const headed = new Set<string>();
  return moves
    .map((move) => {
      const told = toldInstead(move, known);
      return { move, night: nightOf(move), group: nightOf(told), into: told === move ? null : told };
    })
    .sort(
      (a, b) =>
        compare(b.night, a.night) ||
        Number(a.into !== null) - Number(b.into !== null) ||
        byWorth(a.move, b.move) ||
        compare(keyOf(a.move), keyOf(b.move)),
    )
    .map((each) => {
      const isFirst = each.into === null && !headed.has(each.night);
      if (isFirst) headed.add(each.night);
      return { ...each, role: each.into !== null ? 'folded' : isFirst ? 'headline' : 'line' };
    });
}

const keyOf = ({ subject, day }: Pick<Groupable, 'subject' | 'day'>): string =>
  JSON.stringify([subject, day]);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What is worth more comes first. */
export function byWorth(a: Pick<Groupable, 'kind' | 'facts'>, b: Pick<Groupable, 'kind' | 'facts'>): number {
  const [left, right] = [worthOf(a.kind, a.facts), worthOf(b.kind, b.facts)];
  const at = left.findIndex((place, index) => place !== right[index]);
  return at === -1 ? 0 : left[at]! - right[at]!;
}

/** The move at the end of the chain of those that say it already; itself if it is told. */
function toldInstead<M extends Groupable>(move: M, known: ReadonlyMap<string, M>): M {
  const seen = new Set([move]);
  for (let at = move; ; ) {
    const folded = 'folded' in at.facts ? at.facts.folded : undefined;
    const next = folded && known.get(keyOf(folded));
    if (!next || seen.has(next)) return at;
    seen.add(next);
    at = next;
  }
}
