/** A message about an event: what every kind of destination gets, each in its own form. */
import {
  type EventData,
  type EventMessage,
  type EventType,
  eventTypes,
  type TEST_EVENT,
} from '../../contract/events.js';
import { printable } from '../../contract/printable.js';

export interface Message {
  /** The same at every attempt. */
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
): Message {
  const link = data.link === null || publicUrl === null ? null : publicUrl + data.link;
  return { id, body: { type, timestamp: at.toISOString(), data: { ...data, link } } };
}

/** The texts of a message for people, on one line each: names in them come from datasets and from answers. */
export interface Words {
  readonly title: string;
  readonly sentence: string;
  /** The brand, the type of the event, and its days. */
  readonly context: string;
  readonly link: string | null;
}

export function wordsOf({ body: { type, data } }: Message): Words {
  const label = type in eventTypes ? eventTypes[type as EventType].label : 'Test';
  const { brand, window, title, sentence, because, link } = data;
  const days = window === null ? [] : [`${window.start} to ${window.end} (UTC)`];
  return {
    title: printable(`${brand.name}: ${title}`),
    sentence: printable(because === null ? sentence : `${sentence} ${because}`),
    context: printable([label, brand.domain, ...days].filter((each) => each !== '').join(' · ')),
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
