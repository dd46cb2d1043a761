/** What people are told without asking: the types of events, the shape of their data, and how they are delivered. */
import { engineIds } from './engines.js';
import { measureNames } from './measures.js';
import { brandRef } from './read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOfOrNewer,
  pair,
  part,
  text,
} from './schema.js';

interface EventTypeDefinition {
  /** A few words, for titles and lists. */
  readonly label: string;
  /** When it happens, in one sentence. */
  readonly meaning: string;
  /** Whether a destination gets it if its list of events is not stated. */
  readonly isAlert: boolean;
}

export const eventTypes = {
  'move.detected': {
    label: 'Move',
    meaning: 'A metric rose or fell by more than chance, and so it was found on two successive nights.',
    isAlert: true,
  },
  'model.changed': {
    label: 'New model',
    meaning: 'An engine began to answer with a model that it had not used before.',
    isAlert: true,
  },
  'crawler.silent': {
    label: 'Silent crawler',
    meaning: 'A crawler that came every day has sent no request for three days.',
    isAlert: true,
  },
  'crawler.refused': {
    label: 'Crawler refused by the site',
    meaning: 'The site refuses at least half of the requests of a crawler.',
    isAlert: true,
  },
  'robots.changed': {
    label: 'robots.txt',
    meaning: 'The robots.txt of the site says something else about a crawler.',
    isAlert: true,
  },
  'collection.completed': {
    label: 'Collection completed',
    meaning: 'A collection is complete again, after one that was incomplete or did not happen.',
    isAlert: false,
  },
  'collection.incomplete': {
    label: 'Collection incomplete',
    meaning: 'A collection ended without all planned answers, failed or did not happen.',
    isAlert: true,
  },
  'health.degraded': {
    label: 'Health degraded',
    meaning: 'A tenth of the checked pages of the site fail, and fewer did before.',
    isAlert: true,
  },
  'health.recovered': {
    label: 'Health recovered',
    meaning: 'Fewer than a tenth of the checked pages of the site fail again.',
    isAlert: true,
  },
  'digest.weekly': {
    label: 'Weekly digest',
    meaning: 'The report of the days to Sunday, on Monday mornings (UTC): what `svc report` prints.',
    isAlert: false,
  },
} as const satisfies Record<string, EventTypeDefinition>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** What a destination gets if its list of events is not stated. */
export const alertTypes = eventTypeNames.filter((type) => eventTypes[type].isAlert);

/** The type of the message that `svc admin destinations test` sends. No destination can subscribe to it. */
export const TEST_EVENT = 'destination.test';

/** What an event says of one thing that happened. */
const about = {
  title: text('What happened, in a few words'),
  sentence: text('The same in one sentence, with its numbers'),
  because: nullable(text('Because of what, in one sentence; null: no part of it is more than chance')),
  window: nullable(
    part('UTC days, both included', {
      start: text('First day, YYYY-MM-DD'),
      end: text('Last day, YYYY-MM-DD'),
    }),
  ),
  metric: nullable(oneOfOrNewer(measureNames, 'The metric that it is about; null: about none')),
  engine: nullable(oneOfOrNewer(engineIds, 'The engine that it is about; null: all, or none')),
  subject: nullable(
    text('Who or what else it is about: a rival, a model, a crawler, a check; null: the brand itself'),
  ),
  from: nullable(number('The metric in the window before; null: not a number')),
  to: nullable(number('The metric in the window; null: not a number')),
  interval: nullable(pair(number('A bound'), 'The interval of the change, of 95 %; null: none')),
  link: nullable(text('The page that shows it; null: the server has no PUBLIC_URL')),
};

/** What happened on a night, in the order of worth. */
const toldMove = object(
  {
    type: oneOfOrNewer(eventTypeNames, 'What happened'),
    ...about,
    engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines on which the same metric moved alike'),
    rivals: list(text('Name'), 'Rivals whose share of voice moved the other way only because of it'),
  },
  'A move',
);

/** Moves that one message has at most. */
export const MESSAGE_MOVES = 8;

export const eventData = object(
  {
    brand: object(brandRef.fields, 'The brand that it is about'),
    ...about,
    report: nullable(
      part('The report of a digest', {
        markdown: text('As Markdown'),
        html: text('As an HTML page'),
      }),
    ),
    moves: list(
      toldMove,
      `All that is told of this night, the headline first, which the fields above repeat; at most ${MESSAGE_MOVES}. Each has its \`type\`, the fields from \`title\` to \`link\`, and \`engines\` and \`rivals\`: engines on which the same metric moved alike, and rivals whose share of voice moved the other way only because of it`,
    ),
    more_moves: count('Moves of this night that are not in `moves`'),
    test: flag('Whether it is a sample that `svc admin destinations test` sent'),
  },
  'What happened. Fields are added only.',
);
export type EventData = Infer<typeof eventData>;
export type ToldMove = Infer<typeof toldMove>;

/** What an event states of which nothing else is known. */
export const ABOUT_NOTHING = {
  window: null,
  metric: null,
  engine: null,
  subject: null,
  from: null,
  to: null,
  interval: null,
  because: null,
  link: null,
  report: null,
  moves: [] as ToldMove[],
  more_moves: 0,
  test: false,
} satisfies Partial<EventData>;

/** The body of a webhook. */
export const eventMessage = object({
  type: oneOfOrNewer(eventTypeNames, 'What happened'),
  timestamp: text('When it was found, RFC 3339'),
  data: eventData,
});
export type EventMessage = Infer<typeof eventMessage>;

/** The kinds of destinations, and what the address of each is. */
export const destinationKinds = {
  webhook: { label: 'Webhook', address: 'URL that takes POST requests, signed by Standard Webhooks 1.0' },
  slack: { label: 'Slack', address: 'URL of an incoming webhook' },
  discord: { label: 'Discord', address: 'URL of a webhook of a channel' },
  teams: { label: 'Microsoft Teams', address: 'URL of a workflow that posts to a channel' },
  email: { label: 'E-mail', address: 'address that gets the mail' },
} as const;
export type DestinationKind = keyof typeof destinationKinds;
export const destinationKindNames = Object.keys(destinationKinds) as DestinationKind[];

/** How a message is delivered: the pauses after each failure, and what one attempt may take. */
export const DELIVERY = {
  retryAfterSeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000],
  timeoutSeconds: 10,
  /** How long a replaced secret still signs. */
  rotationHours: 24,
} as const;
