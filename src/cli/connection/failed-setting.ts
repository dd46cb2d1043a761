import { errorCode, errors } from '../../contract/errors.js';
import { checkedUrl } from '../../sdk/options.js';
import { AddressError, CommandError } from '../failure/command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { isRefusedAs } from '../failure/refused-as.js';
import { meantEngine, placesIn, type TypedParameter } from '../failure/typed-parameters.js';
import { isDemoProfile } from './profiles.js';
import { type Settings, type Source, TYPED_KEY, TYPED_URL } from './settings.js';

const PROFILE = /^profile (.+)$/;

/** The command that stores a key under that profile. */
const loginAs = (name: string, more = ''): string =>
  isDemoProfile(name) ? '`svc demo`, which stores a new one' : `\`svc login${more} --profile ${name}\``;

/**
 * The key of the settings.
 * @throws CommandError `authentication` when there is no key, or when it belongs to another server.
 */
export function requiredKey({ url, key, profile, otherOrigin, sources }: Settings): string {
  if (key) return key;
  const ways = 'set SVC_API_KEY or --key-file';
  if (otherOrigin === undefined) {
    throw new CommandError('authentication', `No API key for ${url} (${sources.url}).`, {
      hint: `Store one with \`svc login\`, or ${ways}.`,
    });
  }
  throw new CommandError(
    'authentication',
    `The key of profile ${profile} is for ${otherOrigin} and is not sent to ${url} (${sources.url}).`,
    { hint: `Store a key with \`svc login --url ${url} --profile NAME\` and use that profile, or ${ways}.` },
  );
}

/**
 * The address of the settings, as a client expects it.
 * @throws CommandError `usage` for an invalid address; the message omits one that may contain a password.
 */
export function checkedAddress({ url, sources }: Settings): string {
  try {
    return checkedUrl(url);
  } catch {
    const shown = /[@?#]/.test(url) ? '' : `: ${url}`;
    throw new CommandError(
      'usage',
      `The address${sources.url === TYPED_URL ? '' : ` from ${sources.url}`} is not an http or https address, without a user or query${shown}`,
    );
  }
}

/**
 * A failure of a request, with the place of the refused value: the source of the key or the address, the flag of a parameter.
 * @param typed The parameters of the command line.
 */
export function withSource(
  error: unknown,
  { url, sources }: Settings,
  typed: readonly TypedParameter[] = [],
): CommandError {
  const failure = commandErrorOf(error);
  const { kind, status, refusal, retryable } = failure;
  const message =
    (status === 400 ? placesIn(failure.message, typed) : '') +
    (isUnknownKey(failure) ? unknownKey(url, sources.key) : failure.message) +
    (failure.refusal === errorCode('unknownEngine') ? meantEngine(typed) : '');
  if (error instanceof AddressError) {
    const place = sources.url === TYPED_URL ? '' : ` The address comes from ${placeOf(sources.url)}.`;
    return new CommandError(kind, message + place, {
      hint: error.remedy && remedyAt(sources.url, error.remedy),
    });
  }
  const hint = () => {
    if (status === 401 && sources.key !== null) return keyRemedy(sources.key);
    if (kind === 'network' && status === null && sources.url === TYPED_URL)
      return `Nothing was stored. Is the server running at ${url}?`;
    if (kind === 'network' && status === null)
      return `The address ${url} comes from ${placeOf(sources.url)}. Is the server running there?`;
    if (isRefusedAs(failure, errors.noBrands()))
      return 'Import data with `svc admin import`; docs/dataset.md.';
    return failure.hint;
  };
  return new CommandError(kind, message, { status, refusal, retryable, hint: hint() });
}

const placeOf = (source: Source): string => (source === 'default' ? 'no setting: it is the default' : source);

/** Whether the server does not know the key: there it is `Unauthorized`. */
export const isUnknownKey = (error: unknown): boolean => isRefusedAs(error, errors.unauthorized());

/** The sentence for a key that the server does not know. */
const unknownKey = (url: string, source: Source | null): string =>
  `${url} does not know the key${source === null || source === TYPED_KEY ? '' : ` from ${source}`}: it was revoked, or is of another server, or is not whole.`;

/** What to do about a key that is refused, by the place that it comes from. */
function keyRemedy(source: Source): string {
  const [, name] = PROFILE.exec(source) ?? [];
  if (name !== undefined) return `Replace it with ${loginAs(name)}, or set SVC_API_KEY.`;
  if (source === TYPED_KEY) return `Nothing was stored. ${NEW_KEY}`;
  return source === 'SVC_API_KEY'
    ? `Set another key, or unset it to use that of a profile. ${NEW_KEY}`
    : NEW_KEY;
}

const NEW_KEY = 'The operator of the server makes a key with `svc admin keys create`.';

/** How to replace the address at its source. */
function remedyAt(source: Source, address: string): string {
  const [, name] = PROFILE.exec(source) ?? [];
  if (name !== undefined) return `If that is your server: ${loginAs(name, ` --url ${address}`)}`;
  return `If that is your server: ${source === 'SVC_URL' ? `SVC_URL=${address}` : `--url ${address}`}`;
}
