/** One call of a run: written to the journal, sent, repeated only if it was provably not charged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallKind, kindId } from '../budget/estimate.js';
import type { AttemptOutcome } from '../journal/events.js';
import type { Journal } from '../journal/journal.js';
import { protocols } from '../protocols/index.js';
import type { EngineInput } from '../protocols/protocol.js';
import { cleanerOf } from './cleaner.js';
import { type CallResult, judged, notCharged } from './judge.js';
import type { Pacing } from './pacing.js';
import { type Sent, send } from './send.js';

/** Everything that the calls of one endpoint share. */
export interface EndpointCalls {
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
  around: CallSurroundings,
): Promise<CallResult> {
  const clean = cleanerOf(calls.key);
  for (let tries = 1; ; tries++) {
    await calls.pacing.ready(around.stop);
    if (around.stop.aborted) return notCharged('stopped', 'stopped before it was sent', false);
    const { step } = calls.kind;
    const at = new Date().toISOString();
    const attempt = { run, step, kind: kindId(calls.kind), at, reserved_usd: reservedUsd };
    const number = await around.journal.attempt(attempt);
    const sent = await sendOnce(calls, input, around.abort);
    const { result, waitMs } = judged(sent, calls.kind, tries, clean);
    // First the raw response, because an answer in the journal is never asked for again; its failure loses no answer.
    const kept =
      sent.kind === 'replied' && around.keepRaw
        ? around.keepRaw(run, step, clean(sent.body))
        : Promise.resolve();
    const [raw, noted] = await Promise.allSettled([
      kept,
      kept.catch(() => undefined).then(() => around.journal.outcome(eventOf(number, step, result))),
    ]);
    for (const each of [noted, raw]) if (each.status === 'rejected') throw each.reason;
    if (waitMs === null) return result;
    around.onWait(waitMs, result.detail ?? '');
    // A rate limit is one of the endpoint, a refused connection may be one of a moment.
    if (sent.kind === 'status') calls.pacing.pause(waitMs);
    else await sleep(waitMs, undefined, { signal: around.stop }).catch(() => undefined);
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
