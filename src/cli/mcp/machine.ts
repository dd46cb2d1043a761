import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folders of the user that have configuration files. */
export interface Machine {
  readonly home: string;
  /** Of applications with a window. */
  readonly applications: string;
  /** Of programs that follow the XDG convention. */
  readonly settings: string;
  readonly codexHome?: string | undefined;
}

/** The folders by the convention of the platform. */
export function thisMachine(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Machine {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  const codexHome = env.CODEX_HOME || undefined;
  if (platform === 'win32') {
    const roaming = env.APPDATA || join(home, 'AppData', 'Roaming');
    return { home, applications: roaming, settings: roaming, codexHome };
  }
  const settings = env.XDG_CONFIG_HOME || join(home, '.config');
  if (platform === 'darwin')
    return {
      home,
      applications: join(home, 'Library', 'Application Support'),
      settings: join(home, '.config'),
      codexHome,
    };
  return { home, applications: settings, settings, codexHome };
}
