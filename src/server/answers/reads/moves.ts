import { CAPS } from '../../../contract/limits.js';
import { type Grouped, groupsOf } from '../../../contract/move-groups.js';
import {
  MOVE_DAYS,
  type MoveFacts,
  type MoveKind,
  moveKinds,
  moveText,
  siteMoves,
} from '../../../contract/moves.js';
import { fact, noted } from '../../../contract/notes.js';
import type { Move } from '../../../contract/reads/moves.js';
import { dataVersion } from '../../accounts/brands.js';
import { daysBetween } from '../../base/days.js';
import { uuidOf } from '../../base/hashed-text.js';
import { statement } from '../../base/statement.js';
import { seesCrawlers } from './circumstances.js';
import { cutPage, rowsToFetch } from './list-page.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';

interface MoveRow {
  readonly id: string;
  readonly kind: MoveKind;
  readonly subject: string;
  readonly direction: Move['direction'];
  readonly day: string;
  readonly facts: MoveFacts[MoveKind];
  readonly toldAt: Date;
}

/** All that stand: a brand has some dozens a year, however many runs it has. */
const movesOfBrand = statement<MoveRow, { brandKey: number; kinds: readonly string[] }>(
  'moves_of_brand',
  `select id, kind, subject, direction, day, facts, told_at as "toldAt" from moves
   where brand_key = :brandKey and not withdrawn and kind = any(cast(:kinds as text[]))`,
);

/** The rows of a list, after the one at a place. If that is gone, its night begins again. */
function rowsAfter(
  groups: readonly Grouped<MoveRow>[],
  after: readonly string[],
): readonly Grouped<MoveRow>[] {
  const [night = '', id = ''] = after;
  const at = groups.findIndex(({ move }) => move.id === id);
  return at === -1 ? groups.filter((each) => each.night <= night) : groups.slice(at + 1);
}

const compute: Reader<'moves'> = async ({ db, brand, access, today, page }) => {
  const site: readonly MoveKind[] = siteMoves;
  const kinds = moveKinds.filter((kind) => seesCrawlers(access) || !site.includes(kind));
  const after = page?.after ?? null;
  const stored = await movesOfBrand(db, { brandKey: brand.key, kinds });
  const isReverted = revertedIn(stored);
  const groups = groupsOf(stored);
  const left = after === null ? groups : rowsAfter(groups, after);
  const bodyOf = (rows: readonly Grouped<MoveRow>[]) => ({
    brand: brandRefOf(brand),
    moves: rows.map((row) => moveOf(brand.id, row, today, isReverted(row.move))),
    ...noted([
      !brand.hasRuns && fact('never_collected'),
      brand.hasRuns && rows.length === 0 && after === null && fact('no_moves'),
    ]),
  });
  if (!page) return bodyOf(left.slice(0, CAPS.moves));
  const { rows, next_cursor } = cutPage(page, left.slice(0, rowsToFetch(page)), ({ night, move }) => [
    night,
    move.id,
  ]);
  return { ...bodyOf(rows), next_cursor };
};

/** Whether something else was told later about the subject of a move. */
function revertedIn(moves: readonly MoveRow[]): (move: MoveRow) => boolean {
  const bySubject = new Map<string, MoveRow[]>();
  for (const move of moves) bySubject.set(move.subject, [...(bySubject.get(move.subject) ?? []), move]);
  return ({ subject, kind, direction, day }) =>
    bySubject
      .get(subject)!
      .some((each) => each.day > day && (each.kind !== kind || each.direction !== direction));
}

/** Pages go by night and id, the newest night first. What is told about the site is not of every plan. */
export const reader = withCaching(compute, {
  cursor: ['day', 'text'],
  version: (context) => `${dataVersion(context)} ${seesCrawlers(context.access)}`,
});

const NOTHING = {
  metric: null,
  entity: null,
  engine: null,
  agent: null,
  window: null,
  before: null,
  after: null,
  difference: null,
  interval: null,
  because: null,
  why: null,
} satisfies Partial<Move>;

function moveOf(
  brandId: string,
  { move: { id, kind, direction, day, facts, toldAt }, group, role }: Grouped<MoveRow>,
  today: string,
  reverted: boolean,
): Move {
  return {
    id,
    kind,
    day,
    detected_at: toldAt.toISOString(),
    text: moveText(kind, facts as never, day),
    current: !reverted && daysBetween(day, today) <= MOVE_DAYS,
    ...NOTHING,
    direction,
    ...(kind === 'metric' && metricFields(facts as MoveFacts['metric'])),
    ...('engine' in facts && { engine: facts.engine }),
    ...('agent' in facts && { agent: facts.agent }),
    group: uuidOf(JSON.stringify(['night', brandId, group])),
    role,
  };
}

const metricFields = ({
  metric,
  entity,
  engine,
  start,
  end,
  days,
  before,
  after,
  difference,
  interval,
  because = null,
}: MoveFacts['metric']) => ({
  metric,
  entity,
  before,
  after,
  difference,
  because,
  interval: [...interval] as [number, number],
  window: { start, end, days },
  why: entity === null ? { metric, engine, from: start, to: end } : null,
});
