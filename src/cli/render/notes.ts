/** Words of tables for fields that the caveats of the API name. */
const words: { readonly [field: string]: string } = {
  sentiment_index: 'sentiment',
  ttfb_ms: 'the time to first byte',
};

/** A caveat of the API in the words of tables: it speaks of fields and of null, where a table has heads and `—`. */
export const inTableTerms = (note: string): string =>
  note
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (field) => words[field] ?? field)
    .replace(/\bnull means\b/g, '— means')
    .replace(/\b(is|are) null\b/g, '$1 not known')
    .replace(/\bthe zeros (?:here )?stand for\b/, '— stands for')
    .replace(' (tracked: false)', '')
    .replace('Ship logs to POST /api/v1/crawler-events.', 'Ship logs with `svc ingest`.');
