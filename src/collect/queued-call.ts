/**
 * One question to a provider: sent once, noted on the disk, and fetched until its answer is there. A collection that is
 * killed goes on where the journal ends: it fetches what has a name, and looks for what may have been sent.
 */
import { randomUUID } from 'node:crypto';
import type { HttpRequest, Sent } from '../server/base/vendor-request.js';
import { kindId } from './budget.js';
import {
  afterRaw,
  type CallDeps,
  type CallResult,
  type EndpointCalls,
  eventOf,
  judgedFailure,
  resultOf,
  sendOnce,
  type TimedResult,
  timed,
  unanswered,
} from './call.js';
import { type Cause, type Clean, cleanerFor } from './failure.js';
import type { PastCall } from './journal.js';
import { capabilityOf, isProvider } from './protocols/capabilities.js';
import { providerOf } from './protocols/index.js';
import { type EngineInput, NO_USAGE, type Reply } from './protocols/protocol.js';
import type { Progress, Provider, Question } from './protocols/provider.js';
import { readOr, readReply } from './reading.js';

/** How often a question without a known result is looked for, and a queue that does not answer is asked. */
const MAX_LOOKS = 5;
const MAX_SILENT_POLLS = 20;

/** What a response means: progress, or a failure that says nothing about the question. */
type Step =
  | Exclude<Progress, { readonly kind: 'refused' }>
  | {
      readonly kind: 'refused';
      readonly cause: Cause;
      readonly detail: string;
      /** Milliseconds until it may be sent again; null: waiting does not help. */
      readonly waitMs: number | null;
      readonly stopsTarget: boolean;
    }
  | {
      readonly kind: 'unknown';
      readonly outcome: 'lost' | 'failed';
      readonly cause: Cause;
      readonly detail: string;
    };

/** A response, and its body if it has the answer. */
type SubmittedStep = Step & { readonly body?: string };

/** The attempt of the journal that a call belongs to. */
interface Place {
  readonly number: number;
  readonly sentAt: string;
}

/** Where a question stands. */
type State =
  /** It is to be sent. `tries` counts how often it is sent, this time included. */
  | { readonly kind: 'unsent'; readonly tries: number }
  /** It may have been sent. `looks` counts how often it is looked for, this time included. */
  | { readonly kind: 'unsure'; readonly place: Place; readonly looks: number }
  /** The provider has it. */
  | Queued
  | { readonly kind: 'ended'; readonly result: TimedResult };

interface Queued {
  readonly kind: 'queued';
  readonly place: Place;
  /** What its result is fetched by. */
  readonly handle: string;
  /** The wait before the next look at the queue, and how often it is looked at, that time included. */
  readonly waitMs: number;
  readonly polls: number;
  /** How often the queue did not answer. */
  readonly silent: number;
}

/**
 * @param open The attempt of an earlier collection that this one goes on with; null: the question is new.
 * @throws CollectFileError if the journal cannot be written; without its attempt nothing is sent.
 */
export async function queuedCall(
  run: string,
  calls: EndpointCalls,
  input: EngineInput,
  reservedUsd: number | null,
  deps: CallDeps,
  open: PastCall | null,
): Promise<TimedResult> {
  const id = open?.attempt.id ?? randomUUID();
  const call = new QueuedCall(run, calls, input, reservedUsd, id, deps);
  let state = stateOf(open, deps);
  while (state.kind !== 'ended') state = await call.next(state);
  return state.result;
}

function stateOf(
  open: {
    readonly attempt: Pick<PastCall['attempt'], 'call' | 'at'>;
    readonly handle: string | undefined;
  } | null,
  { polls: { firstMs } }: CallDeps,
): State {
  if (open === null) return { kind: 'unsent', tries: 1 };
  const place = { number: open.attempt.call, sentAt: open.attempt.at };
  if (open.handle === undefined) return { kind: 'unsure', place, looks: 1 };
  return { kind: 'queued', place, handle: open.handle, waitMs: firstMs, polls: 1, silent: 0 };
}

class QueuedCall {
  readonly #run: string;
  readonly #calls: EndpointCalls;
  readonly #provider: Provider;
  readonly #question: Question;
  readonly #reservedUsd: number | null;
  readonly #deps: CallDeps;
  readonly #clean: Clean;
  /** Monotonic. */
  readonly #deadline: number;

  constructor(
    run: string,
    calls: EndpointCalls,
    input: EngineInput,
    reservedUsd: number | null,
    id: string,
    deps: CallDeps,
  ) {
    const { endpoint } = calls.kind;
    const { protocol, model, provider: settings } = endpoint;
    const provider = providerOf(protocol);
    const row = isProvider(protocol) ? capabilityOf(protocol, model) : undefined;
    if (!provider || !row || !settings) throw new Error(`${protocol} cannot ask ${model}`);
    this.#run = run;
    this.#calls = calls;
    this.#provider = provider;
    this.#question = { engine: model as Question['engine'], row, input, settings, id, key: calls.key };
    this.#reservedUsd = reservedUsd;
    this.#deps = deps;
    this.#clean = cleanerFor(endpoint, calls.key);
    this.#deadline = deps.time.elapsed() + settings.waitMinutes * 60_000;
  }

  next(state: Exclude<State, { readonly kind: 'ended' }>): Promise<State> {
    switch (state.kind) {
      case 'unsent':
        return this.#ask(state.tries);
      case 'unsure':
        return this.#recover(state.place, state.looks);
      case 'queued':
        return this.#fetch(state);
    }
  }

  /** Sends the question, and has it sent again while it is provably not charged. */
  async #ask(tries: number): Promise<State> {
    const { stop, journal, time, onWait } = this.#deps;
    await this.#calls.pacing.ready(stop);
    if (stop.aborted) return this.#ended(unanswered('not_charged', 'stopped', 'stopped before it was sent'));
    const sentAt = time.clock().toISOString();
    const number = await journal.attempt({
      run: this.#run,
      step: 'ask',
      kind: kindId(this.#calls.kind),
      at: sentAt,
      reserved_usd: this.#reservedUsd,
      ...this.#named(),
    });
    const place = { number, sentAt };
    const taken = await this.#submit(tries);
    if (taken.kind === 'unknown' && this.#canRecover) return { kind: 'unsure', place, looks: 1 };
    if (taken.kind !== 'refused') return this.#follow(place, taken);
    const ended = await this.#settled(
      place,
      unanswered('not_charged', taken.cause, taken.detail, taken.stopsTarget),
    );
    if (taken.waitMs === null) return ended;
    onWait(taken.waitMs, taken.detail);
    this.#calls.pacing.pause(taken.waitMs);
    return { kind: 'unsent', tries: tries + 1 };
  }

  /** A question that is found again has its name in the journal. A live one is not: it is lost with its connection. */
  #named(): { id?: string } {
    return this.#question.settings.live ? {} : { id: this.#question.id };
  }

  get #canRecover(): boolean {
    return this.#provider.recover !== undefined && !this.#question.settings.live;
  }

  /** What may have been sent is looked for, or sent again in a way that cannot be paid twice. */
  async #recover(place: Place, looks: number): Promise<State> {
    const { stop, polls, time } = this.#deps;
    const again: State = { kind: 'unsure', place, looks: looks + 1 };
    if (looks > 1 && looks <= MAX_LOOKS) await this.#sleep(polls.firstMs * 2 ** (looks - 1));
    if (looks > MAX_LOOKS || stop.aborted)
      return this.#pending('network', 'whether it was sent is not known yet; the same command looks again');
    const { recover } = this.#provider;
    const list = typeof recover === 'function' ? recover(place.sentAt) : null;
    let taken = list === null ? await this.#submit(looks) : await this.#look(list, looks);
    if (taken.kind === 'absent') {
      const rest = Date.parse(place.sentAt) + polls.listedMs - time.clock().getTime();
      if (rest > 0) {
        await this.#sleep(Math.min(rest, polls.listedMs));
        return again;
      }
      taken = await this.#submit(looks);
    }
    if (taken.kind === 'unknown' || taken.kind === 'pending') return again;
    if (taken.kind !== 'refused') return this.#follow(place, taken);
    if (taken.waitMs === null) return this.#pending(taken.cause, taken.detail, taken.stopsTarget);
    await this.#sleep(taken.waitMs);
    return again;
  }

  /** What happens after a question was accepted or has an end. */
  async #follow(place: Place, taken: Exclude<SubmittedStep, { readonly kind: 'refused' }>): Promise<State> {
    switch (taken.kind) {
      case 'next':
        await this.#deps.journal.handle(place.number, taken.handle, this.#deps.time.clock());
        return stateOf(
          { handle: taken.handle, attempt: { call: place.number, at: place.sentAt } },
          this.#deps,
        );
      case 'done':
        return this.#done(place, taken.reply, taken.body ?? '');
      case 'gone':
        return this.#settled(place, unanswered('lost', 'engine', `paid and lost: ${taken.detail}`));
      case 'failed': {
        const { charged, detail, costUsd = null } = taken;
        const failed = unanswered(charged ? 'failed' : 'not_charged', 'engine', detail);
        return this.#settled(place, { ...failed, costUsd: charged ? costUsd : null });
      }
      case 'unknown':
        return this.#settled(place, unanswered(taken.outcome, taken.cause, taken.detail));
      default:
        return this.#pending('engine', 'it has no result yet');
    }
  }

  /** Looks at the queue. A look costs nothing. */
  async #fetch(state: Queued): Promise<State> {
    const { firstMs, mostMs } = this.#deps.polls;
    const { place, handle, polls, silent } = state;
    await this.#sleep(state.waitMs);
    if (this.#deps.stop.aborted) return this.#pending('stopped', FETCHED_LATER);
    await this.#calls.pacing.ready(this.#deps.stop);
    const taken = await this.#look(handle, 1);
    const isAccepted = (detail: string) =>
      `accepted and charged, but a look at it failed: ${detail}; ${FETCHED_LATER}`;
    const next: Queued = {
      ...state,
      polls: polls + 1,
      waitMs: Math.min(mostMs, firstMs * 1.5 ** Math.min(polls, 20)),
    };
    switch (taken.kind) {
      case 'refused':
        if (taken.waitMs === null)
          return this.#pending(taken.cause, isAccepted(taken.detail), taken.stopsTarget);
        this.#calls.pacing.pause(taken.waitMs);
        return this.#inTime(next);
      case 'unknown':
        if (silent + 1 >= MAX_SILENT_POLLS) return this.#pending(taken.cause, isAccepted(taken.detail));
        return this.#inTime({ ...next, silent: silent + 1 });
      case 'next':
        await this.#deps.journal.handle(place.number, taken.handle, this.#deps.time.clock());
        return this.#inTime({ ...next, handle: taken.handle, waitMs: 0 });
      case 'pending':
        return this.#inTime(next);
      default:
        return this.#follow(place, taken);
    }
  }

  /** The state, unless the wait for the queue is over. */
  #inTime(state: Queued): State {
    if (this.#deps.time.elapsed() < this.#deadline) return state;
    const minutes = this.#question.settings.waitMinutes;
    const detail = `no answer within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}; ${FETCHED_LATER}`;
    return this.#pending('engine', detail);
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#deps.time.wait(milliseconds, this.#deps.stop);
  }

  #submit(tries: number): Promise<SubmittedStep> {
    return this.#take(this.#provider.submit(this.#question), null, tries);
  }

  #look(handle: string, tries: number): Promise<SubmittedStep> {
    return this.#take(this.#provider.fetch(handle, this.#question), handle, tries);
  }

  /** Sends a request and reads its response. @param handle Null: it is the one that costs. */
  async #take(request: HttpRequest, handle: string | null, tries: number): Promise<SubmittedStep> {
    const sent = await sendOnce(this.#run, request, this.#calls, this.#deps);
    if (sent.kind === 'replied') {
      if (handle !== null && !isJson(sent.body)) return { kind: 'unknown', ...NOT_JSON };
      const step = readOr<Progress>(
        () => this.#progress(JSON.parse(sent.body), handle),
        (detail) => this.#unread(detail, handle),
      );
      return { ...this.#stepOf(step, sent, tries), body: sent.body };
    }
    if (sent.kind === 'status') {
      const step = this.#provider.status?.(sent.status, sent.body, handle !== null);
      if (step) return this.#stepOf(step, sent, tries);
    }
    const { result, waitMs } = judgedFailure(sent, this.#calls.kind, tries, this.#clean);
    const { outcome, cause, detail, stopsTarget } = result;
    const said = { cause: cause ?? 'engine', detail: detail ?? '' };
    // A look that the queue does not answer says nothing about the question.
    const isSilent = handle !== null && cause === 'engine';
    return outcome === 'not_charged' && !isSilent
      ? { kind: 'refused', ...said, waitMs, stopsTarget }
      : { kind: 'unknown', outcome: outcome === 'failed' ? 'failed' : 'lost', ...said };
  }

  #progress(body: unknown, handle: string | null): Progress {
    return handle === null
      ? this.#provider.submitted(body, this.#question)
      : this.#provider.fetched(body, handle, this.#question);
  }

  /** A response that cannot be read: of a question that waits for its answer, of one that was sent, or of a look at it. */
  #unread(detail: string, handle: string | null): Progress {
    if (handle === null && !this.#question.settings.live) return { kind: 'failed', charged: true, detail };
    return { kind: 'done', reply: { kind: 'malformed', detail, usage: NO_USAGE } };
  }

  #stepOf(step: Progress, sent: Sent, tries: number): Step {
    if (step.kind === 'failed' || step.kind === 'gone') return { ...step, detail: this.#clean(step.detail) };
    if (step.kind !== 'refused') return step;
    const { why, detail } = step;
    if (why !== 'rate_limit')
      return {
        kind: 'refused',
        cause: why,
        detail: this.#clean(detail),
        waitMs: null,
        stopsTarget: why !== 'request',
      };
    const status = { kind: 'status', status: 429, body: '', retryAfterMs: null } as const;
    const { waitMs } = judgedFailure(
      sent.kind === 'status' ? { ...sent, status: 429 } : status,
      this.#calls.kind,
      tries,
      this.#clean,
    );
    return {
      kind: 'refused',
      cause: 'rate_limit',
      detail: this.#clean(detail),
      waitMs,
      stopsTarget: waitMs === null,
    };
  }

  async #done(place: Place, reply: Reply, body: string): Promise<State> {
    const { endpoint, search } = this.#calls.kind;
    const result = resultOf(
      readReply(() => reply),
      endpoint,
      search,
    );
    const keep = this.#deps.keepRaw ?? (result.outcome === 'malformed' ? this.#deps.keepOdd : null);
    return this.#settled(place, result, keep?.(this.#run, 'ask', this.#clean(body)));
  }

  /** Notes the result in the journal, once its raw response is kept. */
  async #settled({ number }: Place, result: CallResult, raw?: Promise<void>): Promise<State> {
    const ended = timed(result, this.#deps.time);
    await afterRaw(raw, () => this.#deps.journal.outcome(eventOf(number, 'ask', ended)));
    return { kind: 'ended', result: ended };
  }

  /** The question was or may have been sent, so it is neither asked nor paid again. */
  #pending(cause: Cause, detail: string, stopsTarget = false): State {
    return this.#ended(unanswered('pending', cause, detail, stopsTarget));
  }

  #ended(result: CallResult): State {
    return { kind: 'ended', result: timed(result, this.#deps.time) };
  }
}

/** A page of an error, instead of the state of a queue, says nothing about the question. */
const NOT_JSON = { outcome: 'lost', cause: 'engine', detail: 'the response is not JSON' } as const;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return error instanceof RangeError;
  }
}

const FETCHED_LATER = 'the same command fetches it, and pays nothing for that';
