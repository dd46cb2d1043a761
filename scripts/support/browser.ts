/** A browser for tests and pictures: the Chromium of a package, or an installed one named by CHROME_PATH. */
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as engine } from 'playwright-core';

/** Not those of the package, which end the browser with its first context and switch off the rules of origins. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Starts a browser.
 * @throws If none can be started, with what is missing in one line.
 */
export async function startBrowser(): Promise<Browser> {
  const given = process.env.CHROME_PATH;
  try {
    const executablePath = given || (await chromium.executablePath());
    return await engine.launch({ executablePath, args: ARGUMENTS, headless: true });
  } catch (error) {
    const [reason = ''] = String((error as Error).message)
      .split('\n')
      .filter((line) => /error while loading|ENOENT|exist|not found/i.test(line));
    throw new Error(
      `No browser could be started: ${reason || (error as Error).message.split('\n')[0]}. Install libnss3, or set CHROME_PATH to an installed Chrome or Chromium.`,
      { cause: error },
    );
  }
}
