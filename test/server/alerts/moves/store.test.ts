import { expect } from 'chai';
import fc from 'fast-check';
import { MOVE_DAYS } from '../../../../src/contract/moves.js';
import type { FoundMove } from '../../../../src/server/alerts/moves/found.js';
import { moveId, reconcile, type Search } from '../../../../src/server/alerts/moves/store.js';
import { addDays, daysBetween } from '../../../../src/server/base/days.js';

const DAY = '2026-11-01';

type Told = Parameters<typeof reconcile>[0][number] & { readonly told: number };

const found: fc.Arbitrary<FoundMove> = fc.record({
  kind: fc.constantFrom('metric' as const),
  subject: fc.constantFrom('a', 'b'),
  direction: fc.constantFrom('up' as const, 'down' as const),
  day: fc.integer({ min: 0, max: 6 }).map((days) => addDays(DAY, days)),
  facts: fc.record({ end: fc.constantFrom('x', 'y') }) as fc.Arbitrary<never>,
});

/** What a search can find: of a subject a day each, and also two of the same direction. */
const searches: fc.Arbitrary<FoundMove[]> = fc.array(found, { maxLength: 6 }).map((moves) => {
  const sorted = [...moves].sort((a, b) => (a.day < b.day ? -1 : 1));
  const last = new Map<string, FoundMove>();
  return sorted.filter((move) => {
    const former = last.get(move.subject);
    if (former?.day === move.day) return false;
    last.set(move.subject, move);
    return true;
  });
});

/** Stores what a search says, as the database does. */
function applied(stored: readonly Told[], search: Search, night: number): Told[] {
  const { tell, change, withdraw } = reconcile(stored, search);
  const changed = stored.map((row) => {
    const other = change.find(({ id }) => id === row.id)?.found;
    if (other) return { ...row, day: other.day, facts: other.facts, withdrawn: false };
    return withdraw.includes(row.id) ? { ...row, withdrawn: true } : row;
  });
  const taken = new Set(stored.map(({ id }) => id));
  const added = tell.map((move) => {
    const id = moveId('b', move, taken);
    taken.add(id);
    return { ...move, id, withdrawn: false, told: night };
  });
  return [...changed, ...added];
}

const searchOf = (moves: readonly FoundMove[]): Search => ({ kinds: ['metric'], since: DAY, found: moves });

describe('moves: storing', () => {
  it('the same search a second time tells, changes and withdraws nothing', () => {
    fc.assert(
      fc.property(fc.array(searches, { maxLength: 4 }), searches, (before, last) => {
        const stored = before.reduce<Told[]>((rows, moves, at) => applied(rows, searchOf(moves), at), []);
        const once = applied(stored, searchOf(last), 9);
        expect(reconcile(once, searchOf(last))).to.deep.equal({ tell: [], change: [], withdraw: [] });
      }),
    );
  });

  it('the days of the last search list what it found, whatever was found before', () => {
    fc.assert(
      fc.property(fc.array(searches, { maxLength: 4 }), searches, (before, last) => {
        const stored = before.reduce<Told[]>((rows, moves, at) => applied(rows, searchOf(moves), at), []);
        const listed = applied(stored, searchOf(last), 9).filter(({ withdrawn }) => !withdrawn);
        const plain = ({ subject, direction, day, facts }: FoundMove | Told) => ({
          subject,
          direction,
          day,
          facts,
        });
        expect(listed.map(plain)).to.have.deep.members(last.map(plain));
      }),
    );
  });

  it('a move that was told is known for four weeks, unless another about the same came in between', () => {
    const fall: FoundMove = { kind: 'metric', subject: 'a', direction: 'down', day: DAY, facts: {} as never };
    const told = { ...fall, id: moveId('b', fall), withdrawn: false };
    for (const days of [0, 1, MOVE_DAYS, MOVE_DAYS + 1]) {
      const later = { ...fall, day: addDays(DAY, days) };
      const { tell } = reconcile([told], { kinds: ['metric'], since: later.day, found: [later] });
      expect(tell.length, String(days)).to.equal(daysBetween(DAY, later.day) > MOVE_DAYS ? 1 : 0);
    }
    const rise = { ...fall, direction: 'up' as const, day: addDays(DAY, 5) };
    const stored = [told, { ...rise, id: moveId('b', rise), withdrawn: false }];
    const again = { ...fall, day: addDays(DAY, 10) };
    expect(reconcile(stored, { kinds: [], since: again.day, found: [again] }).tell).to.deep.equal([again]);
  });

  it('of two in the same direction each is its own, also where the first one is found late or was looked for before', () => {
    const first: FoundMove = { kind: 'metric', subject: 'a', direction: 'up', day: DAY, facts: {} as never };
    const second = { ...first, day: addDays(DAY, MOVE_DAYS), after: first.day };
    const rowOf = (move: FoundMove) => ({ ...move, id: moveId('b', move), withdrawn: false });
    const late = reconcile([rowOf(second)], searchOf([first, second]));
    expect(late).to.deep.equal({ tell: [first], change: [], withdraw: [] });
    const search = { kinds: ['metric' as const], since: second.day, found: [second] };
    expect(reconcile([rowOf(first)], search).tell).to.deep.equal([second]);
    expect(reconcile([rowOf(first), rowOf(second)], search).tell).to.deep.equal([]);
  });

  it('the id of a move is a UUID that depends on what is described only', () => {
    const move: FoundMove = { kind: 'metric', subject: 'a', direction: 'up', day: DAY, facts: {} as never };
    expect(moveId('b', move)).to.match(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    const other: FoundMove = { ...move, facts: { end: 'x' } as never };
    expect(moveId('b', other)).to.equal(moveId('b', move));
    expect(moveId('c', move)).to.not.equal(moveId('b', move));
  });
});
