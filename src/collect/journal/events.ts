/** The lines of a journal. An attempt is on disk before its request is sent, its outcome before anything else happens. */
import { z } from 'zod';
import { nonAnswers } from '../../contract/surfaces.js';
import type { Usage } from '../protocols/protocol.js';

/** A run takes up to two calls: to the engine, and to the model that finds names in the answer. */
export const steps = ['ask', 'extract'] as const;
export type Step = (typeof steps)[number];

/**
 * `answered`, and the non-answers: paid. `not_charged`: provably not. `failed`, `lost`: the engine may have charged for it.
 */
export const outcomes = ['answered', ...nonAnswers, 'not_charged', 'failed', 'lost'] as const;
export type Outcome = (typeof outcomes)[number];

const usage = z.object({
  input: z.number().nullable(),
  output: z.number().nullable(),
  searches: z.number().nullable(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<Usage>;

const answer = z.object({
  text: z.string(),
  model: z.string().nullable(),
  citations: z.array(z.object({ url: z.string(), title: z.string().exactOptional() })).readonly(),
  fanouts: z.array(z.string()).readonly(),
});

const header = z.object({ event: z.literal('journal'), version: z.literal(1), brand: z.string() });
const attempt = z.object({
  event: z.literal('attempt'),
  /** Counts from 1 in each journal. */
  call: z.int(),
  run: z.string(),
  step: z.enum(steps),
  /** `kindId` of the call. */
  kind: z.string(),
  at: z.string(),
  /** What the call may cost, as far as it was known before. */
  reserved_usd: z.number().nullable(),
});
const outcome = z.object({
  event: z.literal('outcome'),
  call: z.int(),
  outcome: z.enum(outcomes),
  at: z.string(),
  detail: z.string().nullable(),
  usage: usage.nullable(),
  cost_usd: z.number().nullable(),
  /** Of the step `ask`: the answer. */
  answer: answer.nullable(),
  /** Of the step `extract`: the text of the reply. */
  reply: z.string().nullable(),
});

export const journalEvent = z.discriminatedUnion('event', [header, attempt, outcome]);
export type JournalEvent = z.infer<typeof journalEvent>;
export type Attempt = z.infer<typeof attempt>;
export type AttemptOutcome = z.infer<typeof outcome>;
