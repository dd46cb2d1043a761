/** One call of a run: written to the journal, sent, repeated only if it was provably not charged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ZodError } from 'zod';
import { costOf } from '../budget/cost.js';
import { type CallKind, kindId } from '../budget/estimate.js';
import type { AttemptOutcome, Outcome } from '../journal/events.js';
import type { Journal } from '../journal/journal.js';
import { protocols } from '../protocols/index.js';
import type { Answer, Question, Reply, Usage } from '../protocols/protocol.js';
import { NO_USAGE } from '../protocols/shapes.js';
import type { Pacing } from './pacing.js';
import { type Sent, send } from './send.js';
import { meaningOf } from './status.js';
import { storable } from './storable.js';

/** Everything that the calls of one endpoint share. */
export interface Line {
  readonly kind: CallKind;
  readonly key: string | null;
  readonly pacing: Pacing;
}

export interface CallSurroundings {
  readonly journal: Journal;
  /** Aborted: nothing more is sent, and waits end. */
  readonly stop: AbortSignal;
  /** Aborted: requests on their way are given up too. */
  readonly abort: AbortSignal;
  /** Keeps a raw response. */
  readonly keepRaw: (run: string, step: CallKind['step'], body: string) => Promise<void>;
  readonly onWait: (milliseconds: number, reason: string) => void;
}

export interface CallResult {
  readonly outcome: Outcome;
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

/**
 * Asks once, and again while the engine states a rate limit or refuses connections. Each try is an attempt in the journal.
 * @throws CollectFileError if the journal cannot be written; then nothing was sent.
 */
export async function call(
  run: string,
  line: Line,
  question: Question,
  reservedUsd: number | null,
  around: CallSurroundings,
): Promise<CallResult> {
  for (let tries = 1; ; tries++) {
    await line.pacing.ready(around.stop);
    if (around.stop.aborted) return notCharged('stopped before it was sent', false);
    const { step } = line.kind;
    const at = new Date().toISOString();
    const attempt = { run, step, kind: kindId(line.kind), at, reserved_usd: reservedUsd };
    const number = await around.journal.attempt(attempt);
    const sent = await sendOnce(line, question, around.abort);
    const { result, waitMs } = judged(sent, line, tries);
    // First the raw response, because an answer in the journal is never asked for again; its failure loses no answer.
    const kept = sent.kind === 'replied' ? around.keepRaw(run, step, sent.body) : Promise.resolve();
    const [raw, noted] = await Promise.allSettled([
      kept,
      kept.catch(() => undefined).then(() => around.journal.outcome(eventOf(number, step, result))),
    ]);
    for (const each of [noted, raw]) if (each.status === 'rejected') throw each.reason;
    if (waitMs === null || tries >= MOST_TRIES || waitMs > LONGEST_WAIT_MS) return result;
    around.onWait(waitMs, result.detail ?? '');
    // A rate limit is one of the endpoint, a refused connection may be one of a moment.
    if (sent.kind === 'status') line.pacing.pause(waitMs);
    else await sleep(waitMs, undefined, { signal: around.stop }).catch(() => undefined);
  }
}

function sendOnce({ kind: { endpoint }, key }: Line, question: Question, abort: AbortSignal): Promise<Sent> {
  const request = protocols[endpoint.protocol].request(endpoint, question, key);
  const { baseUrl, timeoutSeconds } = endpoint;
  return send(request, { baseUrl, key, timeoutMs: timeoutSeconds * 1000, signal: abort });
}

interface Judged {
  readonly result: CallResult;
  /** Milliseconds until the call may be sent again; null: it must not. */
  readonly waitMs: number | null;
}

function judged(sent: Sent, line: Line, tries: number): Judged {
  const backoffMs = FIRST_WAIT_MS * 2 ** (tries - 1);
  switch (sent.kind) {
    case 'replied':
      return { result: replied(sent.body, line.kind), waitMs: null };
    case 'unsent':
      return sent.isRefused
        ? {
            result: notCharged(sent.reason, tries >= MOST_REFUSED),
            waitMs: tries < MOST_REFUSED ? backoffMs : null,
          }
        : { result: notCharged(sent.reason, true), waitMs: null };
    case 'lost':
      return { result: unknown('lost', sent.reason), waitMs: null };
    case 'status': {
      const { kind, reason } = meaningOf(sent.status, sent.body);
      if (kind === 'failed') return { result: unknown('failed', reason), waitMs: null };
      if (kind === 'rejected') return { result: notCharged(reason, false), waitMs: null };
      if (kind === 'stop') return { result: notCharged(reason, true), waitMs: null };
      const waitMs = sent.retryAfterMs ?? backoffMs;
      return { result: notCharged(reason, tries >= MOST_TRIES || waitMs > LONGEST_WAIT_MS), waitMs };
    }
  }
}

const unsettled = () => ({ at: new Date().toISOString(), usage: null, costUsd: null, answer: null });

const notCharged = (detail: string, stopsTarget: boolean): CallResult => ({
  outcome: 'not_charged',
  detail,
  stopsTarget,
  ...unsettled(),
});

const unknown = (outcome: 'lost' | 'failed', detail: string): CallResult => ({
  outcome,
  detail,
  stopsTarget: false,
  ...unsettled(),
});

function replied(body: string, { endpoint, search }: CallKind): CallResult {
  const reply = read(body, endpoint.protocol);
  const { usage } = reply;
  return {
    outcome: reply.kind,
    detail: reply.kind === 'answered' ? null : reply.detail,
    at: new Date().toISOString(),
    usage: usage.input === null && usage.costUsd === null ? null : usage,
    costUsd: costOf(usage, endpoint, search),
    answer: reply.kind === 'answered' ? storable(reply.answer) : null,
    stopsTarget: false,
  };
}

function read(body: string, protocol: keyof typeof protocols): Reply {
  try {
    return protocols[protocol].reply(JSON.parse(body));
  } catch (error) {
    if (error instanceof SyntaxError) return malformed('the response is not JSON');
    if (error instanceof ZodError) return malformed(`the response has another shape at ${placeOf(error)}`);
    throw error;
  }
}

const malformed = (detail: string): Reply => ({ kind: 'malformed', detail, usage: NO_USAGE });

/** The first wrong field. Its name is one of the protocol's own. */
const placeOf = ({ issues }: ZodError): string => issues[0]?.path.map(String).join('.') || 'its top';

const eventOf = (
  number: number,
  step: CallKind['step'],
  result: CallResult,
): Omit<AttemptOutcome, 'event'> => ({
  call: number,
  outcome: result.outcome,
  at: result.at,
  detail: result.detail,
  usage: result.usage,
  cost_usd: result.costUsd,
  answer: step === 'ask' ? result.answer : null,
  reply: step === 'extract' ? (result.answer?.text ?? null) : null,
});
