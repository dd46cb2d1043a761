/** Checks of the headers and the status of a response: version, API on or off, clock, rate limit. */
import { errors } from '../../contract/errors.js';
import { API_VERSION } from '../../contract/versions.js';
import { isRefusedAs } from '../failure/refused-as.js';
import { duration } from '../render/duration.js';
import { type Check, failure, ok, warning } from './check.js';
import { type Answer, VERSION_HEADER } from './request.js';

/** Whether the API answers at all. */
export function checkApi({ status, error }: Answer): Check {
  if (isRefusedAs(error, errors.apiDisabled()))
    return failure(
      'api',
      'The API is off: the server has no operator key.',
      'Start the server with API_ACCESS_KEY.',
    );
  if (status === 503)
    return failure(
      'api',
      `The server answers with status 503: ${error?.message}.`,
      'On its machine: svc doctor --server',
    );
  if (status >= 500)
    return failure(
      'api',
      `The server fails with status ${status}: ${error?.message}.`,
      'Look for the request id in its log.',
    );
  return ok('api', 'The API is on.');
}

/** Compares the versions of the API on both sides; they are dates. */
export function checkVersion({ apiVersion }: Answer): Check {
  if (apiVersion === null)
    return warning(
      'version',
      `The server does not state its version.`,
      `Let the proxy in front of it pass the header ${VERSION_HEADER}.`,
    );
  if (apiVersion === API_VERSION)
    return ok('version', `Server and command have the API version ${apiVersion}.`);
  const versions = `The server has the API version ${apiVersion}, this command ${API_VERSION}`;
  return apiVersion < API_VERSION
    ? warning('version', `${versions}: commands may miss fields.`, 'Upgrade the server.')
    : warning('version', `${versions}: newer fields are not shown.`, 'Upgrade svc.');
}

/** Differences up to this much are normal. */
const TOLERATED_MS = 10_000;

/** Compares the clocks. The Date header is cut to seconds, and the response was made while the request ran. */
export function checkClock({ date, sent, received }: Answer): Check {
  if (date === null) return ok('clock', 'The server states no time.');
  const ahead = Math.max(0, date - received) - Math.max(0, sent - (date + 1000));
  if (Math.abs(ahead) <= TOLERATED_MS) return ok('clock', 'The clocks of both machines agree.');
  return warning(
    'clock',
    `The server's clock is ${duration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine.`,
    'Synchronise both clocks (NTP): days, expiry of keys and pauses depend on them.',
  );
}

/** Fewer tokens than this are used up by a few commands. */
const FEW_TOKENS = 10;

/** The key's bucket. Null: the server does not know the key. */
export function checkRate({ rateLimit }: Answer): Check | null {
  if (rateLimit === null) return null;
  const { remaining, limit } = rateLimit;
  const finding = `${remaining} of ${limit} tokens are left.`;
  return remaining < FEW_TOKENS
    ? warning(
        'rate limit',
        `${finding} Another program uses the key.`,
        'Give each program a key of its own, or let it pause.',
      )
    : ok('rate limit', finding);
}
