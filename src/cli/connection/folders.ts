/** The folders of the command's files, by the rule of oclif, which completion and the help of `svc` do not load. */
import { existsSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';

const NAME = 'svc';

/** The configuration folder. */
export const configFolder = (env = process.env): string =>
  env.SVC_CONFIG_DIR || join(base(env.XDG_CONFIG_HOME, '.config', env), NAME);

/** The folder of data that commands can make again. */
export const cacheFolder = (env = process.env): string =>
  join(base(env.XDG_CACHE_HOME, platform() === 'darwin' ? 'Library/Caches' : '.cache', env), NAME);

const base = (stated: string | undefined, below: string, { LOCALAPPDATA }: NodeJS.ProcessEnv): string =>
  stated || (platform() === 'win32' && LOCALAPPDATA) || join(homedir(), below);

export const profilesFile = (folder: string): string => join(folder, 'profiles.json');

/** Whether the environment or a profile may have a key: then `svc` prints a summary, which `main` decides. */
export const mayHaveKey = (env = process.env): boolean =>
  Boolean(env.SVC_API_KEY?.trim()) || existsSync(profilesFile(configFolder(env)));
