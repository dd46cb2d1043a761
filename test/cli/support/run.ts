/** Runs the command line: from its sources in this process where nothing but its output matters, else as a built process. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { captureOutput } from '@oclif/test';
import { main } from '../../../src/cli/main.js';
import type { Clock } from '../../../src/server/base/clock.js';
import { builtEntry, SHORT_LIVED } from './built.js';
import { sources } from './sources.js';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}
export type Environment = { readonly [name: string]: string };

/** Variables that would let the machine's own settings into a test. */
const foreign = /^(SVC_|XDG_|COLUMNS$|NO_COLOR$|FORCE_COLOR$|CI$|DEBUG$|DATABASE_URL$)/;
const own = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));

/** A configuration folder that goes with the test. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
  readonly env: Environment = { XDG_CONFIG_HOME: this.folder };
  readonly profilesFile = join(this.folder, 'svc', 'profiles.json');

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Runs `svc` with these arguments; the environment holds nothing of svc's but what is given.
 * @param input What the command reads from standard input; if omitted, the standard input of the tests.
 * @param clock If omitted, that of the machine.
 */
export async function svc(
  args: readonly string[],
  env: Environment,
  input?: string | Buffer,
  clock?: Clock,
): Promise<Ran> {
  const installation = await sources();
  const before = { env: process.env, exitCode: process.exitCode };
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  process.env = { ...own(), ...env };
  process.exitCode = 0;
  if (input !== undefined) {
    const value = Readable.from([Buffer.from(input)], { objectMode: false });
    Object.defineProperty(process, 'stdin', { value, configurable: true });
  }
  try {
    const { stdout, stderr, error } = await captureOutput(() => main(args, installation, clock), {
      stripAnsi: false,
    });
    if (error) throw error;
    return { stdout, stderr, code: Number(process.exitCode) };
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
    process.env = before.env;
    process.exitCode = before.exitCode;
  }
}

/** The same for the table of a read: without a format, a read prints one only on a terminal. */
export const svcTable = (args: readonly string[], env: Environment): Promise<Ran> =>
  svc([...args, '--format', 'table'], env);

/** Starts `svc` as a process of its own, with pipes. */
export const start = (
  args: readonly string[],
  env: Environment,
  stdio: StdioOptions = 'pipe',
): ChildProcess =>
  spawn(process.execPath, [...SHORT_LIVED, builtEntry(), ...args], { env: { ...own(), ...env }, stdio });

/** Runs `svc` as a process of its own that reads `input`. */
export async function piped(args: readonly string[], env: Environment, input: string): Promise<Ran> {
  const child = start(args, env);
  child.stdin!.end(input);
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout!), text(child.stderr!), ended]);
  return { stdout, stderr, code };
}
