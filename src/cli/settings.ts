import { readFileSync } from 'node:fs';
import { CommandError } from './command-error.js';
import { FIRST_PROFILE, type Profile, type Profiles, profileNamed, readProfiles } from './profiles.js';
import { suggestion } from './suggestion.js';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Which server a command talks to, and as whom. */
export interface Settings {
  readonly url: string;
  readonly key: string | undefined;
  readonly brand: string | undefined;
  /** The profile whose values were looked at; undefined: there is none. */
  readonly profile: string | undefined;
}

/** The flags that settings come from. */
export interface SettingFlags {
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly 'key-file'?: string | undefined;
  readonly brand?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Each value from the first place that has one: flag, environment, profile, default. Empty variables count as unset.
 * @param folder The configuration folder.
 * @throws CommandError `usage` for a profile or a key file that is not there.
 */
export function settingsOf(flags: SettingFlags, env: Environment, folder: string): Settings {
  const stored = readProfiles(folder);
  const name = profileName(flags, env, stored);
  const profile: Partial<Profile> = storedProfile(stored, name, flags.profile || env.SVC_PROFILE) ?? {};
  return {
    url: flags.url || env.SVC_URL || profile.url || DEFAULT_URL,
    key: keyOfFile(flags['key-file']) || env.SVC_API_KEY?.trim() || profile.key,
    brand: flags.brand || env.SVC_BRAND || profile.brand,
    profile: profileNamed(stored, name) && name,
  };
}

/** The profile that is meant, whether or not it is stored. */
export const profileName = (flags: SettingFlags, env: Environment, stored: Profiles): string =>
  flags.profile || env.SVC_PROFILE || stored.default || FIRST_PROFILE;

function storedProfile(stored: Profiles, name: string, asked: string | undefined): Profile | undefined {
  const found = profileNamed(stored, name);
  if (found || !asked) return found;
  throw new CommandError(
    'usage',
    `No profile ${asked} is stored.${suggestion(asked, Object.keys(stored.profiles))}`,
    {
      hint: `Store it with \`svc login --profile ${asked}\`.`,
    },
  );
}

/** The key that a file holds, without the white space around it. */
export function keyOfFile(path: string | undefined): string | undefined {
  if (!path) return undefined;
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `The key file ${path} cannot be read (${code ?? 'unknown reason'}).`);
  }
  if (key === '') throw new CommandError('usage', `The key file ${path} is empty.`);
  return key;
}
