/** Opens addresses in the browser of the user. */
import { spawn } from 'node:child_process';

/** The command of each platform that opens an address. No shell reads the address. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns whether the command that opens the address could be started. */
export function openInBrowser(url: string): Promise<boolean> {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
