/** A browser for tests and pictures: the Chromium of a package, or an installed Chrome or Chromium. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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

/** The package brings the libraries that a bare machine lacks, and uses them for this value (its README). */
const WITH_LIBRARIES = 'nodejs22.x';

interface Program {
  readonly executablePath: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The program of the package with its libraries, which no other process of the tests is to load. */
async function packaged(): Promise<Program> {
  const { LD_LIBRARY_PATH, FONTCONFIG_PATH, AWS_LAMBDA_JS_RUNTIME } = process.env;
  process.env.AWS_LAMBDA_JS_RUNTIME = WITH_LIBRARIES;
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  const env = { ...process.env };
  for (const [name, value] of Object.entries({ LD_LIBRARY_PATH, FONTCONFIG_PATH, AWS_LAMBDA_JS_RUNTIME })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return { executablePath, env };
}

/** The first browser on the path of programs. */
function installed(): Program | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, env: process.env };
}

/**
 * Starts a browser: that of CHROME_PATH if it is set, else that of the package, else an installed one.
 * @throws If none can be started, with what is missing in one line.
 */
export async function startBrowser(): Promise<Browser> {
  const given = process.env.CHROME_PATH;
  const ways = given ? [() => ({ executablePath: given, env: process.env })] : [packaged, installed];
  let failure = 'no Chrome or Chromium is installed';
  for (const way of ways) {
    try {
      const program = await way();
      if (program === undefined) continue;
      const { executablePath, env } = program;
      return await engine.launch({ executablePath, env: defined(env), args: ARGUMENTS, headless: true });
    } catch (error) {
      const lines = String((error as Error).message).split('\n');
      failure = lines.find((line) => /error while loading|ENOENT|exist|not found/i.test(line)) ?? lines[0]!;
    }
  }
  throw new Error(
    `No browser could be started: ${failure.trim()}. Install libnss3, or set CHROME_PATH to an installed Chrome or Chromium.`,
  );
}

const defined = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
