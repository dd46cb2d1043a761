import { FACT_CHECK_RUN, FACT_CHECK_STALE_DAYS } from '../limits.js';
import { brand, type Param } from '../params.js';
import { brandRef, caveats } from '../read.js';
import { flag, type Infer, nullable, number, object, oneOf } from '../schema.js';
import { factCheckResult } from './fact-check.js';

/** The reasons why a call did not run a check. */
export const notRunReasons = ['fresh_result'] as const;

const force = {
  kind: 'boolean',
  description: `Run even though the cached result is younger than ${FACT_CHECK_STALE_DAYS} days`,
} as const satisfies Param;

/** The only tool that does not just read: it calls a language model, which costs money, and overwrites the cached result. */
export const runFactCheck = {
  tool: 'run_fact_check',
  follows: 'fact-check',
  summary: 'Run the fact check now: compare the newest answers with the brand’s own knowledge base',
  guide: `Check now what answers get wrong. It spends: roughly 0.01 to 0.02 USD for a language model; ask your user first. cost_usd null: unknown. Compares up to ${FACT_CHECK_RUN.answers} newest answers that name the brand with its knowledge base. A result younger than ${FACT_CHECK_STALE_DAYS} days is returned without a run unless force is true. At most ${FACT_CHECK_RUN.perDay} runs a UTC day, ${FACT_CHECK_RUN.pauseSeconds} seconds apart. May take two minutes, and goes on after a timeout: look at get_fact_check before you call again.`,
  needsRuns: false,
  params: { brand, force },
  response: object({
    brand: brandRef,
    ran: flag('Whether this call ran a check; false: the cached result was fresh and nothing was spent'),
    reason: nullable(oneOf(notRunReasons, 'Why nothing ran; null: a check ran')),
    cost_usd: nullable(number('What this call spent; 0 when nothing ran; null: unknown, not 0')),
    fact_check: object(factCheckResult.fields, 'The result in the slot, as get_fact_check returns it'),
    ...caveats,
  }),
} as const;

export type RunFactCheck = Infer<typeof runFactCheck.response>;
