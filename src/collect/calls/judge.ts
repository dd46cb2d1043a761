/** What a sent request means: its result, and whether and when the call is sent again. */
import { ZodError } from 'zod';
import { costOf } from '../budget/cost.js';
import type { CallKind } from '../budget/estimate.js';
import type { Outcome } from '../journal/events.js';
import { protocols } from '../protocols/index.js';
import type { Answer, Reply, Usage } from '../protocols/protocol.js';
import { NO_USAGE } from '../protocols/shapes.js';
import type { Cause } from './cause.js';
import type { Clean } from './cleaner.js';
import type { Sent } from './send.js';
import { meaningOf } from './status.js';
import { excessOf, storable } from './storable.js';

export interface CallResult {
  readonly outcome: Outcome;
  /** Why there is no answer; null: there is one. */
  readonly cause: Cause | null;
  readonly detail: string | null;
  readonly at: string;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  readonly answer: Answer | null;
  /** Every further call of the endpoint would fail in the same way. */
  readonly stopsTarget: boolean;
}

const MOST_TRIES = 6;
/** A server that does not listen rarely does a few seconds later. */
const MOST_REFUSED = 3;
/** Doubled with each try, if the engine does not state how long to wait. */
const FIRST_WAIT_MS = 1000;
/** A longer wait is left to the next collection. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

interface Judged {
  readonly result: CallResult;
  /** Milliseconds until the call may be sent again; null: it must not. */
  readonly waitMs: number | null;
}

/**
 * @param tries How often the call was sent, this time included.
 * @param clean Removes the key from what the vendor says.
 */
export function judged(sent: Sent, kind: CallKind, tries: number, clean: Clean): Judged {
  const backoffMs = FIRST_WAIT_MS * 2 ** (tries - 1);
  switch (sent.kind) {
    case 'replied':
      return { result: replied(sent.body, kind), waitMs: null };
    case 'unsent':
      return unsent('network', sent.reason, sent.isRefused && tries < MOST_REFUSED ? backoffMs : null);
    case 'lost':
      return { result: unknown('lost', 'network', sent.reason), waitMs: null };
    case 'status': {
      const { kind: meaning, cause, reason } = meaningOf(sent.status, sent.body, kind.endpoint, clean);
      if (meaning === 'failed') return { result: unknown('failed', cause, reason), waitMs: null };
      if (meaning === 'rejected') return { result: notCharged(cause, reason, false), waitMs: null };
      if (meaning === 'stop') return unsent(cause, reason, null);
      const waitMs = sent.retryAfterMs ?? backoffMs;
      return unsent(cause, reason, tries < MOST_TRIES && waitMs <= LONGEST_WAIT_MS ? waitMs : null);
    }
  }
}

/** A call that was not charged, and that every other call of the endpoint shares unless waiting helps. */
const unsent = (cause: Cause, reason: string, waitMs: number | null): Judged => ({
  result: notCharged(cause, reason, waitMs === null),
  waitMs,
});

const unsettled = () => ({ at: new Date().toISOString(), usage: null, costUsd: null, answer: null });

/**
 * The result of a call that was not sent, or was refused without a charge.
 * @param stopsTarget Whether every other call of the endpoint would fail in the same way.
 */
export const notCharged = (cause: Cause, detail: string, stopsTarget: boolean): CallResult => ({
  ...{ outcome: 'not_charged', cause, detail, stopsTarget },
  ...unsettled(),
});

const unknown = (outcome: 'lost' | 'failed', cause: Cause, detail: string): CallResult => ({
  ...{ outcome, cause, detail, stopsTarget: false },
  ...unsettled(),
});

function replied(body: string, { endpoint, search }: CallKind): CallResult {
  const reply = read(body, endpoint.protocol);
  const usage = believable(reply.usage);
  return {
    outcome: reply.kind,
    cause: reply.kind === 'answered' ? null : 'answer',
    detail: reply.kind === 'answered' ? null : reply.detail,
    at: new Date().toISOString(),
    usage: usage.input === null && usage.costUsd === null ? null : usage,
    costUsd: costOf(usage, endpoint, search),
    answer: reply.kind === 'answered' ? reply.answer : null,
    stopsTarget: false,
  };
}

/** Every request and every answer has tokens: servers that do not count them state 0 of both. */
const believable = (usage: Usage): Usage =>
  usage.input === 0 && usage.output === 0 ? { ...usage, input: null, output: null } : usage;

function read(body: string, protocol: keyof typeof protocols): Reply {
  try {
    const reply = protocols[protocol].reply(JSON.parse(body));
    if (reply.kind !== 'answered') return reply;
    const answer = storable(reply.answer);
    const excess = excessOf(answer);
    return excess === null ? { ...reply, answer } : { kind: 'malformed', detail: excess, usage: reply.usage };
  } catch (error) {
    // Values inside of each other, deeper than any answer.
    if (error instanceof RangeError) return malformed('the response has too many levels');
    if (error instanceof SyntaxError) return malformed('the response is not JSON');
    if (error instanceof ZodError) return malformed(`the response has another shape at ${placeOf(error)}`);
    throw error;
  }
}

const malformed = (detail: string): Reply => ({ kind: 'malformed', detail, usage: NO_USAGE });

/** The first wrong field. Its name is one of the protocol's own. */
const placeOf = ({ issues }: ZodError): string => issues[0]?.path.map(String).join('.') || 'its top';
