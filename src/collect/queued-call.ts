/**
 * One question to a provider: sent once, noted on the disk, and fetched until its answer is there. A collection that is
 * killed goes on where the journal ends: it fetches what has a name, and looks for what may have been sent.
 */
import { randomUUID } from 'node:crypto';
import type { HttpRequest, Sent } from '../server/base/vendor-request.js';
import { kindId } from './budget.js';
import {
  type CallDeps,
  type CallResult,
  type EndpointCalls,
  eventOf,
  judgedFailure,
  notCharged,
  resultOf,
  sendOnce,
  type TimedResult,
  timed,
  unknown,
} from './call.js';
import { type Cause, type Clean, cleanerFor } from './failure.js';
import type { Outcome, PastCall } from './journal.js';
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

/**
 * @param open The attempt of an earlier collection that this one goes on with; null: the question is new.
 * @throws CollectFileError if the journal cannot be written; without its attempt nothing is sent.
 */
export function queuedCall(
  run: string,
  calls: EndpointCalls,
  input: EngineInput,
  reservedUsd: number | null,
  deps: CallDeps,
  open: PastCall | null,
): Promise<TimedResult> {
  const id = open?.attempt.id ?? randomUUID();
  return new QueuedCall(run, calls, input, id, deps).result(open, reservedUsd);
}

class QueuedCall {
  readonly #run: string;
  readonly #calls: EndpointCalls;
  readonly #provider: Provider;
  readonly #question: Question;
  readonly #deps: CallDeps;
  readonly #clean: Clean;
  /** Monotonic. */
  readonly #deadline: number;

  constructor(run: string, calls: EndpointCalls, input: EngineInput, id: string, deps: CallDeps) {
    const { endpoint } = calls.kind;
    const { protocol, model, provider: settings } = endpoint;
    const provider = providerOf(protocol);
    const row = isProvider(protocol) ? capabilityOf(protocol, model) : undefined;
    if (!provider || !row || !settings) throw new Error(`${protocol} cannot ask ${model}`);
    this.#run = run;
    this.#calls = calls;
    this.#provider = provider;
    this.#question = { engine: model as Question['engine'], row, input, settings, id, key: calls.key };
    this.#deps = deps;
    this.#clean = cleanerFor(endpoint, calls.key);
    this.#deadline = deps.time.elapsed() + settings.waitMinutes * 60_000;
  }

  async result(open: PastCall | null, reservedUsd: number | null): Promise<TimedResult> {
    if (open === null) return this.#ask(reservedUsd);
    const place = { number: open.attempt.call, sentAt: open.attempt.at };
    return open.handle === undefined ? this.#recover(place) : this.#fetch(place, open.handle);
  }

  /** Sends the question, and again while it is provably not charged. */
  async #ask(reservedUsd: number | null): Promise<TimedResult> {
    for (let tries = 1; ; tries++) {
      await this.#calls.pacing.ready(this.#deps.stop);
      if (this.#deps.stop.aborted)
        return this.#timed(notCharged('stopped', 'stopped before it was sent', false));
      const sentAt = this.#deps.time.clock().toISOString();
      const number = await this.#deps.journal.attempt({
        ...{ run: this.#run, step: 'ask', kind: kindId(this.#calls.kind), at: sentAt },
        ...{ reserved_usd: reservedUsd, ...this.#named() },
      });
      const place = { number, sentAt };
      const taken = await this.#submit(tries);
      switch (taken.kind) {
        case 'refused':
          await this.#settle(place, this.#timed(notCharged(taken.cause, taken.detail, taken.stopsTarget)));
          if (taken.waitMs === null)
            return this.#timed(notCharged(taken.cause, taken.detail, taken.stopsTarget));
          this.#deps.onWait(taken.waitMs, taken.detail);
          this.#calls.pacing.pause(taken.waitMs);
          break;
        case 'unknown':
          if (this.#canRecover) return this.#recover(place);
          return this.#settle(place, this.#timed(unknown(taken.outcome, taken.cause, taken.detail)));
        default:
          return this.#follow(place, taken);
      }
    }
  }

  /** A question that is found again has its name in the journal. A live one is not: it is lost with its connection. */
  #named(): { id?: string } {
    return this.#question.settings.live ? {} : { id: this.#question.id };
  }

  get #canRecover(): boolean {
    return this.#provider.recover !== undefined && !this.#question.settings.live;
  }

  /** What may have been sent is looked for, or sent again in a way that cannot be paid twice. */
  async #recover(place: Place): Promise<TimedResult> {
    const { recover } = this.#provider;
    for (let looks = 1; looks <= MAX_LOOKS; looks++) {
      if (looks > 1) await this.#sleep(this.#deps.polls.firstMs * 2 ** (looks - 1));
      if (this.#deps.stop.aborted) break;
      const isListed = typeof recover === 'function';
      const taken = isListed
        ? await this.#take(
            this.#provider.fetch(recover(place.sentAt), this.#question),
            recover(place.sentAt),
            looks,
          )
        : await this.#submit(looks);
      if (taken.kind === 'absent') {
        const rest = Date.parse(place.sentAt) + this.#deps.polls.listedMs - this.#deps.time.clock().getTime();
        if (rest > 0) {
          await this.#sleep(Math.min(rest, this.#deps.polls.listedMs));
          continue;
        }
        const again = await this.#submit(looks);
        if (again.kind !== 'unknown' && again.kind !== 'refused') return this.#follow(place, again);
        if (again.kind === 'refused' && again.waitMs === null) return this.#timed(pending(again));
        continue;
      }
      if (taken.kind === 'refused' && taken.waitMs === null) return this.#timed(pending(taken));
      if (taken.kind === 'refused') await this.#sleep(taken.waitMs!);
      else if (taken.kind !== 'unknown' && taken.kind !== 'pending') return this.#follow(place, taken);
    }
    const detail = 'whether it was sent is not known yet; the same command looks again';
    return this.#timed(pending({ cause: 'network', detail, stopsTarget: false }));
  }

  /** What happens after a question was accepted or has an end. */
  async #follow(place: Place, taken: SubmittedStep): Promise<TimedResult> {
    switch (taken.kind) {
      case 'next':
        await this.#deps.journal.handle(place.number, taken.handle, this.#deps.time.clock());
        return this.#fetch(place, taken.handle);
      case 'done':
        return this.#done(place, taken.reply, taken.body ?? '');
      case 'gone':
        return this.#settle(place, this.#timed(unknown('lost', 'engine', `paid and lost: ${taken.detail}`)));
      case 'failed': {
        const { charged, detail, costUsd = null } = taken;
        if (!charged) return this.#settle(place, this.#timed(notCharged('engine', detail, false)));
        return this.#settle(place, this.#timed({ ...unknown('failed', 'engine', detail), costUsd }));
      }
      default:
        return this.#timed(pending({ cause: 'engine', detail: 'it has no result yet', stopsTarget: false }));
    }
  }

  /** Looks at the queue until the answer is there. A look costs nothing. */
  async #fetch(place: Place, first: string): Promise<TimedResult> {
    const { firstMs, mostMs } = this.#deps.polls;
    let handle = first;
    let silent = 0;
    let waitMs = firstMs;
    for (let polls = 1; ; polls++) {
      await this.#sleep(waitMs);
      if (this.#deps.stop.aborted)
        return this.#timed(pending({ cause: 'stopped', detail: FETCHED_LATER, stopsTarget: false }));
      await this.#calls.pacing.ready(this.#deps.stop);
      const taken = await this.#take(this.#provider.fetch(handle, this.#question), handle, 1);
      const isAccepted = (detail: string) =>
        `accepted and charged, but a look at it failed: ${detail}; ${FETCHED_LATER}`;
      waitMs = Math.min(mostMs, firstMs * 1.5 ** Math.min(polls, 20));
      if (taken.kind === 'refused' && taken.waitMs === null)
        return this.#timed(pending({ ...taken, detail: isAccepted(taken.detail) }));
      if (taken.kind === 'refused') this.#calls.pacing.pause(taken.waitMs!);
      else if (taken.kind === 'unknown') {
        silent++;
        if (silent >= MAX_SILENT_POLLS)
          return this.#timed(pending({ ...taken, detail: isAccepted(taken.detail), stopsTarget: false }));
      } else if (taken.kind === 'next') {
        handle = taken.handle;
        await this.#deps.journal.handle(place.number, handle, this.#deps.time.clock());
        waitMs = 0;
      } else if (taken.kind !== 'pending') return this.#follow(place, taken);
      if (this.#deps.time.elapsed() >= this.#deadline) {
        const minutes = this.#question.settings.waitMinutes;
        const detail = `no answer within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}; ${FETCHED_LATER}`;
        return this.#timed(pending({ cause: 'engine', detail, stopsTarget: false }));
      }
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await this.#deps.time.wait(milliseconds, this.#deps.stop);
  }

  #submit(tries: number): Promise<SubmittedStep> {
    return this.#take(this.#provider.submit(this.#question), null, tries);
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

  /** First the raw response, because an answer in the journal is never asked for again. */
  async #done(place: Place, reply: Reply, body: string): Promise<TimedResult> {
    const { endpoint, search } = this.#calls.kind;
    const result = this.#timed(
      resultOf(
        readReply(() => reply),
        endpoint,
        search,
      ),
    );
    const keep = this.#deps.keepRaw ?? (result.outcome === 'malformed' ? this.#deps.keepOdd : null);
    const kept = keep ? keep(this.#run, 'ask', this.#clean(body)) : Promise.resolve();
    const [raw, noted] = await Promise.allSettled([
      kept,
      kept.catch(() => undefined).then(() => this.#settle(place, result)),
    ]);
    for (const each of [noted, raw]) if (each.status === 'rejected') throw each.reason;
    return result;
  }

  #timed(result: CallResult): TimedResult {
    return timed(result, this.#deps.time);
  }

  async #settle({ number }: Place, result: TimedResult): Promise<TimedResult> {
    const outcome: Outcome = result.outcome === 'pending' ? 'lost' : result.outcome;
    await this.#deps.journal.outcome(eventOf(number, 'ask', { ...result, outcome }));
    return result;
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

/** It was or may have been sent, so it is neither asked nor paid again. */
const pending = ({
  cause,
  detail,
  stopsTarget,
}: {
  cause: Cause;
  detail: string;
  stopsTarget: boolean;
}): CallResult => ({
  ...{ outcome: 'pending', cause, detail, stopsTarget },
  ...{ usage: null, costUsd: null, answer: null },
});
