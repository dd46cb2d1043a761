/** Date of the newest additive change; CHANGELOG.md lists each date. */
export const API_VERSION = '2026-11-28';
/** Bumped by any change to how a metric is computed. */
export const METRICS_VERSION = 1;

/** The headers that describe a response. */
export const headers = {
  version: 'X-SVC-API-Version',
  keyKind: 'X-SVC-Key-Kind',
  requestId: 'X-Request-Id',
  rateLimit: 'X-RateLimit-Limit',
  rateRemaining: 'X-RateLimit-Remaining',
  rateReset: 'X-RateLimit-Reset',
  retryAfter: 'Retry-After',
  link: 'Link',
} as const;
