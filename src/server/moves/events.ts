/** Moves as the events that destinations get. */
import { ABOUT_NOTHING, type EventType } from '../../contract/events.js';
import { type MoveFacts, type MoveKind, moveText, moveTitle } from '../../contract/moves.js';
import { brandPath, withQuery } from '../brand-path.js';
import type { NewEvent } from '../delivery/outbox.js';
import type { StoredMove } from './store.js';

const typeOf: Readonly<Record<MoveKind, EventType>> = {
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

interface BrandOfEvent {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/** The key of an event is the id of its move, which is the same on every server. */
export function eventOf({ id, name, domain }: BrandOfEvent, move: StoredMove): NewEvent {
  const { kind, day, toldAt } = move;
  const facts = move.facts as never;
  return {
    type: typeOf[kind],
    key: move.id,
    at: toldAt,
    data: {
      brand: { id, name, domain },
      title: moveTitle(kind, facts),
      sentence: moveText(kind, facts, day),
      ...ABOUT_NOTHING,
      link: brandPath(id),
      ...(kind === 'metric' && ofMetric(id, facts)),
      ...(kind === 'model' && ofModel(facts)),
      ...('label' in move.facts && { subject: move.facts.label }),
    },
  };
}

const ofModel = ({ engine, model }: MoveFacts['model']) => ({ engine, subject: model });

const ofMetric = (
  brand: string,
  { metric, engine, name, start, end, before, after, interval, because = null }: MoveFacts['metric'],
) => ({
  ...{ metric, engine, subject: name, from: before, to: after, because },
  window: { start, end },
  interval: [...interval] as [number, number],
  link: withQuery(brandPath(brand), { from: start, to: end, engine: engine ?? undefined }),
});
