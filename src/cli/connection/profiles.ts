import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../failure/command-error.js';

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
  /** The profile that is used when none is named. */
  readonly default?: string | undefined;
  readonly profiles: { readonly [name: string]: Profile };
}

/** The name of a profile that is stored without one. */
export const FIRST_PROFILE = 'default';

/** The profile of `svc demo`. */
export const DEMO_PROFILE = 'demo';

/** Whether a name is reserved for the demo, which uses `demo-2` if `demo` is another server's profile. */
export const isDemoProfile = (name: string): boolean => /^demo(?:-\d+)?$/.test(name);

export const profilesFile = (folder: string): string => join(folder, 'profiles.json');

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
 * Stores a profile, in a file that only its owner can read.
 * @param asDefault Whether it becomes the default: always, or only if no other profile is.
 * @returns Whether it is the default now.
 */
export function saveProfile(
  folder: string,
  name: string,
  profile: Profile,
  asDefault: 'always' | 'if-none',
): boolean {
  checkName(name);
  const stored = readProfiles(folder);
  const current = stored.default !== undefined && profileNamed(stored, stored.default) && stored.default;
  const preferred = asDefault === 'always' || !current ? name : current;
  write(folder, { default: preferred, profiles: { ...stored.profiles, [name]: profile } });
  return preferred === name;
}

/** Makes a stored profile the one that is used when none is named. */
export function makeDefault(folder: string, name: string): void {
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

/** @throws CommandError `usage` for a name with other characters, or of more than 64. */
export function checkName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return;
  throw new CommandError('usage', 'A profile name has letters, digits, and - _ . inside.');
}

/** Whether two addresses have the same scheme, host and port. */
export const sameOrigin = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;

/** Writes a second file and renames it, so that the file is never incomplete. */
function write(folder: string, content: Profiles): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = profilesFile(folder);
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

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
