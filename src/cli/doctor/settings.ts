import { statSync } from 'node:fs';
import { isLoopback } from '../../contract/paths.js';
import { checkedAddress } from '../connection/failed-setting.js';
import { profilesFile } from '../connection/profiles.js';
import { type SettingFlags, type Settings, settingsOf } from '../connection/settings.js';
import { CommandError } from '../failure/command-error.js';
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
export function checkAddress(settings: Settings): Check {
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
