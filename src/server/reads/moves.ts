import { CAPS } from '../../contract/limits.js';
import {
  MOVE_DAYS,
  type MoveFacts,
  type MoveKind,
  moveKinds,
  moveText,
  siteMoves,
} from '../../contract/moves.js';
import { notes, sentence } from '../../contract/notes.js';
import type { Move } from '../../contract/reads/moves.js';
import { dataVersion } from '../accounts/brands.js';
import { daysBetween } from '../days.js';
import { statement } from '../statement.js';
import { seesCrawlers } from './circumstances.js';
import { cutPage, rowsToFetch } from './page.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';

interface MoveRow {
  readonly id: string;
  readonly kind: MoveKind;
  readonly direction: Move['direction'];
  readonly day: string;
  readonly facts: MoveFacts[MoveKind];
  readonly toldAt: Date;
  /** Whether something else was told later about the same subject. */
  readonly reverted: boolean;
}

const movesNewestFirst = statement<
  MoveRow,
  {
    brandKey: number;
    kinds: readonly string[];
    beforeDay: string | null;
    beforeId: string | null;
    rows: number;
  }
>(
  'moves_newest_first',
  `select m.id, m.kind, m.direction, m.day, m.facts, m.told_at as "toldAt", exists (
     select 1 from moves l
     where l.brand_key = :brandKey and l.subject = m.subject and not l.withdrawn and l.day > m.day
       and (l.kind <> m.kind or l.direction is distinct from m.direction)
   ) as reverted
   from moves m
   where m.brand_key = :brandKey and not m.withdrawn and m.kind = any(cast(:kinds as text[]))
     and (cast(:beforeDay as date) is null or (m.day, m.id) < (cast(:beforeDay as date), :beforeId))
   order by m.day desc, m.id desc limit :rows`,
);

const compute: Reader<'moves'> = async ({ db, brand, access, today, page }) => {
  const site: readonly MoveKind[] = siteMoves;
  const kinds = moveKinds.filter((kind) => seesCrawlers(access) || !site.includes(kind));
  const [beforeDay = null, beforeId = null] = page?.after ?? [];
  const newest = (rows: number) =>
    movesNewestFirst(db, { brandKey: brand.key, kinds, beforeDay, beforeId, rows });
  const bodyOf = (rows: readonly MoveRow[]) => ({
    brand: brandRefOf(brand),
    moves: rows.map((row) => moveOf(row, today)),
    note: notes([
      !brand.hasRuns && sentence('neverCollected'),
      brand.hasRuns && rows.length === 0 && beforeDay === null && sentence('noMoves'),
    ]),
  });
  if (!page) return bodyOf(await newest(CAPS.moves));
  const { rows, next_cursor } = cutPage(page, await newest(rowsToFetch(page)), ({ day, id }) => [day, id]);
  return { ...bodyOf(rows), next_cursor };
};

/** Pages go by day and id, newest first. What is told about the site is not of every plan. */
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

function moveOf({ id, kind, direction, day, facts, toldAt, reverted }: MoveRow, today: string): Move {
  return {
    ...{ id, kind, day },
    detected_at: toldAt.toISOString(),
    text: moveText(kind, facts as never, day),
    current: !reverted && daysBetween(day, today) <= MOVE_DAYS,
    ...NOTHING,
    direction,
    ...(kind === 'metric' && metricFields(facts as MoveFacts['metric'])),
    ...('engine' in facts && { engine: facts.engine }),
    ...('agent' in facts && { agent: facts.agent }),
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
  ...{ metric, entity, before, after, difference, because },
  interval: [...interval] as [number, number],
  window: { start, end, days },
  why: entity === null ? { metric, engine, from: start, to: end } : null,
});
