/** One call of a run: written to the journal, sent, repeated only if it was provably not charged. */
import { type HttpRequest, type Sent, send } from '../server/base/vendor-request.js';
import { type CallKind, costOf, kindId } from './budget.js';
import { type Cause, type Clean, cleanerFor, meaningOf } from './failure.js';
import type { AttemptOutcome, Journal, Outcome } from './journal.js';
import type { Prices } from './plan/plan.js';
import { protocolOf } from './protocols/index.js';
import type { Answer, EngineInput, Reply, Usage } from './protocols/protocol.js';
import { readReply } from './reading.js';
import type { Time } from './time.js';

// Pauses all calls of an endpoint while it asks to wait.

export class Pacing {
  readonly #time: Time;
  #until = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** No call is sent for this long. */
  pause(milliseconds: number): void {
    this.#until = Math.max(this.#until, this.#time.elapsed() + milliseconds);
  }

  /** Waits until calls may be sent. Returns early when the signal is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    for (;;) {
      const rest = this.#until - this.#time.elapsed();
      if (rest <= 0 || signal.aborted) return;
      await this.#time.wait(rest, signal);
    }
  }
}

// What a sent request means: its result, and whether and when the call is sent again.

export interface CallResult {
  /** `pending`: it was sent, and its result can still be fetched. */
  readonly outcome: Outcome | 'pending';
  /** Why there is no answer; null: there is one. */
  readonly cause: Cause | null;
  readonly detail: string | null;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  readonly answer: Answer | null;
  /** Every further call of the endpoint would fail in the same way. */
  readonly stopsTarget: boolean;
}

/** A result, and when it was there. */
export interface TimedResult extends CallResult {
  readonly at: string;
}

export const timed = (result: CallResult, { clock }: Time): TimedResult => ({
  ...result,
  at: clock().toISOString(),
});

const MAX_TRIES = 6;
/** A server that does not listen rarely does a few seconds later. */
const MAX_REFUSED = 3;
/** Doubled with each try, if the engine does not state how long to wait. */
const FIRST_WAIT_MS = 1000;
/** A longer wait is left to the next collection. */
const MAX_WAIT_MS = 10 * 60 * 1000;

export interface Attempt {
  readonly result: CallResult;
  /** Milliseconds until the call may be sent again; null: it must not. */
  readonly waitMs: number | null;
}

/**
 * @param tries How often the call was sent, this time included.
 * @param clean Removes the key from what the vendor says.
 */
function attemptOf(sent: Sent, kind: CallKind, tries: number, clean: Clean): Attempt {
  return sent.kind === 'replied'
    ? { result: replied(sent.body, kind), waitMs: null }
    : judgedFailure(sent, kind, tries, clean);
}

/** @param tries How often the call was sent, this time included. */
export function judgedFailure(
  sent: Exclude<Sent, { readonly kind: 'replied' }>,
  kind: CallKind,
  tries: number,
  clean: Clean,
): Attempt {
  const backoffMs = FIRST_WAIT_MS * 2 ** (tries - 1);
  switch (sent.kind) {
    case 'unsent':
      return unsent('network', sent.reason, sent.isRefused && tries < MAX_REFUSED ? backoffMs : null);
    case 'lost':
      return { result: unanswered('lost', 'network', sent.reason), waitMs: null };
    case 'status': {
      const { kind: meaning, cause, reason } = meaningOf(sent.status, sent.body, kind.endpoint, clean);
      if (meaning === 'failed') return { result: unanswered('failed', cause, reason), waitMs: null };
      if (meaning === 'rejected') return { result: unanswered('not_charged', cause, reason), waitMs: null };
      if (meaning === 'stop') return unsent(cause, reason, null);
      const waitMs = sent.retryAfterMs ?? backoffMs;
      return unsent(cause, reason, tries < MAX_TRIES && waitMs <= MAX_WAIT_MS ? waitMs : null);
    }
  }
}

/** A call that was not charged, and that every other call of the endpoint shares unless waiting helps. */
const unsent = (cause: Cause, reason: string, waitMs: number | null): Attempt => ({
  result: unanswered('not_charged', cause, reason, waitMs === null),
  waitMs,
});

/**
 * The result of a call without an answer.
 * @param outcome `not_charged`: it was not sent, or refused without a charge.
 * @param stopsTarget Whether every other call of the endpoint would fail in the same way.
 */
export const unanswered = (
  outcome: 'not_charged' | 'lost' | 'failed' | 'pending',
  cause: Cause,
  detail: string,
  stopsTarget = false,
): CallResult => ({ outcome, cause, detail, usage: null, costUsd: null, answer: null, stopsTarget });

function replied(body: string, { endpoint, search }: CallKind): CallResult {
  const reply = readReply(() => protocolOf(endpoint.protocol).reply(JSON.parse(body)));
  return resultOf({ ...reply, usage: believable(reply.usage) }, endpoint, search);
}

/** Every request and every answer has tokens: servers that do not count them state 0 of both. */
const believable = (usage: Usage): Usage =>
  usage.input === 0 && usage.output === 0 ? { ...usage, input: null, output: null } : usage;

export function resultOf(reply: Reply, prices: Prices, search: boolean): CallResult {
  const { usage } = reply;
  const answer = 'answer' in reply ? reply.answer : null;
  return {
    outcome: reply.kind,
    cause: answer ? null : 'answer',
    detail: 'detail' in reply ? reply.detail : null,
    usage: usage.input === null && usage.costUsd === null ? null : usage,
    costUsd: costOf(usage, prices, search),
    answer,
    stopsTarget: false,
  };
}

export interface EndpointCalls {
  readonly kind: CallKind;
  readonly key: string | null;
  readonly pacing: Pacing;
}

/** What a call writes: an attempt before it is sent, what names its result before that is fetched, its outcome. */
export type CallJournal = Pick<Journal, 'attempt' | 'handle' | 'outcome'>;

export interface CallDeps {
  readonly journal: CallJournal;
  /** Aborted: nothing more is sent, and waits end. */
  readonly stop: AbortSignal;
  /** Aborted: requests on their way are given up too. */
  readonly abort: AbortSignal;
  /** Keeps a raw response; null: none is kept. */
  readonly keepRaw: KeepRaw | null;
  /** Keeps the response of a provider that is no answer; null: it is not kept. */
  readonly keepOdd: KeepRaw | null;
  /**
   * Milliseconds from one look at a queue to the next, the first and the longest, and those after which the list of a
   * provider has what was sent.
   */
  readonly polls: { readonly firstMs: number; readonly mostMs: number; readonly listedMs: number };
  readonly time: Time;
  /** Is told of each exchange, for records of it. */
  readonly onExchange?: (run: string, request: HttpRequest, sent: Sent) => void;
  readonly onWait: (milliseconds: number, reason: string) => void;
}

type KeepRaw = (run: string, step: CallKind['step'], body: string) => Promise<void>;

/**
 * Asks once, and again while the engine states a rate limit or refuses connections. Each try is an attempt in the journal.
 * @throws CollectFileError if the journal cannot be written; without its attempt nothing is sent.
 */
export async function call(
  run: string,
  calls: EndpointCalls,
  input: EngineInput,
  reservedUsd: number | null,
  deps: CallDeps,
): Promise<TimedResult> {
  const clean = cleanerFor(calls.kind.endpoint, calls.key);
  for (let tries = 1; ; tries++) {
    await calls.pacing.ready(deps.stop);
    if (deps.stop.aborted)
      return timed(unanswered('not_charged', 'stopped', 'stopped before it was sent'), deps.time);
    const { step } = calls.kind;
    const at = deps.time.clock().toISOString();
    const attempt = { run, step, kind: kindId(calls.kind), at, reserved_usd: reservedUsd };
    const number = await deps.journal.attempt(attempt);
    const request = protocolOf(calls.kind.endpoint.protocol).request(calls.kind.endpoint, input, calls.key);
    const sent = await sendOnce(run, request, calls, deps);
    const { result: untimed, waitMs } = attemptOf(sent, calls.kind, tries, clean);
    const result = timed(untimed, deps.time);
    const raw = sent.kind === 'replied' ? deps.keepRaw?.(run, step, clean(sent.body)) : undefined;
    await afterRaw(raw, () => deps.journal.outcome(eventOf(number, step, result)));
    if (waitMs === null) return result;
    deps.onWait(waitMs, result.detail ?? '');
    // A rate limit is one of the endpoint, a refused connection may be one of a moment.
    if (sent.kind === 'status') calls.pacing.pause(waitMs);
    else await deps.time.wait(waitMs, deps.stop);
  }
}

/**
 * Notes an outcome when the raw response is kept, because an answer in the journal is never asked for again. A response that
 * cannot be kept loses no answer.
 * @throws The failure of the note, else of the raw response.
 */
export async function afterRaw(raw = Promise.resolve(), note: () => Promise<void>): Promise<void> {
  const [kept, noted] = await Promise.allSettled([raw, raw.catch(() => undefined).then(note)]);
  for (const each of [noted, kept]) if (each.status === 'rejected') throw each.reason;
}

/** Sends a request to the endpoint. */
export async function sendOnce(
  run: string,
  request: HttpRequest,
  { kind: { endpoint } }: EndpointCalls,
  { abort, onExchange, time }: CallDeps,
): Promise<Sent> {
  const { baseUrl, timeoutSeconds } = endpoint;
  const { clock } = time;
  const sent = await send(request, { baseUrl, timeoutMs: timeoutSeconds * 1000, signal: abort, clock });
  onExchange?.(run, request, sent);
  return sent;
}

export const eventOf = (
  number: number,
  step: CallKind['step'],
  result: TimedResult,
): Omit<AttemptOutcome, 'event'> => ({
  call: number,
  outcome: result.outcome === 'pending' ? 'lost' : result.outcome,
  at: result.at,
  detail: result.detail,
  usage: result.usage,
  cost_usd: result.costUsd,
  answer: step === 'ask' ? result.answer : null,
  reply: step === 'extract' ? (result.answer?.text ?? null) : null,
});
