/** Runs fact checks, after checking the preconditions in order. */

import { blendedEngineIds } from '../../contract/engines.js';
import { errors } from '../../contract/errors.js';
import { FACT_CHECK_RUN } from '../../contract/limits.js';
import { sentence } from '../../contract/notes.js';
import type { RunFactCheck } from '../../contract/reads/run-fact-check.js';
import type { Brand } from '../accounts/access.js';
import { refuse } from '../errors.js';
import { factCheckAt, factCheckOf, type StoredFactCheck } from '../reads/fact-check.js';
import { brandRefOf } from '../reads/reader.js';
import { statement } from '../statement.js';
import { checkRequest, newestAnswers } from './check-request.js';
import { meteredRun, type RunSurroundings } from './metered-run.js';
import type { ModelConfig } from './model-config.js';
import { requireFreeSlot } from './slot.js';

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

interface Surroundings extends Pick<RunSurroundings, 'db' | 'clock' | 'log'> {
  /** Null: no model is configured. */
  readonly model: ModelConfig | null;
}

export function createFactChecks({ model, ...around }: Surroundings): FactChecks {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    run: (brand, force) => {
      const check = runOrCached({ ...around, model, stop: stopping.signal }, brand, force);
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
  { model, ...around }: Surroundings & Pick<RunSurroundings, 'stop'>,
  brand: Brand,
  force: boolean,
): Promise<RunFactCheck> {
  const { db, clock } = around;
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
  const result = await meteredRun({ ...around, model }, brand, request);
  return {
    brand: brandRefOf(brand),
    ran: true,
    reason: null,
    cost_usd: result.cost_usd,
    fact_check: factCheckAt(result, clock()),
    note: noteOn(request.shortened),
  };
}

/** The response without a run; null: the stored result is stale. */
function freshResult(brand: Brand, cached: StoredFactCheck, now: Date): RunFactCheck | null {
  const fact_check = factCheckAt(cached, now);
  if (fact_check.stale) return null;
  const note = sentence('freshResult');
  return { brand: brandRefOf(brand), ran: false, reason: 'fresh_result', cost_usd: 0, fact_check, note };
}

const noteOn = (shortened: readonly string[]): string | null =>
  shortened.length === 0 ? null : sentence('shortenedAnswers', { answers: shortened.join(', ') });
