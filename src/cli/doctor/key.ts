import { isUnknownKey, requiredKey, withSource } from '../connection/failed-setting.js';
import type { Settings } from '../connection/settings.js';
import { CommandError } from '../failure/command-error.js';
import { type Check, failure, ok, warning } from './check.js';
import type { Answer } from './request.js';

/** The failure of settings without a key for the address; null: there is one. */
export function checkHasKey(settings: Settings): Check | null {
  try {
    requiredKey(settings);
    return null;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return failure('key', error.message, error.hint ?? 'Store one with `svc login`.');
  }
}

/** The check of the key by the server's response. The server states an expiry only once it has passed. */
export function checkKey({ status, keyKind, error }: Answer, settings: Settings): Check {
  const { sources } = settings;
  if (status === 401 && error !== null) {
    const { message, hint } = withSource(error, settings);
    const finding = isUnknownKey(error) ? `The server does not know the key (${sources.key}).` : message;
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
