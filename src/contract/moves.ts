/** Moves: what is told because it is true. Kinds, the facts that are stored of each, and their sentences. */

import { longDay } from './day-words.js';
import type { EngineId } from './engines.js';
import { engineLabel } from './glossary.js';
import { amountText, differenceSeen, type MeasureName, measureOf, valueText } from './measures.js';
import { withoutStop } from './wording.js';

export const directions = ['up', 'down'] as const;
export type Direction = (typeof directions)[number];

/** Windows of so many days are compared with those before them. */
export const MOVE_WINDOWS = [7, 28] as const;

/** Nights in a row on which a verdict must hold. */
export const CONFIRMING_NIGHTS = 2;

/** The days for which a move is current, if it does not revert, and in which the same one is not told again. */
export const MOVE_DAYS = 28;

/** The share of the runs of both windows that prompts asked in both must make up: a move is about answers, not about prompts. */
export const LEAST_SAME_PROMPTS = 0.9;

/** An agent with a request on each of `rhythm` days that makes none in `silent` days is silent. */
export const CRAWLER_SILENCE = { rhythm: 14, silent: 3 } as const;
/** An agent is refused that was refused at least half of its requests of `days` days, if there are `least`. */
export const CRAWLER_REFUSALS = { days: 3, least: 5 } as const;
/**
 * Of days whose collection is not noted: an engine is expected on a day if it answered on at least `least` of the `rhythm` days
 * before; fewer answers than `part` of their median are incomplete. A day is judged `grace` days later, because answers may
 * come late.
 */
export const COLLECTION_RHYTHM = { rhythm: 14, least: 12, part: 0.5, grace: 1 } as const;
/** A site is degraded if so many of its checked pages fail. */
export const DEGRADED_PART = 0.1;

/** A metric against the days before, in its unit and rounded as it. */
export interface MetricFacts {
  readonly metric: MeasureName;
  /** The id and the name of a competitor; null: the brand. */
  readonly entity: string | null;
  readonly name: string | null;
  /** Null: the engines with web search together. */
  readonly engine: EngineId | null;
  readonly start: string;
  readonly end: string;
  readonly days: number;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** 95 %, of the difference of this metric alone. */
  readonly interval: readonly [number, number];
  /** Because of what, in a sentence; null: no part of the change is more than chance; if omitted, nobody looked. */
  readonly because?: string | null;
  /** The move that says it already, so that this one is not told apart; if omitted, there is none. */
  readonly folded?: FoldedInto;
}

/** A reference to another move of a metric, by its subject and its day. */
export interface FoldedInto {
  readonly subject: string;
  readonly day: string;
}

interface PageFacts {
  readonly failing: number;
  readonly pages: number;
  readonly failing_before: number;
  readonly pages_before: number;
}

/** What is known of a day only by the days before. */
interface UsualRuns {
  readonly usual: number;
}

/** What is stored of a move, by its kind. */
export interface MoveFacts {
  readonly metric: MetricFacts;
  readonly model: { readonly engine: EngineId; readonly model: string };
  readonly crawler_silent: { readonly agent: string; readonly label: string; readonly requests: number };
  readonly crawler_refused: {
    readonly agent: string;
    readonly label: string;
    readonly requests: number;
    readonly refused: number;
  };
  readonly robots: { readonly labels: readonly string[]; readonly closed: boolean };
  readonly collection_missed: UsualRuns | { readonly reason: string | null };
  readonly collection_incomplete:
    | (UsualRuns & { readonly engines: readonly string[]; readonly runs: number })
    | {
        readonly outcome: 'incomplete' | 'stopped' | 'failed' | 'unended';
        /** Why, as the collection noted it. */
        readonly reason: string | null;
      };
  readonly collection_completed: { readonly runs: number };
  readonly health_degraded: PageFacts;
  readonly health_recovered: PageFacts;
}

export type MoveKind = keyof MoveFacts;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const answers = (count: number): string => `${count} answer${count === 1 ? '' : 's'}`;
const requests = (count: number): string => `${count} request${count === 1 ? '' : 's'}`;
const named = (labels: readonly string[]): string =>
  labels.length < 2 ? labels.join() : `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;

const failing = ({ failing: now, pages, failing_before, pages_before }: PageFacts): string =>
  `${now} of ${pages} checked pages fail, ${failing_before} of ${pages_before} before.`;

const ENDS = {
  incomplete: 'is incomplete',
  stopped: 'was stopped',
  failed: 'failed',
  unended: 'did not end',
} as const;

/** The end of a sentence. */
const because = (reason: string | null): string =>
  reason === null ? '.' : `: ${withoutStop(reason.trim())}.`;

type Texts = { readonly [K in MoveKind]: (facts: MoveFacts[K], day: string) => string };

const metricTitle = ({ metric, name, engine, difference }: MetricFacts): string => {
  const of = name === null ? '' : ` of ${name}`;
  const on = engine === null ? '' : ` on ${engineLabel(engine)}`;
  return `${capital(measureOf(metric).label)}${of}${on} ${difference < 0 ? 'fell' : 'rose'}`;
};

/** A few words for each kind. */
const titles: { readonly [K in MoveKind]: (facts: MoveFacts[K]) => string } = {
  metric: metricTitle,
  model: ({ engine }) => `New model on ${engineLabel(engine)}`,
  crawler_silent: ({ label }) => `${label} is silent`,
  crawler_refused: ({ label }) => `${label} is refused`,
  robots: ({ closed }) => `robots.txt ${closed ? 'keeps out' : 'lets in'} crawlers`,
  collection_missed: (facts) =>
    'usual' in facts ? 'No answers were collected' : 'The collection did not happen',
  collection_incomplete: (facts) =>
    'outcome' in facts ? `The collection ${ENDS[facts.outcome]}` : 'The collection is incomplete',
  collection_completed: () => 'The collection is complete again',
  health_degraded: () => 'Pages of the site fail',
  health_recovered: () => 'Pages of the site work again',
};

/** One sentence for each kind. @param day In words. */
const texts: Texts = {
  metric: (facts) => {
    const { metric, end, days, before, after } = facts;
    return `${metricTitle(facts)} ${amountText(metric, differenceSeen(metric, after, before))}, from ${valueText(metric, before)} to ${valueText(metric, after)}, in the ${days} days to ${longDay(end)}.`;
  },
  model: ({ engine, model }, day) => `${engineLabel(engine)} answers with ${model} since ${day}.`,
  crawler_silent: ({ label, requests: before }, day) =>
    `${label} made no request in the ${CRAWLER_SILENCE.silent} days to ${day}, after ${requests(before)} in the ${CRAWLER_SILENCE.rhythm} days before, some every day.`,
  crawler_refused: ({ label, requests: all, refused }, day) =>
    `The site refused ${refused} of ${requests(all)} of ${label} in the ${CRAWLER_REFUSALS.days} days to ${day}.`,
  robots: ({ labels, closed }) => `robots.txt ${closed ? 'keeps out' : 'lets in'} ${named(labels)} now.`,
  collection_missed: (facts, day) =>
    'usual' in facts
      ? `No answer of ${day} was collected; about ${facts.usual} are usual on a day.`
      : `The collection of ${day} did not happen${because(facts.reason)}`,
  collection_incomplete: (facts, day) => {
    if ('outcome' in facts) return `The collection of ${day} ${ENDS[facts.outcome]}${because(facts.reason)}`;
    const { engines, runs, usual } = facts;
    return engines.length === 0
      ? `Only ${answers(runs)} of ${day} were collected; about ${usual} are usual on a day.`
      : `No answer of ${named(engines.map(engineLabel))} was collected on ${day}; most days before have some.`;
  },
  collection_completed: ({ runs }, day) => `The collection is complete again: ${answers(runs)} of ${day}.`,
  health_degraded: (facts) => `Pages of the site fail: ${failing(facts)}`,
  health_recovered: (facts) => `Pages of the site work again: ${failing(facts)}`,
};

export const moveKinds = Object.keys(texts) as MoveKind[];

/** What a move is among those that are told together. */
export const moveRoles = ['headline', 'line', 'folded'] as const;
export type MoveRole = (typeof moveRoles)[number];

/** Metrics of the brand that rise and fall with how often it is named and cited: together they are one change. */
export const NAMED_METRICS: readonly MeasureName[] = [
  'presence_rate',
  'visibility',
  'share_of_voice_fraction',
  'citation_share',
];

/** Kinds by what they are worth, the most first: metrics, what is at fault, what is new, what is well again. */
const KINDS_BY_WORTH: readonly MoveKind[] = [
  'metric',
  'collection_missed',
  'collection_incomplete',
  'health_degraded',
  'crawler_refused',
  'crawler_silent',
  'robots',
  'model',
  'health_recovered',
  'collection_completed',
];

/**
 * The places of a move in the order of worth; a smaller one at the first difference is worth more. Of metrics the brand's
 * come before those of competitors, all engines together before one engine, presence before the others, and then those that
 * moved by more of their intervals.
 */
export function worthOf(kind: MoveKind, facts: MoveFacts[MoveKind]): readonly number[] {
  const place = KINDS_BY_WORTH.indexOf(kind);
  if (kind !== 'metric') return [place];
  const { entity, engine, metric, difference, interval } = facts as MetricFacts;
  const width = interval[1] - interval[0];
  const strength = width > 0 ? Math.abs(difference) / width : Number.MAX_VALUE;
  return [
    place,
    Number(entity !== null),
    Number(engine !== null),
    Number(metric !== 'presence_rate'),
    -strength,
  ];
}

/** A move in a few words. */
export const moveTitle = <K extends MoveKind>(kind: K, facts: MoveFacts[K]): string => titles[kind](facts);

/** The sentence of a move. @param day The last day that it describes, YYYY-MM-DD. */
export const moveText = <K extends MoveKind>(kind: K, facts: MoveFacts[K], day: string): string =>
  texts[kind](facts, longDay(day));

/** The kinds that tell about the site, which needs the plan of `crawlers`. */
export const siteMoves = ['crawler_silent', 'crawler_refused', 'robots'] as const satisfies MoveKind[];
