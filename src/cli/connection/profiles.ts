import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.js';
import { profilesFile } from './folders.js';
import { replaceFile } from './replace-file.js';

/** A server as the user stored it. */
export interface Profile {
  readonly url: string;
  readonly key?: string | undefined;
  readonly brand?: string | undefined;
  /** Made by `svc demo`, which may replace it. */
  readonly demo?: boolean | undefined;
}

/** The content of the profiles file. */
export interface Profiles {
  /** The profile that the user logged in to last, or chose: see `currentProfile`. */
  readonly default?: string | undefined;
  readonly profiles: { readonly [name: string]: Profile };
}

export const DEMO_PROFILE = 'demo';

/** Whether a name is reserved for the demo, which uses `demo-2` if `demo` is another server's profile. */
export const isDemoProfile = (name: string): boolean => /^demo(?:-\d+)?$/.test(name);

/**
 * @param folder The configuration folder, which need not exist.
 * @throws CommandError `usage` when the file cannot be read or is not a valid profiles file.
 */
export function readProfiles(folder: string): Profiles {
  const path = profilesFile(folder);
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isProfiles(content)) return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
  }
  throw new CommandError('usage', `${path} cannot be read as profiles. Repair or delete it.`);
}

/** The stored profile of that name; undefined: it does not exist. */
export const profileNamed = ({ profiles }: Profiles, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

/**
 * The profile that is used when none is named: the one that the user logged in to last or chose, else one of the demo if there
 * is no other.
 */
export function currentProfile(stored: Profiles): string | undefined {
  const chosen = stored.default;
  if (chosen !== undefined && profileNamed(stored, chosen)) return chosen;
  const names = Object.keys(stored.profiles);
  return names.every((name) => stored.profiles[name]!.demo) ? names[0] : undefined;
}

/**
 * The name under which `svc login` stores the key of a server: the current profile if it is of that server, else the host, with its
 * port if the name is in use for another server.
 */
export function nameForServer(stored: Profiles, url: string): string {
  const isOf = (name: string) => sameOrigin(stored.profiles[name]!.url, url);
  const current = currentProfile(stored);
  if (current !== undefined && !isDemoProfile(current) && isOf(current)) return current;
  const { hostname, port, protocol } = new URL(url);
  const host = hostName(hostname);
  const withPort = `${host}-${port || (protocol === 'https:' ? 443 : 80)}`;
  for (let number = 0; ; number++) {
    const name = [host, withPort][number] ?? `${withPort}-${number}`;
    if (!profileNamed(stored, name) || isOf(name)) return name;
  }
}

/** The name of a further profile of the server of that one, which has another brand. */
export const nameBeside = (name: string, brand: string): string =>
  `${name}-${brand.replace(/[^\w.-]+/g, '-')}`.slice(0, MAX_NAME_LENGTH);

/** A host in the characters of a name, which is none of the demo's: `ipv6-1` for `[::1]`. */
function hostName(host: string): string {
  const plain = host.replace(/^\[:*/, 'ipv6-').replace(/[^\w.]+/g, '-');
  const name = plain.slice(0, MAX_NAME_LENGTH - PORT_LENGTH).replace(/-$/, '');
  return isDemoProfile(name) ? `host-${name}` : name;
}

/**
 * Stores a profile, in a file that only its owner can read.
 * @param isCurrent Whether it becomes the one that is used when none is named.
 */
export function saveProfile(folder: string, name: string, profile: Profile, isCurrent: boolean): void {
  checkName(name);
  const stored = readProfiles(folder);
  write(folder, {
    default: isCurrent ? name : stored.default,
    profiles: { ...stored.profiles, [name]: profile },
  });
}

/** Makes a stored profile the one that is used when none is named. */
export function makeCurrent(folder: string, name: string): void {
  write(folder, { ...readProfiles(folder), default: name });
}

/** Removes a profile; false: it did not exist. */
export function removeProfile(folder: string, name: string): boolean {
  const stored = readProfiles(folder);
  if (!profileNamed(stored, name)) return false;
  const { [name]: _, ...profiles } = stored.profiles;
  write(folder, { default: stored.default === name ? undefined : stored.default, profiles });
  return true;
}

const MAX_NAME_LENGTH = 64;
/** Room for `-65535-99` behind a host. */
const PORT_LENGTH = 9;

/** @throws CommandError `usage` for a name with other characters, or of more than 64. */
export function checkName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]*$/.test(name) && name.length <= MAX_NAME_LENGTH) return;
  throw new CommandError('usage', 'A profile name has letters, digits, and - _ . inside.');
}

/** Whether two addresses have the same scheme, host and port. */
export const sameOrigin = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;

const write = (folder: string, content: Profiles): void =>
  replaceFile(profilesFile(folder), `${JSON.stringify(content, null, 2)}\n`);

function isProfiles(content: unknown): content is Profiles {
  const { default: named, profiles } = (content ?? {}) as { default?: unknown; profiles?: unknown };
  if (named !== undefined && typeof named !== 'string') return false;
  if (typeof profiles !== 'object' || profiles === null || Array.isArray(profiles)) return false;
  return Object.values(profiles).every(isProfile);
}

function isProfile(content: unknown): content is Profile {
  if (typeof content !== 'object' || content === null) return false;
  const { url, key, brand } = content as { [field: string]: unknown };
  return (
    typeof url === 'string' && [key, brand].every((text) => text === undefined || typeof text === 'string')
  );
}

/** The keys that earlier starts of the demo may have stored, the most likely first. */
export const rememberedKeys = ({ profiles }: Profiles): string[] =>
  Object.keys(profiles)
    .filter(isDemoProfile)
    .sort()
    .flatMap((name) => profiles[name]?.key ?? []);

/**
 * The name of the profile that stores the demo's key: `demo`, or with the next number if that profile is for another server.
 * @param mine The profile to be stored.
 */
export function demoProfileName(stored: Profiles, mine: Profile): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? DEMO_PROFILE : `${DEMO_PROFILE}-${number}`;
    const there = profileNamed(stored, name);
    if (!there || there.demo || there.key === mine.key || sameOrigin(there.url, mine.url)) return name;
  }
}
