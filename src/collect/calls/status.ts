/** What an HTTP status other than 2xx means for a call. */

export type StatusMeaning =
  /** Wait, then send again: the call was not charged. */
  | { readonly kind: 'wait'; readonly reason: string }
  /** Not charged, and every other call of the target would get the same. */
  | { readonly kind: 'stop'; readonly reason: string }
  /** Not charged; other calls may be accepted. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The call failed, and may have been charged. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Codes of a used-up account, which waiting does not change. */
const NO_CREDIT = /"(?:code|type)"\s*:\s*"(?:insufficient_quota|billing_hard_limit_reached)"/;

const REASONS: Readonly<Record<number, string>> = {
  401: 'the key is not accepted',
  402: 'the account has no credit',
  403: 'the key may not do this',
  404: 'no such model or address',
};

/** Texts of the vendor are not shown: they may contain the key or the prompt. */
export function meaningOf(status: number, body: string): StatusMeaning {
  const named = `HTTP ${status}`;
  if (status === 429) {
    if (NO_CREDIT.test(body)) return { kind: 'stop', reason: `${named}: the account has no credit` };
    return { kind: 'wait', reason: `${named}: rate limit` };
  }
  if (status >= 300 && status < 400)
    return { kind: 'stop', reason: `${named}: the address redirects, which is not followed` };
  const known = REASONS[status];
  if (known) return { kind: 'stop', reason: `${named}: ${known}` };
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'rejected', reason: `${named}: the request is not accepted; check model and protocol` };
  return { kind: 'failed', reason: named };
}
