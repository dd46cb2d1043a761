/** Events as they may happen, for those who build a receiver: made of facts like those of real ones, by the same code. */
import { type EventType, eventTypes } from '../../../contract/events.js';
import { groupsOf } from '../../../contract/move-groups.js';
import { type MetricFacts, type MoveFacts, type MoveKind, moveKinds } from '../../../contract/moves.js';
import { addDays, utcDay, windowEnding } from '../../base/days.js';
import { digestData } from '../delivery/digest.js';
import type { NewEvent } from '../delivery/outbox.js';
import { type BrandOfEvent, eventOf, typeOf } from './events.js';
import type { StoredMove } from './store.js';

type Sample = { readonly [K in MoveKind]: MoveFacts[K] };

const DAYS = 7;

const metric = (day: string, facts: Partial<MetricFacts>): MetricFacts => ({
  metric: 'presence_rate',
  entity: null,
  name: null,
  engine: null,
  ...windowEnding(day, DAYS),
  days: DAYS,
  before: 0.252,
  after: 0.648,
  difference: 0.396,
  interval: [0.331, 0.461],
  ...facts,
});

const pages = { failing: 6, pages: 40, failing_before: 1, pages_before: 40 };

const sampleOf = (day: string): Sample => ({
  metric: metric(day, { because: 'Because of ChatGPT (+24.1 pp) and Perplexity (+15.5 pp).' }),
  model: { engine: 'claude', model: 'claude-example-2' },
  crawler_silent: { agent: 'oai-searchbot', label: 'OAI-SearchBot', requests: 412 },
  crawler_refused: { agent: 'perplexitybot', label: 'PerplexityBot', requests: 62, refused: 57 },
  robots: { labels: ['OAI-SearchBot', 'PerplexityBot'], closed: true },
  collection_missed: { reason: 'the server did not run' },
  collection_incomplete: { outcome: 'incomplete', reason: '36 of 240 answers are missing' },
  collection_completed: { runs: 240 },
  health_degraded: pages,
  health_recovered: { failing: 1, pages: 40, failing_before: 6, pages_before: 40 },
});

const SUBJECT = 'sample';

/** What one rise of presence does: two lines besides, an engine that is folded, and a rival. */
const others = (day: string): [string, MetricFacts][] => {
  const folded = { subject: SUBJECT, day };
  const share = { metric: 'share_of_voice_fraction' as const };
  return [
    [
      'visibility',
      metric(day, {
        metric: 'visibility',
        before: 17.9,
        after: 44.2,
        difference: 26.3,
        interval: [21, 31.6],
      }),
    ],
    [
      'share',
      metric(day, { ...share, before: 0.118, after: 0.247, difference: 0.129, interval: [0.098, 0.16] }),
    ],
    ['chatgpt', metric(day, { engine: 'chatgpt', folded })],
    ['perplexity', metric(day, { engine: 'perplexity', folded })],
    [
      'rival',
      metric(day, {
        ...share,
        entity: 'rival',
        name: 'A rival',
        before: 0.246,
        after: 0.208,
        folded,
        difference: -0.038,
        interval: [-0.061, -0.015],
      }),
    ],
  ];
};

/** A sample of a type of events. */
export function sampleEvent(type: EventType, brand: BrandOfEvent, now: Date): NewEvent {
  const day = addDays(utcDay(now), -1);
  const event = type === 'digest.weekly' ? digest(brand, day, now) : told(type, brand, day, now);
  return { ...event, data: { ...event.data, test: true } };
}

function told(type: EventType, brand: BrandOfEvent, day: string, now: Date): NewEvent {
  const kind = moveKinds.find((each) => typeOf[each] === type)!;
  const direction = 'up' as const;
  const moveOf = (subject: string, facts: StoredMove['facts']): StoredMove => ({
    id: subject,
    kind,
    subject,
    direction,
    day,
    facts,
    toldAt: now,
    withdrawn: false,
  });
  const moves = [
    moveOf(SUBJECT, sampleOf(day)[kind]),
    ...(kind === 'metric' ? others(day).map(([subject, facts]) => moveOf(subject, facts)) : []),
  ];
  return eventOf(brand, SUBJECT, groupsOf(moves));
}

function digest(brand: BrandOfEvent, day: string, now: Date): NewEvent {
  const sentence = `Named in 65 % of answers; up from 25 %: ${eventTypes['digest.weekly'].label.toLowerCase()}, a sample.`;
  const data = digestData(brand, {
    title: brand.name,
    window: { ...windowEnding(day, DAYS), days: DAYS },
    sentence,
    markdown: `# ${brand.name}\n\n${sentence}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Sample</title></head><body><p>${sentence}</p></body></html>\n`,
  });
  return { type: 'digest.weekly', key: SUBJECT, at: now, data };
}
