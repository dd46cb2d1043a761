/** What an HTTP status other than 2xx means for a call. */
import type { Endpoint } from '../plan/plan.js';
import type { Cause } from './cause.js';
import type { Clean } from './cleaner.js';
import { vendorMessage } from './vendor-message.js';

export interface StatusMeaning {
  /**
   * `wait`: the call was not charged, and may be sent again later. `stop`: not charged, and every other call of the
   * endpoint would get the same. `rejected`: not charged; other calls may be accepted. `failed`: it may have been charged.
   */
  readonly kind: 'wait' | 'stop' | 'rejected' | 'failed';
  readonly cause: Cause;
  readonly reason: string;
}

/** Codes of a used-up account, which waiting does not change. */
const NO_CREDIT = /"(?:code|type)"\s*:\s*"(?:insufficient_quota|billing_hard_limit_reached)"/;
/** Google and xAI refuse a key with 400, and Anthropic a call without credit. */
const WRONG_KEY = /"API_KEY_INVALID"|Incorrect API key provided/;
const LOW_CREDIT = /credit balance is too low/;

/** @param clean Removes the key from what the vendor says. */
export function meaningOf(
  status: number,
  body: string,
  { keyEnv }: Pick<Endpoint, 'keyEnv'>,
  clean: Clean,
): StatusMeaning {
  const message = vendorMessage(body, clean);
  const meaning = (kind: StatusMeaning['kind'], cause: Cause, reason: string | null): StatusMeaning => ({
    kind,
    cause,
    reason: `HTTP ${status}${reason === null ? '' : `: ${reason}`}${message === null ? '' : `: “${message}”`}`,
  });
  const key = keyEnv === null ? null : `the key in ${keyEnv}`;
  const wrongKey = () =>
    meaning('stop', 'key', key ? `${key} is not accepted` : 'a key is needed, and the plan has no key_env');
  const noCredit = () => meaning('stop', 'credit', 'the account has no credit');
  switch (status) {
    case 400:
      if (WRONG_KEY.test(body)) return wrongKey();
      if (LOW_CREDIT.test(body)) return noCredit();
      break;
    case 401:
      return wrongKey();
    case 402:
      return noCredit();
    case 403:
      return meaning('stop', 'rights', `${key ?? 'a call without a key'} may not do this`);
    case 404:
      return meaning('stop', 'request', 'no such model or address');
    case 429:
      return NO_CREDIT.test(body) ? noCredit() : meaning('wait', 'rate_limit', 'rate limit');
  }
  if (status >= 300 && status < 400)
    return meaning('stop', 'request', 'the address redirects, which is not followed');
  if (status >= 400 && status < 500 && status !== 408)
    return meaning('rejected', 'request', 'the request is not accepted');
  return meaning('failed', 'engine', null);
}
