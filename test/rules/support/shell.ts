/** Runs scripts of bash in which `svc` is the command line of this process, so that no line costs a start of Node. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '../../../src/server/base/clock.js';
import { type Environment, svc } from '../../cli/support/run.js';
import { onTerminal } from '../../cli/support/terminal.js';
import { listening } from '../../support/listening.js';

/** The commands of a document take seconds; one that does not end is an error. */
const TIMEOUT_MS = 120_000;
/** The status when the command line throws, which it never should. */
const UNEXPECTED = 99;

/** `svc` sends its arguments, environment and input to this process, and prints what comes back. */
const PRELUDE = `
svc() {
  local code id=$BASHPID
  code=$(curl -s --data-binary @- -H "X-Folder: $PWD" -H "X-Terminal: $TERMINAL" -H "X-Output: $id" \\
    -H "X-Arguments: $([ $# -eq 0 ] || printf '%s\\0' "$@" | base64 | tr -d '\\n')" \\
    -H "X-Environment: $(env -0 | base64 | tr -d '\\n')" "$BRIDGE")
  cat "$OUTPUTS/$id.out"
  cat "$OUTPUTS/$id.err" >&2
  return "$code"
}
npx() { "$@"; }
`;

export interface ShellRun {
  readonly output: string;
  readonly status: number;
}

export interface Shell {
  /** Runs commands one after the other, as they are typed into one shell. */
  run(commands: readonly ShellCommand[], env: Environment): Promise<ShellRun[]>;
  close(): Promise<void>;
}

export interface ShellCommand {
  readonly text: string;
  /** Whether its output is a terminal; else it is a pipe. */
  readonly isTerminal: boolean;
}

/** Fields of a header: base64, with a NUL behind each. */
const fieldsOf = (header: unknown): string[] =>
  Buffer.from(String(header), 'base64').toString().split('\0').slice(0, -1);

/**
 * @param folder Where scripts and outputs are kept, and where the commands run.
 * @param clock That of the commands.
 */
export async function openShell(folder: string, clock: Clock): Promise<Shell> {
  let last: Promise<unknown> = Promise.resolve();

  async function answer({ headers }: IncomingMessage, input: Buffer): Promise<number> {
    const env = Object.fromEntries(
      fieldsOf(headers['x-environment']).map((each) => [
        each.split('=', 1)[0]!,
        each.slice(each.indexOf('=') + 1),
      ]),
    );
    const before = process.cwd();
    process.chdir(String(headers['x-folder']));
    const print = (stdout: string, stderr: string) => {
      writeFileSync(join(folder, `${headers['x-output']}.out`), stdout);
      writeFileSync(join(folder, `${headers['x-output']}.err`), stderr);
    };
    try {
      const work = () => svc(fieldsOf(headers['x-arguments']), env, input, clock);
      const ran = await (headers['x-terminal'] === '1' ? onTerminal(work) : work());
      print(ran.stdout, ran.stderr);
      return ran.code;
    } catch (error) {
      print('', (error as Error).stack ?? String(error));
      return UNEXPECTED;
    } finally {
      process.chdir(before);
    }
  }

  const bridge = createServer(async (request, response) => {
    const input = await buffer(request);
    // Two commands of a pipe share the process, and so its output.
    const turn = last.then(() => answer(request, input));
    last = turn;
    response.end(String(await turn));
  });
  const { url, close } = await listening(bridge);

  async function run(commands: readonly ShellCommand[], env: Environment): Promise<ShellRun[]> {
    const script = commands.map(
      ({ text, isTerminal }, at) =>
        `TERMINAL=${isTerminal ? 1 : 0}\n{\n${text}\n} >"$OUTPUTS/${at}.log" 2>&1; echo $? >"$OUTPUTS/${at}.status"\n`,
    );
    const set = { PATH: process.env.PATH ?? '', HOME: folder, BRIDGE: url, OUTPUTS: folder, ...env };
    const child = spawn('bash', ['-c', PRELUDE + script.join('')], {
      cwd: folder,
      env: set,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: TIMEOUT_MS,
    });
    const [status] = await once(child, 'close');
    if (status === null)
      throw new Error(`A command does not end: ${commands.map(({ text }) => text).join('\n')}`);
    return commands.map((_, at) => {
      const file = (end: string) => join(folder, `${at}.${end}`);
      const ran = {
        output: readFileSync(file('log'), 'utf8'),
        status: Number(readFileSync(file('status'), 'utf8')),
      };
      for (const end of ['log', 'status']) rmSync(file(end));
      return ran;
    });
  }

  return { run, close };
}
