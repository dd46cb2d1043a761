/** A message about an event: what every kind of destination gets, each in its own form. */
import { span } from '../../../contract/day-words.js';
import {
  type EventData,
  type EventMessage,
  type EventType,
  eventTypes,
  MESSAGE_MOVES,
  type TEST_EVENT,
  type ToldMove,
} from '../../../contract/events.js';
import { engineLabel } from '../../../contract/glossary.js';
import { printable } from '../../../contract/printable.js';

export interface Message {
  /** The id of the message, which no further attempt changes. */
  readonly id: string;
  readonly body: EventMessage;
}

/** What is sent to a URL. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * @param publicUrl Where people reach the server; null: the message has no link.
 * @param wanted The types of events that the destination gets; if omitted, all.
 */
export function messageOf(
  {
    id,
    type,
    at,
    data,
  }: {
    readonly id: string;
    readonly type: EventType | typeof TEST_EVENT;
    readonly at: Date;
    readonly data: EventData;
  },
  publicUrl: string | null,
  wanted?: readonly string[],
): Message {
  const linked = <T extends { readonly link: string | null }>(one: T): T => ({
    ...one,
    link: one.link === null || publicUrl === null ? null : publicUrl + one.link,
  });
  const told = (data.moves ?? []).filter((move) => !wanted || wanted.includes(move.type)).map(linked);
  const shown = told.slice(0, MESSAGE_MOVES);
  const [headline] = shown;
  const { type: ownType = type, engines: _, rivals: __, ...own } = headline ?? ({} as Partial<ToldMove>);
  const rest = { moves: shown, more_moves: told.length - shown.length, test: data.test ?? false };
  const body = { ...linked(data), ...own, ...rest };
  return { id, body: { type: ownType, timestamp: at.toISOString(), data: body } };
}

/** The texts of a message for people, on one line each: names in them come from datasets and from answers. */
export interface Words {
  readonly title: string;
  readonly sentence: string;
  /** What else is told, a sentence each; the last one may say how many more there are. */
  readonly lines: readonly string[];
  /** The brand, the type of the event, and its days. */
  readonly context: string;
  readonly link: string | null;
}

/** Names that a sentence has at most. */
const NAMES = 3;

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES);
  const left = names.length - shown.length;
  const all = left > 0 ? [...shown, `${left} more`] : shown;
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** What a move says besides its sentence. */
const alikeOf = ({ engines, rivals }: ToldMove): string[] => [
  ...(engines.length > 0 ? [`So it did on ${namesOf(engines.map(engineLabel))}.`] : []),
  ...(rivals.length > 0 ? [`In return the share of voice of ${namesOf(rivals)} moved the other way.`] : []),
];

export function wordsOf({ body: { type, data } }: Message): Words {
  const label = type in eventTypes ? eventTypes[type as EventType].label : 'Test';
  const { brand, window, title, sentence, because, link, moves, more_moves: more, test } = data;
  const days = window === null ? [] : [`${span(window.start, window.end)} (UTC)`];
  const [headline, ...others] = moves;
  const unsaid = others.length + more;
  return {
    title: printable(
      `${test ? 'Test: ' : ''}${brand.name}: ${title}${unsaid === 0 ? '' : `, and ${unsaid} more`}`,
    ),
    sentence: printable(
      [sentence, because, ...(headline ? alikeOf(headline) : [])].filter((each) => each !== null).join(' '),
    ),
    lines: [
      ...others.map((move) => printable([move.sentence, ...alikeOf(move)].join(' '))),
      ...(more === 0 ? [] : [`And ${more} more.`]),
    ],
    context: printable(
      [test ? `A sample: ${label}` : label, brand.domain, ...days].filter((each) => each !== '').join(' · '),
    ),
    link,
  };
}

/** The first characters of a text, with an ellipsis if it is longer. A character is not cut in halves. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
