import { engineIds } from '../engines.js';
import { FACT_CHECK_STALE_DAYS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';

export const severities = ['high', 'medium', 'low'] as const;

export const discrepancy = part('A claim of an engine that the knowledge base contradicts', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  claim: text('What the engine said'),
  truth: text('What the knowledge base says'),
  severity: oneOf(severities, 'How much it matters'),
  run_id: nullable(text('Id of the compared answer; null: not stated, or the answer is not kept')),
});

export const factCheckResult = part('The result of a fact check', {
  checked_at: text('When the check ran, as stored'),
  answers_checked: count('Answers compared: the newest per engine that mention the brand', {
    what: 'The answers that were compared with the knowledge base.',
    formula: 'the newest answer per engine that mentions the brand',
    unit: 'answers',
    empty: '0: no answer was compared; fact_check null: never checked',
  }),
  stale: flag(`The result is ${FACT_CHECK_STALE_DAYS} or more days old`),
  age_days: nullable(
    count('Whole days since the check; null: the stored stamp is unreadable', {
      what: 'The age of the result.',
      formula: 'whole days from checked_at to the request',
      unit: 'days',
      empty: 'null: the stored time is unreadable',
    }),
  ),
  stale_after_days: count(`Always ${FACT_CHECK_STALE_DAYS}`, {
    what: 'The age from which a result is stale.',
    formula: `always ${FACT_CHECK_STALE_DAYS}`,
    unit: 'days',
    empty: 'never null',
  }),
  cost_usd: nullable(
    number('What the check cost; null: unknown, not 0', {
      what: 'What the check cost.',
      formula: 'tokens of all its requests × the prices of the model',
      unit: 'USD',
      scale: '0 and up',
      rounding: '0.00000001',
      empty: 'null: tokens or prices are unknown, which is not 0',
    }),
  ),
  discrepancies: list(discrepancy, 'Empty: the checked answers matched the knowledge base'),
});

export const factCheck = defineRead({
  path: 'fact-check',
  tool: 'get_fact_check',
  group: 'fact-check',
  mainRows: { at: ['fact_check', 'discrepancies'] },
  summary: 'The last comparison of answers with the brand’s own knowledge base',
  sdkNote: '`fact_check` null means never checked.',
  guide: `What do answers get wrong about the brand, by its own knowledge base? The cached result, free to read. fact_check null: never checked; no discrepancies: the checked answers matched; stale from ${FACT_CHECK_STALE_DAYS} days on.`,
  needsRuns: false,
  params: { brand },
  response: object({
    brand: brandRef,
    fact_check: nullable(object(factCheckResult.fields, 'The last result; null: never checked')),
    ...caveats,
  }),
});

export type Discrepancy = Infer<typeof discrepancy>;
export type FactCheck = Infer<typeof factCheck.response>;
