/** Records of watched pages: tracked pages with their ranks, pages of the brand's site, discussion threads. */
import { z } from 'zod';
import { canonicalUrl } from '../../../answers/citations/canonical-url.js';
import { amount, isoTime, name, optional, text, time } from '../../../base/fields.js';
import { digest } from '../../../base/hashed-text.js';
import { field, inOrderOf, ofBrand, optionalTimestamp, pageUrl, recordType, timestamp } from './table.js';

const rank = z.strictObject({ provider: name, metric: name, value: amount, fetched_at: time });

export const trackedPage = recordType('tracked_page', {
  table: 'tracked_pages',
  key: ['url'],
  keeps: ['added_at'],
  fields: {
    brand: ofBrand,
    url: pageUrl,
    title: optional(text),
    added_at: optionalTimestamp,
    ranks: field(optional(z.array(rank)), {
      write: (ranks) => ranks.map((each) => ({ ...each, fetched_at: isoTime(each.fetched_at) })),
      read: inOrderOf(rank),
    }),
  },
  note: (_, brand) => {
    brand.tracksNewPages = true;
  },
});

export const sitePage = recordType('site_page', {
  table: 'site_pages',
  key: ['hash'],
  fields: {
    brand: ofBrand,
    url: field(text, { write: (url) => canonicalUrl(url).url }),
    status: z.int().min(0).max(999),
    bot_wall: field(optional(z.boolean()), { fallback: false }),
    ttfb_ms: optional(z.number().min(0)),
    checked_at: timestamp,
  },
  columns: ({ url }) => ({ hash: digest(canonicalUrl(url).url) }),
});

export const communityThread = recordType('community_thread', {
  table: 'community_threads',
  key: ['url'],
  fields: {
    brand: ofBrand,
    url: pageUrl,
    title: optional(text),
    kind: optional(z.enum(['forum', 'video', 'qa'])),
    brand_in_thread: optional(z.boolean()),
    checked_at: optionalTimestamp,
  },
});
