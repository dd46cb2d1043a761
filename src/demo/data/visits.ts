/** Generates the visits of users to the brand's site, as its tracking snippet counts them. */
import type { RecordOf } from '../../server/dataset/records/index.js';
import { dateText } from './calendar.js';
import { randomOf } from './random.js';

interface Origin {
  readonly ai_source?: string;
  /** The share of this source in the visits of a page. */
  readonly share: number;
}

const pages: readonly { readonly path: string; readonly daily: number }[] = [
  { path: '/', daily: 420 },
  { path: '/products/arco', daily: 260 },
  { path: '/products/piccola', daily: 190 },
  { path: '/compare/arco-vs-lanzaro-primo', daily: 120 },
  { path: '/guides/how-to-descale', daily: 110 },
  { path: '/guides/how-to-dial-in-espresso', daily: 95 },
  { path: '/products/arco-duo', daily: 80 },
  { path: '/support/warranty', daily: 35 },
];
const origins: readonly Origin[] = [
  { share: 0.86 },
  { ai_source: 'chatgpt.com', share: 0.07 },
  { ai_source: 'perplexity.ai', share: 0.03 },
  { ai_source: 'gemini.google.com', share: 0.02 },
  { ai_source: 'copilot.microsoft.com', share: 0.01 },
  { ai_source: 'claude.ai', share: 0.01 },
];
/** The last entry is for visits from an unknown country. */
const countries: readonly { readonly country?: string; readonly share: number }[] = [
  { country: 'US', share: 0.52 },
  { country: 'GB', share: 0.24 },
  { country: 'DE', share: 0.16 },
  { country: 'CA', share: 0.05 },
  { share: 0.03 },
];

/**
 * The visits of a day by page, AI source and country, without combinations that have no visit.
 * `elapsed` is the elapsed part of the day, 0 to 1.
 */
export function* visitDay(brand: string, day: number, elapsed: number): Generator<RecordOf<'visit_day'>> {
  const date = dateText(day);
  const random = randomOf(brand, date, 'visits');
  for (const { path, daily } of pages) {
    for (const { share, ...source } of origins) {
      for (const { share: part, ...place } of countries) {
        const visits = Math.round(daily * elapsed * share * part * (0.6 + 0.8 * random.next()));
        if (visits > 0) yield { type: 'visit_day', brand, date, path, visits, ...source, ...place };
      }
    }
  }
}
