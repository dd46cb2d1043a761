import { readFileSync } from 'node:fs';
import { MCP_PATH } from '../../contract/mcp.js';
import { isLoopback } from '../../contract/paths.js';
import { checkedUrl } from '../../sdk/options.js';
import { CommandError } from '../command-error.js';
import { suggestion } from '../suggestion.js';
import {
  currentProfile,
  type Profile,
  type Profiles,
  profileNamed,
  readProfiles,
  sameOrigin,
} from './profiles.js';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The source of a value, as shown to users: `--url`, `SVC_URL`, `profile work`, `default`. */
export type SettingSource = string;

/** The sources of the values of `Settings`; null: there is no value. */
export interface SettingSources {
  readonly url: SettingSource;
  readonly key: SettingSource | null;
  readonly brand: SettingSource | null;
  readonly profile: SettingSource | null;
}

const PROFILE = /^profile (.+)$/;

/** The name of the profile that a value comes from; undefined: it comes from elsewhere. */
export const profileOf = (source: SettingSource): string | undefined => PROFILE.exec(source)?.[1];

/** A source as errors name it: of a profile also how it was chosen. */
export const sourceText = (source: SettingSource, { profile }: Pick<SettingSources, 'profile'>): string =>
  profile === null || profileOf(source) === undefined
    ? source
    : `${source}, ${profile === 'default' ? 'the current one' : `chosen by ${profile}`}`;

/** The server that a command connects to, and its key and brand. */
export interface Settings {
  readonly url: string;
  /** The key for `url`; undefined: there is no key, or it is that of a profile for another origin. */
  readonly key: string | undefined;
  readonly brand: string | undefined;
  /** The profile in use; undefined: it is not stored. */
  readonly profile: string | undefined;
  readonly sources: SettingSources;
  /** The origin of the profile, if it differs from that of `url`: the profile's key is not sent to `url`. */
  readonly otherOrigin: string | undefined;
}

export interface SettingFlags {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly brand?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

type Setting = readonly [value: string, source: SettingSource];

/**
 * Each value from the first source that has one: flag, environment, profile, default. Empty variables count as unset.
 * Key and brand of a profile are used for the origin of that profile only. The brand of
 * one that is only the current one is not used if address and key come from elsewhere.
 * @param folder The configuration folder.
 * @throws CommandError `usage` for a profile or a key file that does not exist.
 */
export function settingsOf(flags: SettingFlags, env: Environment, folder: string): Settings {
  const stored = readProfiles(folder);
  const [name, named] = wantedProfile(flags, env, stored);
  const profile: Partial<Profile> = storedProfile(stored, name, named) ?? {};
  const kept = `profile ${name}`;
  const [url, urlSource] = first(
    [flags.url, '--url'],
    [env.SVC_URL, 'SVC_URL'],
    [profile.url, kept],
    [DEFAULT_URL, 'default'],
  ) as Setting;
  const address = serverAddress(url);
  const isElsewhere = profile.url !== undefined && !sameOrigin(address, serverAddress(profile.url));
  const key = first(
    [keyOfFile(flags['key-file']), '--key-file'],
    [env.SVC_API_KEY?.trim(), 'SVC_API_KEY'],
    [isElsewhere ? undefined : profile.key, kept],
  );
  const isOfProfile = !isElsewhere && (named !== undefined || [urlSource, key?.[1]].includes(kept));
  const brand = first(
    [flags.brand, '--brand'],
    [env.SVC_BRAND, 'SVC_BRAND'],
    [isOfProfile ? profile.brand : undefined, kept],
  );
  return {
    url: address,
    key: key?.[0],
    brand: brand?.[0],
    profile: name,
    sources: {
      url: urlSource,
      key: key?.[1] ?? null,
      brand: brand?.[1] ?? null,
      profile: name === undefined ? null : (named ?? 'default'),
    },
    otherOrigin: isElsewhere && profile.key !== undefined ? originOf(profile.url!) : undefined,
  };
}

/** The sources of an address and a key that the user typed, or piped in. */
export const TYPED_URL: SettingSource = 'the address given';
export const TYPED_KEY: SettingSource = 'the key given';

export const typedSettings = (url: string, key: string): Settings => ({
  url: serverAddress(url),
  key,
  brand: undefined,
  profile: undefined,
  sources: { url: TYPED_URL, key: TYPED_KEY, brand: null, profile: null },
  otherOrigin: undefined,
});

/** The name of the selected profile, which need not be stored; undefined: none is named and none is current. */
export const profileName = (flags: SettingFlags, env: Environment, stored: Profiles): string | undefined =>
  wantedProfile(flags, env, stored)[0];

const first = (...places: readonly (readonly [string | undefined, SettingSource])[]): Setting | undefined =>
  places.find((place): place is Setting => Boolean(place[0]));

/** The profile's name, and the flag or variable that names it. */
function wantedProfile(
  flags: SettingFlags,
  env: Environment,
  stored: Profiles,
): [name: string | undefined, named: SettingSource | undefined] {
  const named = first([flags.profile, '--profile'], [env.SVC_PROFILE, 'SVC_PROFILE']);
  return named ? [...named] : [currentProfile(stored), undefined];
}

function storedProfile(
  stored: Profiles,
  name: string | undefined,
  named: SettingSource | undefined,
): Profile | undefined {
  if (name === undefined) return undefined;
  const found = profileNamed(stored, name);
  if (found || !named) return found;
  throw new CommandError(
    'usage',
    `No profile ${name} is stored (${named}).${suggestion(name, Object.keys(stored.profiles))}`,
    { hint: `Store it with \`svc login --profile ${name}\`.` },
  );
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** Reads a key from a file, without the white space around it. @param flag That names the file. */
export function keyOfFile(path: string | undefined, flag = 'key-file'): string | undefined {
  if (!path) return undefined;
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `--${flag}: ${path} cannot be read (${code ?? 'unknown reason'}).`);
  }
  if (key === '') throw new CommandError('usage', `--${flag}: ${path} is empty.`);
  return key;
}

/** Hosts of this machine, where a server usually uses http. */
const isThisMachine = (host: string): boolean => isLoopback(host.toLowerCase()) || host === '0.0.0.0';
/** `host`, `host:port`, `[::1]:port` and a path: an address without its scheme. */
const WITHOUT_SCHEME = /^((?:[\w-]+\.)*[\w-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/.*)?$/i;
/** The end of an address that was copied from a request. */
const ENDPOINT = new RegExp(`/api/v1(?:/.*)?$|${MCP_PATH}/?$`);

/**
 * The server's address with a scheme (http on this machine, else https) and without the path of an endpoint. Any other text
 * is returned unchanged.
 */
export function serverAddress(typed: string): string {
  const text = typed.trim();
  const [, host] = WITHOUT_SCHEME.exec(text) ?? [];
  const whole = host === undefined ? text : `${isThisMachine(host) ? 'http' : 'https'}://${text}`;
  if (!/^https?:\/\//i.test(whole) || /[?#]/.test(whole)) return whole;
  return whole.replace(ENDPOINT, '').replace(/(?<=[^/:])\/+$/, '');
}

/** The server's address in the target of a redirect. */
export const addressBehind = (url: URL): string => serverAddress(url.origin + url.pathname);

/**
 * The key of the settings.
 * @throws CommandError `authentication` when there is no key, or when it belongs to another server.
 */
export function requiredKey({ url, key, profile, otherOrigin, sources }: Settings): string {
  if (key) return key;
  const ways = 'set SVC_API_KEY or --key-file';
  if (otherOrigin === undefined) {
    throw new CommandError('authentication', `No API key for ${url} (${sourceText(sources.url, sources)}).`, {
      hint: `Store one with \`svc login\`, or ${ways}.`,
    });
  }
  throw new CommandError(
    'authentication',
    `The key of ${sourceText(`profile ${profile}`, sources)}, is for ${otherOrigin} and is not sent to ${url} (${sourceText(sources.url, sources)}).`,
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
    const address = /[@?#]/.test(url) ? '' : `: ${url}`;
    throw new CommandError(
      'usage',
      `The address${sources.url === TYPED_URL ? '' : ` from ${sourceText(sources.url, sources)}`} is not an http or https address, without a user or query${address}`,
    );
  }
}
