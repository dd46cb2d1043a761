/** The record of one collected answer, with its mentions, citations, carousels, ad and fan-out queries. */
import { z } from 'zod';
import { engines, findEngine } from '../../../contract/engines.js';
import { tones } from '../../../contract/reads/answers.js';
import { surfaces } from '../../../contract/surfaces.js';
import { amount, engine, id, name, optional, positive, text, time } from './fields.js';

const mention = z
  .strictObject({ name, order: positive, sentiment: optional(z.enum(tones)), evidence: optional(text) })
  .refine((value) => value.evidence == null || value.sentiment != null, {
    path: ['evidence'],
    error: 'expected no evidence where there is no sentiment',
  });

const citation = z.strictObject({ url: text, title: optional(text) });

const placement = z.strictObject({
  slot: positive,
  product: name,
  url: optional(text),
  merchant: optional(text),
  price: optional(text),
  price_amount: optional(amount),
  currency: optional(text),
  is_own: optional(z.boolean()),
});

const card = z.strictObject({
  title: optional(text),
  body: optional(text),
  target_url: optional(text),
  image_url: optional(text),
});

const ad = z.strictObject({
  advertiser: optional(text),
  advertiser_url: optional(text),
  favicon_url: optional(text),
  cards: optional(z.array(card)),
});

const idsWhere = (test: (entry: (typeof engines)[number]) => boolean): string =>
  engines
    .filter(test)
    .map((entry) => entry.id)
    .join(', ');

export const run = z
  .strictObject({
    type: z.literal('run'),
    id,
    brand: id,
    prompt: id,
    engine,
    model: optional(text),
    region: text,
    surface: optional(z.enum(surfaces)),
    collected_at: time,
    answer: optional(text),
    mentions: z.array(mention),
    citations: z.array(citation),
    carousels: optional(z.array(z.strictObject({ placements: z.array(placement) }))),
    ad: optional(ad),
    fanouts: optional(z.array(text)),
  })
  .refine((value) => !value.carousels?.length || findEngine(value.engine)?.shopping === 'parses-today', {
    path: ['carousels'],
    error: `expected none: only ${idsWhere((e) => e.shopping === 'parses-today')} carry product data`,
  })
  .refine((value) => value.ad == null || findEngine(value.engine)?.adsObservable === true, {
    path: ['ad'],
    error: `expected none: only ${idsWhere((e) => e.adsObservable)} states ads`,
  });

export type Run = z.infer<typeof run>;
