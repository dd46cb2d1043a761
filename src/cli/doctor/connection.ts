/** Checks from the settings to the data: profile, address, certificate, server, key, brands. */

import { statSync } from 'node:fs';
import { remedyText } from '../../contract/collection.js';
import { DAY_MS, utcDay } from '../../contract/days.js';
import { engineIds } from '../../contract/engines.js';
import { isLoopback } from '../../contract/paths.js';
import { printable } from '../../contract/printable.js';
import type { BrandEntry } from '../../contract/reads/brands.js';
import type { Crawlers } from '../../contract/reads/crawlers.js';
import type { Overview } from '../../contract/reads/overview.js';
import { API_VERSION, headers as names } from '../../contract/versions.js';
import { lastDays } from '../../contract/wording.js';
import { isSvcError, type SvcError } from '../../sdk/errors.js';
import { redactor } from '../../sdk/log.js';
import { metadataOf, type ResponseMetadata } from '../../sdk/response.js';
import { answerOf, failureOf } from '../../sdk/transport.js';
import { CommandError } from '../command-error.js';
import { fetchAs, fromServer, handshake } from '../connection/fetch.js';
import { profilesFile } from '../connection/folders.js';
import {
  checkedAddress,
  requiredKey,
  type SettingFlags,
  type Settings,
  settingsOf,
  sourceText,
} from '../connection/settings.js';
import { isRefusedAs } from '../failure/diagnosis.js';
import { brandsNamed, isUnknownKey, withSource } from '../failure/refusal.js';
import { counted, duration } from '../render/view.js';
import { type Check, failure, ok, warning } from './check.js';

/** Permissions of a file for its group and others. */
const OTHERS = 0o077;

/** The settings, or null with the failure of the check. */
export function checkSettings(
  flags: SettingFlags,
  env: NodeJS.ProcessEnv,
  folder: string,
): { settings: Settings | null; checks: Check[] } {
  try {
    const settings = settingsOf(flags, env, folder);
    const { profile, sources } = settings;
    const finding =
      profile === undefined ? 'No profile is in use.' : `Profile ${profile} (${sources.profile}).`;
    return { settings, checks: [privacyOf(folder) ?? ok('profile', finding)] };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { settings: null, checks: [failure('profile', error.message, error.hint ?? 'Correct it.')] };
  }
}

/** The warning for a file of keys that other users can read. */
function privacyOf(folder: string): Check | null {
  const file = profilesFile(folder);
  if (process.platform === 'win32') return null;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) === 0
    ? null
    : warning('profile', `Other users may read ${file}, which holds keys.`, `chmod 600 ${file}`);
}

/** Whether the address is valid, and https unless it is this machine. */
function checkAddress(settings: Settings): Check {
  const { sources } = settings;
  try {
    const { protocol, hostname, href } = new URL(checkedAddress(settings));
    const finding = `${href.replace(/\/$/, '')} (${sources.url}).`;
    return protocol === 'http:' && !isLoopback(hostname)
      ? warning(
          'address',
          `${finding} The key is sent without encryption.`,
          'Put a proxy with TLS in front, and use https.',
        )
      : ok('address', finding);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return failure('address', `${error.message}.`, 'Give an address as https://svc.example.com.');
  }
}

/** The response to one request, of any status. */
interface Answer extends ResponseMetadata {
  readonly status: number;
  readonly data: unknown;
  /** The failure of a status that is not 2xx; null: there is none. */
  readonly error: SvcError | null;
  /** The Date header, in ms since the epoch; null: not stated, or invalid. */
  readonly date: number | null;
  /** The clock of this machine before and after the request, in ms since the epoch. */
  readonly sent: number;
  readonly received: number;
}

/** @throws SvcError without a status if no response arrives, or one that is not from an svc server. */
type Ask = (path: string) => Promise<Answer>;

const TIMEOUT_MS = 15_000;

/** Requests to a server without pacing and retries, so that each check reports what happened. */
function requests(url: string, key: string | undefined, userAgent: string, signal: AbortSignal): Ask {
  const fetch = fromServer(fetchAs(userAgent));
  const redact = key === undefined ? (text: string) => text : redactor(key);
  const headers = { Accept: 'application/json', ...(key && { Authorization: `Bearer ${key}` }) };
  return async (path) => {
    const sent = Date.now();
    const ends = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const response = await fetch(url + path, { headers, signal: ends });
      const received = Date.now();
      const date = Date.parse(response.headers.get('Date') ?? '');
      const { data, error } = await answerOf(response, redact).then(
        (answer) => ({ data: answer.data, error: null }),
        (refusal: SvcError) => ({ data: null, error: refusal }),
      );
      const stated = { status: response.status, date: Number.isNaN(date) ? null : date };
      return { ...metadataOf(response.headers), ...stated, data, error, sent, received };
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error as Error, url, `No answer from ${url} within ${TIMEOUT_MS / 1000} s.`, redact);
    }
  };
}

const VERSION_HEADER = names.version;

/** The failure of settings without a key for the address; null: there is one. */
function checkHasKey(settings: Settings): Check | null {
  try {
    requiredKey(settings);
    return null;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return failure('key', error.message, error.hint ?? 'Store one with `svc login`.');
  }
}

/** The check of the key by the server's response. The server states an expiry only once it has passed. */
function checkKey({ status, keyKind, error }: Answer, settings: Settings): Check {
  const { sources } = settings;
  if (status === 401 && error !== null) {
    const { message, hint } = withSource(error, settings);
    const finding = isUnknownKey(error)
      ? `The server does not know the key (${sourceText(sources.key ?? '', sources)}).`
      : message;
    return failure('key', finding, hint ?? 'Store a valid key with `svc login`.');
  }
  const finding = `A key of kind ${keyKind ?? 'unknown'} from ${sources.key}.`;
  if (status === 403 && keyKind === 'ingest')
    return ok('key', `${finding} It ships crawler logs and may not read.`);
  if (status === 403)
    return failure('key', `${finding} ${error?.message}`, 'Ask the operator for a key of kind read or full.');
  if (keyKind === 'operator' && settings.profile !== undefined)
    return warning(
      'key',
      `${finding} It sees every workspace.`,
      'Make a key for daily use: svc admin keys create',
    );
  return ok('key', finding);
}

const TLS_TIMEOUT_MS = 10_000;
/** A certificate that ends sooner should have been renewed. */
const SOON_DAYS = 14;

/** Checks the certificate of an https address. Null: it is http, or no handshake took place. */
async function checkTls(url: string, now: number): Promise<Check | null> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return null;
  const socket = await handshake(hostname, Number(port || 443), TLS_TIMEOUT_MS);
  if (!socket) return null;
  const { valid_to: end } = socket.getPeerCertificate();
  const { authorized, authorizationError } = socket;
  const version = socket.getProtocol();
  socket.destroy();
  if (!authorized) return refused(String(authorizationError));
  const days = Math.floor((Date.parse(end) - now) / DAY_MS);
  const until = `${version}; the certificate is valid until ${utcDay(new Date(end))}`;
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    return warning(
      'tls',
      `${until}, but NODE_TLS_REJECT_UNAUTHORIZED=0 accepts any.`,
      'Unset NODE_TLS_REJECT_UNAUTHORIZED.',
    );
  return days < SOON_DAYS
    ? warning('tls', `${until}, ${counted(days, 'more day')}.`, 'Renew the certificate of the server.')
    : ok('tls', `${until}.`);
}

function refused(reason: string): Check {
  const remedy = /EXPIRED/.test(reason)
    ? 'Renew the certificate of the server, or correct the clock of this machine.'
    : /ALTNAME/.test(reason)
      ? 'Use an address that the certificate names.'
      : 'If you trust its issuer: NODE_EXTRA_CA_CERTS=issuer.pem in the environment of svc.';
  return failure('tls', `The certificate is refused (${reason}).`, remedy);
}

function checkApi({ status, error }: Answer): Check {
  if (isRefusedAs(error, 'apiDisabled'))
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
function checkVersion({ apiVersion }: Answer): Check {
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
function checkClock({ date, sent, received }: Answer): Check {
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
function checkRate({ rateLimit }: Answer): Check | null {
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

/** Brands whose data is checked. Each check takes a token. */
const MAX_BRANDS = 10;

async function* checkBrands(answer: Answer, settings: Settings, ask: Ask): AsyncGenerator<Check> {
  const brands = (answer.data as { brands?: BrandEntry[] } | null)?.brands ?? [];
  if (brands.length === 0) {
    yield failure('brands', 'The key sees no brand.', 'Import data: svc admin import (docs/dataset.md).');
    return;
  }
  const { brand, sources } = settings;
  const named = brand === undefined ? brands.slice(0, 1) : brandsNamed(brand, brands);
  if (named.length === 0) {
    yield failure(
      'brands',
      `The key does not see the brand ${printable(brand!)} (${sourceText(sources.brand ?? '', sources)}).`,
      '`svc brands` lists those that it sees.',
    );
    return;
  }
  const first = named[0]!;
  const ordered = [first, ...brands.filter(({ id }) => id !== first.id)];
  for (const each of ordered.slice(0, MAX_BRANDS))
    yield checkData(each, await ask(`${pathOf('overview', each)}&engine=${engineIds.join(',')}`));
  if (ordered.length > MAX_BRANDS)
    yield ok('brands', `${counted(ordered.length - MAX_BRANDS, 'more brand')} not checked.`);
  yield* checkRobots(first, await ask(pathOf('crawlers', first)));
}

const pathOf = (read: string, { id }: BrandEntry): string =>
  `/api/v1/${read}?brand=${encodeURIComponent(id)}`;

function checkData(entry: BrandEntry, { status, data, error }: Answer): Check {
  const { id, name, archived, collection_fault } = entry;
  const named = printable(`${name} (${id})`);
  if (collection_fault && (status === 404 || status === 200)) {
    const remedy = remedyText(collection_fault) ?? 'Look at the log of the server.';
    return warning('brands', `${named}: ${printable(collection_fault.reason)}`, remedy);
  }
  if (status === 404)
    return warning(
      'brands',
      `${named}: no answer was ever collected.`,
      'Collect: svc serve --plan svc.toml; or import data: svc admin import.',
    );
  if (status === 429)
    return warning('brands', `${named} was not checked: the rate limit is reached.`, 'Wait a minute.');
  if (status !== 200)
    return failure(
      'brands',
      `${named}: status ${status}, ${error?.message}`,
      'Look at the log of the server.',
    );
  const { run_count: runs } = data as Overview;
  if (runs > 0) return ok('brands', `${named}: ${counted(runs, 'answer')} in the ${lastDays}.`);
  return archived
    ? ok('brands', `${named} is archived.`)
    : warning('brands', `${named}: no answer in the ${lastDays}.`, 'Check that the collection runs.');
}

/** The fetch of robots.txt by the server. Nothing is reported if the plan has no crawler analytics. */
function* checkRobots({ domain }: BrandEntry, { status, data }: Answer): Generator<Check> {
  if (status !== 200) return;
  const { robots_fetch_state: state } = data as Crawlers;
  const file = `robots.txt of ${printable(domain)}`;
  if (state === 'ok') yield ok('robots', `The server fetches ${file}.`);
  else if (state === 'absent') yield ok('robots', `There is no ${file}, so nothing is disallowed.`);
  else
    yield warning(
      'robots',
      `The server cannot fetch ${file}.`,
      'Let the server connect to the site, and the site to its User-Agent svc.',
    );
}

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
