/** One call of a run: written to the journal, sent, repeated only if it was provably not charged. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ZodError } from 'zod';
import { type CallKind, costOf, kindId } from './budget.js';
import { type Cause, type Clean, cleanerOf, meaningOf } from './failure.js';
import type { AttemptOutcome, Journal, Outcome } from './journal.js';
import { protocols } from './protocols/index.js';
import {
  type Answer,
  type EngineInput,
  type EngineRequest,
  NO_USAGE,
  type Reply,
  type Usage,
} from './protocols/protocol.js';

// Pauses all calls of an endpoint while it asks to wait.

export class Pacing {
  /** Monotonic, because the clock of the machine may be set. */
  #until = 0;

  /** No call is sent for this long. */
  pause(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  /** Waits until calls may be sent. Returns early when the signal is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    for (;;) {
      const rest = this.#until - performance.now();
      if (rest <= 0 || signal.aborted) return;
      await sleep(rest, undefined, { signal }).catch(() => undefined);
    }
  }
}

// Makes the texts of an answer storable: the database accepts no NUL characters and no lone surrogates.

const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

const storable = ({ text, model, citations, fanouts }: Answer): Answer => ({
  text: clean(text),
  model: model === null ? null : clean(model),
  citations: citations.map(({ url, title }) =>
    title === undefined ? { url: clean(url) } : { url: clean(url), title: clean(title) },
  ),
  fanouts: fanouts.map(clean),
});

/** No answer of a person's question is longer. */
const MAX_TEXT = 250_000;
const MAX_PAGES = 1000;
const MAX_SEARCHES = 1000;
/** Of a field: a name, an address, a search. */
const MAX_FIELD = 10_000;

/** Why an answer is too large to be one; null: it is not. */
function excessOf({ text, model, citations, fanouts }: Answer): string | null {
  const over = (count: number, most: number, what: string) =>
    count > most ? [`it has more than ${most} ${what}`] : [];
  const fields = [model ?? '', ...citations.flatMap(({ url, title = '' }) => [url, title]), ...fanouts];
  const longest = fields.reduce((length, field) => Math.max(length, field.length), 0);
  const [reason = null] = [
    ...over(text.length, MAX_TEXT, 'characters'),
    ...over(citations.length, MAX_PAGES, 'citations'),
    ...over(fanouts.length, MAX_SEARCHES, 'searches'),
    ...over(longest, MAX_FIELD, 'characters in one field'),
  ];
  return reason;
}

/** Failures of a connection before any byte of a request was sent. */

/** Codes of Node and undici, with the reason for the report. */
const BEFORE_SENDING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  BAD_PORT: 'fetch blocks this port',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** The code if the request was provably not sent, else null. */
function notSent(error: unknown): string | null {
  const { cause, code } = (error ?? {}) as { cause?: { code?: unknown; message?: unknown }; code?: unknown };
  if (cause?.message === 'bad port') return 'BAD_PORT';
  const stated = String(cause?.code ?? code ?? '');
  return Object.hasOwn(BEFORE_SENDING, stated) ? stated : null;
}

/** The reason of a code that `notSent` returned, for the report. */
const reasonOf = (code: string): string => `${BEFORE_SENDING[code]} (${code})`;

// Sends one request to an engine, once. The result states whether the call may have been charged.

type Sent =
  /** The body of a 2xx response. */
  | { readonly kind: 'replied'; readonly body: string }
  /** Another status. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfterMs: number | null;
      readonly body: string;
    }
  /** Provably never sent: nothing was charged. */
  | { readonly kind: 'unsent'; readonly reason: string; readonly isRefused: boolean }
  /** Sent, and no complete response: it may have been charged. */
  | { readonly kind: 'lost'; readonly reason: string };

interface SendOptions {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Responses are read up to this size. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Sends the request without a retry and without following redirects. Never rejects. */
export async function send({ path, headers, body }: EngineRequest, options: SendOptions): Promise<Sent> {
  const { baseUrl, timeoutMs, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      // A kept connection may be closed by the other side while a request is on its way.
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        Connection: 'close',
        ...headers,
      },
      body: JSON.stringify(body),
      // The key must not be sent to another address.
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    const text = await limitedText(response);
    if (response.ok) return { kind: 'replied', body: text };
    const retryAfterMs = retryAfter(response.headers.get('retry-after'), Date.now()) ?? retryDelay(text);
    return { kind: 'status', status: response.status, retryAfterMs, body: text };
  } catch (error) {
    if (signal.aborted) return { kind: 'lost', reason: 'interrupted' };
    if (timeout.aborted) return { kind: 'lost', reason: `no answer within ${timeoutMs / 1000} s` };
    if (error instanceof BodyTooLong) return { kind: 'lost', reason: error.message };
    const code = notSent(error);
    if (code !== null) return { kind: 'unsent', reason: reasonOf(code), isRefused: code === 'ECONNREFUSED' };
    return { kind: 'lost', reason: 'the connection broke' };
  }
}

class BodyTooLong extends Error {
  constructor() {
    super(`a response of more than ${MAX_BODY_BYTES / 1024 / 1024} MiB`);
  }
}

async function limitedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Milliseconds that a body of Google states; null: it states none. */
function retryDelay(body: string): number | null {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? [];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

/** Milliseconds of a Retry-After header: seconds or a date; null: absent or invalid. */
function retryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\s*\d{1,9}(?:\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

// What a sent request means: its result, and whether and when the call is sent again.

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

const MAX_TRIES = 6;
/** A server that does not listen rarely does a few seconds later. */
const MAX_REFUSED = 3;
/** Doubled with each try, if the engine does not state how long to wait. */
const FIRST_WAIT_MS = 1000;
/** A longer wait is left to the next collection. */
const MAX_WAIT_MS = 10 * 60 * 1000;

interface Judged {
  readonly result: CallResult;
  /** Milliseconds until the call may be sent again; null: it must not. */
  readonly waitMs: number | null;
}

/**
 * @param tries How often the call was sent, this time included.
 * @param clean Removes the key from what the vendor says.
 */
function judged(sent: Sent, kind: CallKind, tries: number, clean: Clean): Judged {
  const backoffMs = FIRST_WAIT_MS * 2 ** (tries - 1);
  switch (sent.kind) {
    case 'replied':
      return { result: replied(sent.body, kind), waitMs: null };
    case 'unsent':
      return unsent('network', sent.reason, sent.isRefused && tries < MAX_REFUSED ? backoffMs : null);
    case 'lost':
      return { result: unknown('lost', 'network', sent.reason), waitMs: null };
    case 'status': {
      const { kind: meaning, cause, reason } = meaningOf(sent.status, sent.body, kind.endpoint, clean);
      if (meaning === 'failed') return { result: unknown('failed', cause, reason), waitMs: null };
      if (meaning === 'rejected') return { result: notCharged(cause, reason, false), waitMs: null };
      if (meaning === 'stop') return unsent(cause, reason, null);
      const waitMs = sent.retryAfterMs ?? backoffMs;
      return unsent(cause, reason, tries < MAX_TRIES && waitMs <= MAX_WAIT_MS ? waitMs : null);
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
const notCharged = (cause: Cause, detail: string, stopsTarget: boolean): CallResult => ({
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

export interface EndpointCalls {
  readonly kind: CallKind;
  readonly key: string | null;
  readonly pacing: Pacing;
}

export interface CallDeps {
  readonly journal: Journal;
  /** Aborted: nothing more is sent, and waits end. */
  readonly stop: AbortSignal;
  /** Aborted: requests on their way are given up too. */
  readonly abort: AbortSignal;
  /** Keeps a raw response; null: none is kept. */
  readonly keepRaw: ((run: string, step: CallKind['step'], body: string) => Promise<void>) | null;
  readonly onWait: (milliseconds: number, reason: string) => void;
}

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
): Promise<CallResult> {
  const clean = cleanerOf(calls.key);
  for (let tries = 1; ; tries++) {
    await calls.pacing.ready(deps.stop);
    if (deps.stop.aborted) return notCharged('stopped', 'stopped before it was sent', false);
    const { step } = calls.kind;
    const at = new Date().toISOString();
    const attempt = { run, step, kind: kindId(calls.kind), at, reserved_usd: reservedUsd };
    const number = await deps.journal.attempt(attempt);
    const sent = await sendOnce(calls, input, deps.abort);
    const { result, waitMs } = judged(sent, calls.kind, tries, clean);
    // First the raw response, because an answer in the journal is never asked for again; its failure loses no answer.
    const kept =
      sent.kind === 'replied' && deps.keepRaw ? deps.keepRaw(run, step, clean(sent.body)) : Promise.resolve();
    const [raw, noted] = await Promise.allSettled([
      kept,
      kept.catch(() => undefined).then(() => deps.journal.outcome(eventOf(number, step, result))),
    ]);
    for (const each of [noted, raw]) if (each.status === 'rejected') throw each.reason;
    if (waitMs === null) return result;
    deps.onWait(waitMs, result.detail ?? '');
    // A rate limit is one of the endpoint, a refused connection may be one of a moment.
    if (sent.kind === 'status') calls.pacing.pause(waitMs);
    else await sleep(waitMs, undefined, { signal: deps.stop }).catch(() => undefined);
  }
}

function sendOnce(
  { kind: { endpoint }, key }: EndpointCalls,
  input: EngineInput,
  abort: AbortSignal,
): Promise<Sent> {
  const request = protocols[endpoint.protocol].request(endpoint, input, key);
  const { baseUrl, timeoutSeconds } = endpoint;
  return send(request, { baseUrl, timeoutMs: timeoutSeconds * 1000, signal: abort });
}

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
