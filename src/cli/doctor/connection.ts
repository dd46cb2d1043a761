import { isSvcError } from '../../sdk/errors.js';
import { withSource } from '../connection/failed-setting.js';
import type { Settings } from '../connection/settings.js';
import { checkBrands } from './brands.js';
import { type Check, failure, ok } from './check.js';
import { checkHasKey, checkKey } from './key.js';
import { type Answer, type Ask, requests } from './request.js';
import { checkApi, checkClock, checkRate, checkVersion } from './server-state.js';
import { checkAddress } from './settings.js';
import { checkTls } from './tls.js';

/** From the address to the data: each check needs those before it, so the first failure of a kind ends the list. */
export async function* checkConnection(
  settings: Settings,
  userAgent: string,
  signal: AbortSignal,
): AsyncGenerator<Check> {
  const address = checkAddress(settings);
  yield address;
  if (address.status === 'failure') return;
  const tls = await checkTls(settings.url, Date.now());
  if (tls) yield tls;
  if (tls?.status === 'failure') return;
  const ask = requests(settings.url.replace(/\/+$/, ''), settings.key, userAgent, signal);
  const first = await reached(ask, settings);
  if ('check' in first) return yield first.check;
  const { answer } = first;
  yield ok('connection', 'An svc server answers.');
  yield checkVersion(answer);
  yield checkClock(answer);
  const api = checkApi(answer);
  yield api;
  if (api.status === 'failure') return;
  const missing = checkHasKey(settings);
  if (missing) return yield missing;
  const key = checkKey(answer, settings);
  yield key;
  const rate = checkRate(answer);
  if (rate) yield rate;
  if (key.status !== 'failure' && answer.keyKind !== 'ingest' && answer.status !== 429)
    yield* checkBrands(answer, settings, ask);
}

/** The response to the list of brands, which every key that reads may request. */
async function reached(ask: Ask, settings: Settings): Promise<{ answer: Answer } | { check: Check }> {
  try {
    return { answer: await ask('/api/v1/brands') };
  } catch (error) {
    if (!isSvcError(error)) throw error;
    const { message, hint } = withSource(error, settings);
    const remedy = hint ?? 'Correct the address, or start the server there.';
    return { check: failure('connection', message, remedy) };
  }
}
