import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { handshakeVersions } from '../../contract/mcp.js';
import { CommandError } from '../command-error.js';
import type { Entry } from './setup.js';

/** The variables that clients pass to the commands that they start. */
const PASSED = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  ...['APPDATA', 'LOCALAPPDATA', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
];
const TIMEOUT_MS = 30_000;

const messages = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: handshakeVersions[0],
      capabilities: {},
      clientInfo: { name: 'svc', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/**
 * Starts the command of an entry as a client does, and returns the names of its tools.
 * @throws CommandError with the first line that it wrote to standard error; the reason of the signal.
 */
export async function startedTools({ command, args, env }: Entry, signal: AbortSignal): Promise<string[]> {
  const passed = Object.fromEntries(PASSED.map((name) => [name, process.env[name]]));
  const child = spawn(command as string, args as string[], { env: { ...passed, ...(env as object) } });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-2000);
  });
  child.stdin.on('error', () => {});
  child.stdin.write(messages.join(''));
  const timer = new AbortController();
  const failed = (reason: string) =>
    new CommandError(
      'unexpected',
      `The client would get no tools: ${complaint.trim().split('\n')[0] || reason}`,
      {
        hint: '`svc doctor` checks the connection.',
      },
    );
  try {
    const ends = AbortSignal.any([signal, timer.signal]);
    return await Promise.race([
      repliedTools(child.stdout),
      new Promise<never>((_, reject) => {
        child.once('error', ({ message }) => reject(failed(message)));
        child.once('close', (code) => reject(failed(`the command ended with ${code}`)));
      }),
      pause(TIMEOUT_MS, undefined, { signal: ends }).then(() => {
        throw failed(`no reply within ${TIMEOUT_MS / 1000} s`);
      }),
    ]).catch((error) => {
      signal.throwIfAborted();
      throw error instanceof ToolsRefused ? failed(error.message) : error;
    });
  } finally {
    timer.abort();
    child.kill();
  }
}

class ToolsRefused extends Error {}

interface Message {
  readonly id?: number;
  readonly result?: { readonly tools?: readonly { readonly name: string }[] };
  readonly error?: { readonly message: string };
}

function messageOf(line: string): Message {
  try {
    return Object(JSON.parse(line));
  } catch {
    throw new ToolsRefused(`it writes what is not JSON: ${line.slice(0, 80)}`);
  }
}

/** The names in the reply to tools/list. */
async function repliedTools(output: NodeJS.ReadableStream): Promise<string[]> {
  for await (const line of createInterface({ input: output })) {
    const { id, result, error } = messageOf(line);
    if (error) throw new ToolsRefused(error.message);
    if (id === 2) return result?.tools?.map(({ name }) => name) ?? [];
  }
  // The end of the process is reported by its exit.
  return new Promise(() => {});
}
