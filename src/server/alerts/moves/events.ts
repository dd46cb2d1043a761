/** Moves as the events that destinations get. */
import { ABOUT_NOTHING, type EventType, type ToldMove } from '../../../contract/events.js';
import type { Grouped } from '../../../contract/move-groups.js';
import { type MoveFacts, type MoveKind, moveText, moveTitle } from '../../../contract/moves.js';
import { brandPath, withQuery } from '../../base/brand-path.js';
import type { NewEvent } from '../delivery/outbox.js';
import type { StoredMove } from './store.js';

export const typeOf: Readonly<Record<MoveKind, EventType>> = {
  metric: 'move.detected',
  model: 'model.changed',
  crawler_silent: 'crawler.silent',
  crawler_refused: 'crawler.refused',
  robots: 'robots.changed',
  collection_missed: 'collection.incomplete',
  collection_incomplete: 'collection.incomplete',
  collection_completed: 'collection.completed',
  health_degraded: 'health.degraded',
  health_recovered: 'health.recovered',
};

export interface BrandOfEvent {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/**
 * What is told of a night as one event.
 * @param key The night, or the id of the first move where an event of the night was stored before.
 * @param moves In their groups; at least one is told.
 */
export function eventOf(
  { id, name, domain }: BrandOfEvent,
  key: string,
  moves: readonly Pick<Grouped<StoredMove>, 'move' | 'into'>[],
): NewEvent {
  const lines = moves.filter(({ into }) => into === null).map(({ move }) => move);
  const told = lines.map((line) =>
    toldMove(
      id,
      line,
      moves.filter(({ into }) => into?.id === line.id).map(({ move }) => move),
    ),
  );
  const { type, engines: _, rivals: __, ...headline } = told[0]!;
  return {
    type: type as EventType,
    key,
    at: lines[0]!.toldAt,
    data: { brand: { id, name, domain }, ...ABOUT_NOTHING, ...headline, moves: told },
  };
}

function toldMove(
  brand: string,
  { kind, facts: stored, day }: StoredMove,
  folded: readonly StoredMove[],
): ToldMove {
  const facts = stored as never;
  const metrics = folded.flatMap((move) =>
    move.kind === 'metric' ? [move.facts as MoveFacts['metric']] : [],
  );
  return {
    type: typeOf[kind],
    title: moveTitle(kind, facts),
    sentence: moveText(kind, facts, day),
    ...NOTHING,
    link: brandPath(brand),
    ...(kind === 'metric' && ofMetric(brand, facts)),
    ...(kind === 'model' && ofModel(facts)),
    ...('label' in stored && { subject: stored.label }),
    engines: metrics.flatMap(({ entity, engine }) => (entity === null && engine !== null ? [engine] : [])),
    rivals: metrics.flatMap(({ name }) => (name === null ? [] : [name])),
  };
}

const { report: _, moves: __, more_moves: ___, test: ____, ...NOTHING } = ABOUT_NOTHING;

const ofModel = ({ engine, model }: MoveFacts['model']) => ({ engine, subject: model });

const ofMetric = (
  brand: string,
  { metric, engine, name, start, end, before, after, interval, because = null }: MoveFacts['metric'],
) => ({
  metric,
  engine,
  subject: name,
  from: before,
  to: after,
  because,
  window: { start, end },
  interval: [...interval] as [number, number],
  link: withQuery(brandPath(brand), { from: start, to: end, engine: engine ?? undefined }),
});
