import { homedir, platform } from 'node:os';
import { join } from 'node:path';

const NAME = 'svc';

/** The configuration folder, by the rule of oclif, which completion does not load. */
export const configFolder = (env = process.env): string =>
  env.SVC_CONFIG_DIR || join(base(env.XDG_CONFIG_HOME, '.config', env), NAME);

/** The folder of data that commands can make again. */
export const cacheFolder = (env = process.env): string =>
  join(base(env.XDG_CACHE_HOME, platform() === 'darwin' ? 'Library/Caches' : '.cache', env), NAME);

const base = (stated: string | undefined, below: string, { LOCALAPPDATA }: NodeJS.ProcessEnv): string =>
  stated || (platform() === 'win32' && LOCALAPPDATA) || join(homedir(), below);
