/** Runs fact checks, after checking the preconditions in order. */
import type { Knex } from 'knex';
import { blendedEngineIds } from '../../../contract/engines.js';
import { errors, type Refusal } from '../../../contract/errors.js';
import { FACT_CHECK_RUN } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import type { RunFactCheck } from '../../../contract/reads/run-fact-check.js';
import type { Brand } from '../../accounts/access.js';
import {
  factCheckAt,
  factCheckOf,
  type StoredFactCheck,
  storeFactCheck,
} from '../../answers/reads/fact-check.js';
import { brandRefOf } from '../../answers/reads/reader.js';
import type { Clock } from '../../base/clock.js';
import { refuse } from '../../base/errors.js';
import {
  chargedOf,
  chatRequest,
  replyJson,
  roundedUsd,
  type Tokens,
  tokenCost,
} from '../../base/language-model.js';
import type { Logger } from '../../base/log.js';
import { statement } from '../../base/statement.js';
import { type Sent, send } from '../../base/vendor-request.js';
import {
  type CheckRequest,
  checkRequest,
  type Discrepancies,
  discrepanciesOf,
  newestAnswers,
} from './check-request.js';
import type { ModelConfig } from './model.js';
import { claimSlot, endFactCheckRun, requireFreeSlot } from './slot.js';

// A run that sends requests to the model. It holds the brand's slot, and does not count if it spends no money.

type Prices = Pick<ModelConfig, 'inputUsdPerMtok' | 'outputUsdPerMtok'>;

/** US dollars for all requests of a run. Null: a price, or the tokens of any request, are not stated. */
function costOf(usages: readonly Tokens[], prices: Prices): number | null {
  const cost = tokenCost(usages, prices);
  return cost === null ? null : roundedUsd(cost);
}

// Sends the request to the model, and repeats it once if the reply is malformed.

/** A request is repeated after a malformed reply, but not after any other failure. */
const MAX_REQUESTS = 2;

/** A valid reply has a few kilobytes. A longer one than this is not read to its end. */
const MAX_REPLY_BYTES = 1024 * 1024;

/** The outcome of a run. A run has spent money as soon as any request got a reply, valid or not. */
type Comparison =
  | { readonly discrepancies: Discrepancies; readonly costUsd: number | null; readonly spent: true }
  | { readonly failure: Refusal; readonly spent: boolean };

/** Runs the comparison. Never rejects. */
async function compare(
  { model, stop, clock }: Pick<RunDeps, 'model' | 'stop' | 'clock'>,
  request: CheckRequest,
): Promise<Comparison> {
  const { baseUrl, apiKey, timeoutMs } = model;
  const asked = chatRequest(apiKey, { model: model.model, messages: request.messages }, request.reply);
  const usages: Tokens[] = [];
  while (usages.length < MAX_REQUESTS) {
    const sent = await send(asked, { baseUrl, timeoutMs, signal: stop, clock, maxBytes: MAX_REPLY_BYTES });
    const spent = usages.length > 0;
    const isTooLong = sent.kind === 'lost' && sent.why === 'too_long';
    if (sent.kind !== 'replied' && !isTooLong)
      return { failure: priced(failureOf(sent, model, spent), usages, model), spent };
    const body = sent.kind === 'replied' ? replyJson(sent.body) : undefined;
    usages.push(chargedOf(body));
    const discrepancies = discrepanciesOf(body, request.engines);
    if (discrepancies) return { discrepancies, costUsd: costOf(usages, model), spent: true };
  }
  return { failure: priced(errors.modelMalformed(MAX_REQUESTS), usages, model), spent: true };
}

/** Adds the cost to a failure of a run that has spent money. */
const priced = (failure: Refusal, usages: readonly Tokens[], model: ModelConfig): Refusal =>
  usages.length === 0 ? failure : { ...failure, extra: { cost_usd: costOf(usages, model) } };

/** The refusal for a failure. It never contains text of the endpoint, which might contain the key. */
function failureOf(
  sent: Exclude<Sent, { kind: 'replied' }>,
  { timeoutMs }: ModelConfig,
  spent: boolean,
): Refusal {
  if (sent.kind === 'lost' && sent.why === 'stopped') return errors.serverStopping(spent);
  if (sent.kind === 'lost' && sent.why === 'timeout') return errors.modelTimeout(timeoutMs / 1000, spent);
  const isRedirect = sent.kind === 'status' && sent.status < 400;
  return sent.kind === 'status' && !isRedirect
    ? errors.modelRefused(sent.status, spent)
    : errors.modelUnreachable(spent);
}

interface RunDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  readonly model: ModelConfig;
  /** Aborts the run, which then fails. */
  readonly stop: AbortSignal;
}

/** The longest time between the last reply of the model and the end of the run. */
const MARGIN_MS = 30_000;

/**
 * Runs the check and stores its result.
 * @throws RefusedError: another run was faster, or the model failed. Then the stored result is unchanged.
 */
async function meteredRun(deps: RunDeps, brand: Brand, request: CheckRequest): Promise<StoredFactCheck> {
  const { db, clock, log, model } = deps;
  const brandKey = brand.key;
  const holder = await claimSlot(db, brandKey, clock(), MAX_REQUESTS * model.timeoutMs + MARGIN_MS);
  let spent = false;
  try {
    const outcome = await compare(deps, request);
    spent = outcome.spent;
    if ('failure' in outcome) {
      log.warn({ brand: brand.id, spent, reason: outcome.failure.message }, 'fact check failed');
      throw refuse(outcome.failure);
    }
    const result = resultOf(outcome, request, clock());
    await storeFactCheck(db, { brandKey, ...result, discrepancies: JSON.stringify(result.discrepancies) });
    return result;
  } finally {
    await endFactCheckRun(db, { brandKey, holder, now: clock(), spent });
  }
}

const resultOf = (
  { discrepancies, costUsd }: Extract<Comparison, { costUsd: unknown }>,
  { engines, runs }: CheckRequest,
  now: Date,
): StoredFactCheck => ({
  checked_at: now.toISOString(),
  answers_checked: engines.length,
  cost_usd: costUsd,
  discrepancies: discrepancies.map((one) => ({ ...one, run_id: runs.get(one.engine) ?? null })),
});

/** The knowledge base of a brand; no row: it has none. */
const knowledgeOf = statement<{ text: string }, { brandKey: number }>(
  'knowledge_of',
  'select text from knowledge_bases where brand_key = :brandKey',
);

export interface FactChecks {
  /**
   * Runs the check, or returns the stored result if it is fresh and `force` is not set.
   * @throws RefusedError: no knowledge base, just ran, daily cap, no model, no answers, or the model failed.
   */
  run(brand: Brand, force: boolean): Promise<RunFactCheck>;
  /** Aborts running checks and releases their slots. */
  stop(): Promise<void>;
}

interface FactCheckDeps extends Pick<RunDeps, 'db' | 'clock' | 'log'> {
  /** Null: no model is configured. */
  readonly model: ModelConfig | null;
}

export function createFactChecks({ model, ...deps }: FactCheckDeps): FactChecks {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    run: (brand, force) => {
      const check = runOrCached({ ...deps, model, stop: stopping.signal }, brand, force);
      const settled = check.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
      return check;
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function runOrCached(
  { model, ...deps }: FactCheckDeps & Pick<RunDeps, 'stop'>,
  brand: Brand,
  force: boolean,
): Promise<RunFactCheck> {
  const { db, clock } = deps;
  const brandKey = brand.key;
  const [knowledge] = await knowledgeOf(db, { brandKey });
  if (!knowledge || knowledge.text.trim() === '') throw refuse(errors.noKnowledgeBase());
  const [cached] = await factCheckOf(db, { brandKey });
  const fresh = !force && cached && freshResult(brand, cached, clock());
  if (fresh) return fresh;
  await requireFreeSlot(db, brandKey, clock());
  if (!model) throw refuse(errors.noModel());
  const bindings = { brandKey, engines: blendedEngineIds, rows: FACT_CHECK_RUN.answers };
  const answers = await newestAnswers(db, bindings);
  if (answers.length === 0) throw refuse(errors.noAnswers());
  const request = checkRequest(brand, knowledge.text, answers);
  const result = await meteredRun({ ...deps, model }, brand, request);
  return {
    brand: brandRefOf(brand),
    ran: true,
    reason: null,
    cost_usd: result.cost_usd,
    fact_check: factCheckAt(result, clock()),
    ...noted([request.shortened.length > 0 && fact('shortened_answers', { answers: request.shortened })]),
  };
}

/** The response without a run; null: the stored result is stale. */
function freshResult(brand: Brand, cached: StoredFactCheck, now: Date): RunFactCheck | null {
  const fact_check = factCheckAt(cached, now);
  if (fact_check.stale) return null;
  return {
    brand: brandRefOf(brand),
    ran: false,
    reason: 'fresh_result',
    cost_usd: 0,
    fact_check,
    ...noted([fact('fresh_result')]),
  };
}
