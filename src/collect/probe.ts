/** One question to each target: what comes back, what is missing, what it costs. Nothing is imported. */
import type { HttpRequest, Sent } from '../server/base/vendor-request.js';
import { costOf, kindId } from './budget.js';
import { type CallDeps, type CallResult, call, Pacing } from './call.js';
import { type DriftField, driftFields, has } from './drift.js';
import { cleanerFor } from './failure.js';
import type { CollectPlan, Endpoint, Target } from './plan/plan.js';
import { askKind } from './preview.js';
import { type Capability, capabilityOf, isProvider, surfaceOf } from './protocols/capabilities.js';
import type { Answer } from './protocols/protocol.js';
import { queuedCall } from './queued-call.js';
import { inputOf } from './schedule.js';

/** Asked unless another question is stated: short, and of the kind that shows products and ads. */
export const PROBE_PROMPT = 'What are the best running shoes for beginners?';

export interface ProbedField {
  readonly field: DriftField;
  readonly count: number;
  /** Whether the table says that the protocol states it; null: the table has no row for it. */
  readonly stated: Capability['ads'] | null;
}

export interface Probed {
  readonly engine: string;
  readonly region: string;
  readonly protocol: string;
  readonly surface: string;
  readonly outcome: CallResult['outcome'];
  readonly detail: string | null;
  readonly cause: CallResult['cause'];
  readonly seconds: number;
  /** The model that the reply states; null: it states none. */
  readonly model: string | null;
  readonly characters: number;
  readonly fields: readonly ProbedField[];
  /** What the table says that the protocol states, and this reply does not have. One reply need not have all of it. */
  readonly missing: readonly DriftField[];
  /** US dollars; null: a price is not stated. */
  readonly cost_usd: number | null;
}

/** A request and its response, without keys. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: object;
    readonly body: unknown;
  };
  readonly response: { readonly status: number | null; readonly body: unknown; readonly reason?: string };
}

type ProbeDeps = Pick<CallDeps, 'stop' | 'abort' | 'polls' | 'onWait' | 'time'> & {
  readonly keyOf: (endpoint: Endpoint) => string | null;
  /** Keeps the exchanges with a target; null: they are not kept. */
  readonly record: ((name: string, exchanges: readonly Exchange[]) => Promise<void>) | null;
};

/** US dollars of a probe of the plan; null: a price is not stated. */
export function costOfProbe({ targets }: CollectPlan): number | null {
  const costs = targets.map((target) =>
    target.provider === null
      ? null
      : costOf({ input: 0, output: 0, searches: 1, costUsd: null }, target, true),
  );
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + cost!, 0);
}

/** Asks the targets at the same time. Of a model the answer is as long as the plan allows. */
export const probe = ({ targets }: CollectPlan, prompt: string, deps: ProbeDeps): Promise<Probed[]> =>
  Promise.all(targets.map((target) => probeOne(target, prompt, deps)));

async function probeOne(target: Target, prompt: string, deps: ProbeDeps): Promise<Probed> {
  const { engine, region, protocol } = target;
  const kind = askKind(target);
  const key = deps.keyOf(target);
  const exchanges: Exchange[] = [];
  const calls = { kind, key, pacing: new Pacing(deps.time) };
  const own: CallDeps = {
    stop: deps.stop,
    abort: deps.abort,
    polls: deps.polls,
    onWait: deps.onWait,
    time: deps.time,
    keepRaw: null,
    keepOdd: null,
    journal: forgetful(),
    onExchange: (_, request, sent) => exchanges.push(exchangeOf(target, key, request, sent)),
  };
  const input = inputOf({ target, prompt: { id: 'probe', text: prompt } });
  const run = `probe ${kindId(kind)} ${region}`;
  const started = deps.time.elapsed();
  const result =
    target.provider === null
      ? await call(run, calls, input, null, own)
      : await queuedCall(run, calls, input, null, own, null);
  const seconds = Math.round((deps.time.elapsed() - started) / 100) / 10;
  await deps.record?.(`${engine}.${region}.${protocol}`, exchanges);
  const { outcome, detail, cause, answer, costUsd } = result;
  const fields = driftFields.map((field) => fieldOf(target, answer, field));
  const isComplete = (field: DriftField) => answer !== null && has(answer, field);
  return {
    engine,
    region,
    protocol,
    surface: surfaceOf(target),
    outcome,
    detail,
    cause,
    seconds,
    model: answer?.model ?? null,
    characters: answer?.text.length ?? 0,
    fields,
    cost_usd: costUsd,
    missing:
      outcome === 'answered'
        ? fields
            .filter(({ field, stated }) => stated !== 'never' && stated !== null && !isComplete(field))
            .map(({ field }) => field)
        : [],
  };
}

function fieldOf({ protocol, engine }: Target, answer: Answer | null, field: DriftField): ProbedField {
  const row = isProvider(protocol) ? capabilityOf(protocol, engine) : undefined;
  const products = answer?.carousels?.reduce((sum, { placements }) => sum + placements.length, 0);
  const counts = {
    citations: answer?.citations.length,
    searches: answer?.fanouts.length,
    carousels: products,
    ads: answer?.ad ? Math.max(1, answer.ad.cards?.length ?? 0) : 0,
  };
  return { field, count: counts[field] ?? 0, stated: row?.[field] ?? null };
}

/** A probe is not gone on with: what it sent is not noted. */
function forgetful(): CallDeps['journal'] {
  let calls = 0;
  return { attempt: async () => ++calls, handle: async () => {}, outcome: async () => {} };
}

/** Whatever the name of its header or field: the key is a value of it. */
const KEY_HEADERS = /^(?:authorization|x-api-key|x-goog-api-key|api-key)$/i;
const KEY_FIELDS = /([?&](?:api_key|apikey|key|token|access_token)=)[^&#"\s]*/gi;
const REMOVED = '[key]';

function exchangeOf(endpoint: Endpoint, key: string | null, request: HttpRequest, sent: Sent): Exchange {
  const clean = cleanerFor(endpoint, key);
  const cleaned = (text: string) => clean(text).replace(KEY_FIELDS, `$1${REMOVED}`);
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    KEY_HEADERS.test(name) ? REMOVED : cleaned(value),
  ]);
  const body = 'body' in sent ? cleaned(sent.body) : null;
  return {
    request: {
      method: request.body === null ? 'GET' : 'POST',
      url: cleaned(endpoint.baseUrl + request.path),
      headers: Object.fromEntries(headers),
      body: request.body === null ? null : parsed(cleaned(JSON.stringify(request.body))),
    },
    response: {
      status: sent.kind === 'replied' ? 200 : sent.kind === 'status' ? sent.status : null,
      body: body === null ? null : parsed(body),
      ...('reason' in sent && { reason: sent.reason }),
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
