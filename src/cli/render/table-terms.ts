import { STATISTICS_READ } from '../../contract/slice.js';

/** Terms of tables for fields that notes of the API name. */
const terms: { readonly [field: string]: string } = {
  sentiment_index: 'sentiment',
  ttfb_ms: 'the time to first byte',
};

/** Replaces field names and null in a note of the API by the heads and the `—` of tables. */
export const inTableTerms = (note: string): string =>
  note
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (field) => terms[field] ?? field)
    .replace(/\bnull means\b/g, '— means')
    .replace(/\b(is|are) null\b/g, '$1 not known')
    .replace(/\bthe zeros (?:here )?stand for\b/, '— stands for')
    .replace(STATISTICS_READ, '`svc history` with the same --from and --to')
    .replace(' (tracked: false)', '')
    .replace('Ship logs to POST /api/v1/crawler-events.', 'Ship logs with `svc ingest`.');
