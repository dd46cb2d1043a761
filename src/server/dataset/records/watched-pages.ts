/** Records of watched pages: tracked pages with their ranks, pages of the brand's site, discussion threads. */
import { z } from 'zod';
import { amount, id, name, optional, record, text, time } from './fields.js';

const rank = z.strictObject({ provider: name, metric: name, value: amount, fetched_at: time });
export const trackedPage = record('tracked_page', {
  brand: id,
  url: text,
  title: optional(text),
  added_at: optional(time),
  ranks: optional(z.array(rank)),
});

export const sitePage = record('site_page', {
  brand: id,
  url: text,
  status: z.int().min(0).max(999),
  bot_wall: optional(z.boolean()),
  ttfb_ms: optional(z.number().min(0)),
  checked_at: time,
});

export const communityThread = record('community_thread', {
  brand: id,
  url: text,
  title: optional(text),
  kind: optional(z.enum(['forum', 'video', 'qa'])),
  brand_in_thread: optional(z.boolean()),
  checked_at: optional(time),
});
