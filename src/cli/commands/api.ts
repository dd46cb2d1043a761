import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Args } from '@oclif/core';
import { boolean, string } from '@oclif/core/flags';
import { printableLines } from '../../contract/printable.js';
import { isSvcError } from '../../sdk/errors.js';
import { redactor } from '../../sdk/log.js';
import { ACTING_TIMEOUT_MS } from '../../sdk/tools.js';
import { answerOf, failureOf } from '../../sdk/transport.js';
import { ApiCommand } from '../base/api-command.js';
import { CommandError } from '../command-error.js';
import { checkedAddress, requiredKey } from '../connection/settings.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { print } from '../render/terminal.js';

export default class Api extends ApiCommand {
  static override inHelp = { group: 'AGENTS AND SCRIPTS', place: 3 };
  static override summary = 'Send one request to the API with the key of the profile, and print the body';
  static override description =
    'PATH begins with / and is a path of the server in use; without / it is below /api/v1. The request is sent once: ' +
    'no retry, no default brand. In a pipe the body is printed unchanged. The body of an error is printed ' +
    'too, and the exit codes are those of the other commands.';
  static override examples = [
    '<%= config.bin %> api GET overview',
    "<%= config.bin %> api '/api/v1/metrics/history?metric=visibility&days=28' --include",
    '<%= config.bin %> api POST crawler-events --input access.log',
  ];
  static override args = {
    method: Args.string({ description: 'GET (may be left out) or POST', required: true, ignoreStdin: true }),
    path: Args.string({ description: 'Path and query, such as /api/v1/overview', ignoreStdin: true }),
  };
  static override flags = {
    include: boolean({ char: 'i', description: 'Print the status and the headers of the response too' }),
    input: string({ description: 'File to send as the body, - for standard input', helpValue: 'FILE' }),
    type: string({ description: 'Content-Type of the body (default text/plain)', helpValue: 'TYPE' }),
  };

  protected override readonly repeatable = false;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Api);
    const settings = this.settle(flags);
    const key = requiredKey(settings);
    const request: ApiRequest = {
      ...methodAndPath(args),
      server: checkedAddress(settings),
      key,
      body: flags.input === undefined ? undefined : await inputOf(flags.input),
      type: flags.type ?? 'text/plain',
      signal: this.signal,
    };
    const sending = send(request, this.fetch());
    const answer = await this.progress.during(`Sending ${request.method} ${request.path} …`, sending);
    // Under --json a failure is one object, that of the command.
    if (!answer.failure || !flags.json) await this.#show(answer, flags.include);
    if (answer.failure) throw answer.failure;
  }

  async #show({ head, body }: ApiAnswer, include: boolean): Promise<void> {
    if (include) await print(`${printableLines(head)}\n\n`);
    if (!process.stdout.isTTY) await print(body);
    else await print(`${printableLines(body).trimEnd()}\n`);
  }
}

/** @throws CommandError `usage` for another method, and for a missing path. */
function methodAndPath({ method, path }: { readonly method: string; readonly path?: string | undefined }) {
  if (path === undefined) {
    if (!isMethod(method.toUpperCase())) return { method: 'GET' as const, path: method };
    throw new CommandError('usage', `Missing argument: PATH. As in: svc api ${method} overview`);
  }
  const upper = method.toUpperCase();
  if (isMethod(upper)) return { method: upper, path };
  throw new CommandError('usage', `Unknown method: ${method}. The API has ${methods.join(' and ')}.`);
}

const isMethod = (word: string): word is ApiRequest['method'] =>
  (methods as readonly string[]).includes(word);

/**
 * The content of a file, or of standard input for `-`.
 * @throws CommandError `usage` for a file that cannot be read.
 */
async function inputOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return new Uint8Array(await buffer(process.stdin));
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `--input: ${file} cannot be read (${code ?? 'unknown reason'}).`);
  }
}

/** The methods of the API: reads, and crawler logs or MCP messages. */
const methods = ['GET', 'POST'] as const;

interface ApiRequest {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly server: string;
  readonly key: string;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly type: string;
  readonly signal: AbortSignal;
}

interface ApiAnswer {
  /** Status line and headers, without a line feed at the end. */
  readonly head: string;
  readonly body: string;
  /** The failure that the status means; undefined for 2xx. */
  readonly failure: CommandError | undefined;
}

/**
 * Sends one request.
 * @throws CommandError `usage` for a path of another server or a body of a GET; `network` without a response.
 */
async function send(request: ApiRequest, fetch: typeof globalThis.fetch): Promise<ApiAnswer> {
  const { method, server, key, body, type, signal } = request;
  const url = addressOf(request);
  if (method === 'GET' && body)
    throw new CommandError('usage', 'A GET request has no body: --input works only with POST.');
  const redact = redactor(key);
  const headers = { Authorization: `Bearer ${key}`, ...(method === 'POST' && { 'Content-Type': type }) };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ACTING_TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { method, headers, body: body ?? null, signal: limit });
    const content = await response.clone().text();
    return { head: headOf(response), body: content, failure: await failureIn(response, redact) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isSvcError(error) || error instanceof CommandError) throw error;
    const late = `No answer within ${ACTING_TIMEOUT_MS / 1000} s: ${method} ${request.path}`;
    throw failureOf(error as Error, server, late, redact);
  }
}

/** The address of the request. The key is sent to this server only, so the path must not lead to another one. */
function addressOf({ path, server }: ApiRequest): URL {
  const wrong = (reason: string) =>
    new CommandError('usage', `${reason}: ${path}`, {
      hint: 'PATH is a path of the server, such as /api/v1/overview, or one below /api/v1, such as overview.',
    });
  if (/^[a-z][a-z\d+.-]*:|^\/\/|^\\|^\/\\/i.test(path)) throw wrong('PATH is an address, not a path');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser removes some of them without an error.
  if (/[\u0000-\u0020\u007f]/.test(path)) throw wrong('PATH has white space or control characters');
  const url = new URL(server + (path.startsWith('/') ? path : `/api/v1/${path}`));
  if (url.origin !== new URL(server).origin) throw wrong('PATH leads to another server');
  return url;
}

const headOf = ({ status, statusText, headers }: Response): string =>
  [
    `HTTP ${status} ${statusText}`.trimEnd(),
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
  ].join('\n');

/** The failure of a response with the message and the exit code that every command has for it. */
async function failureIn(
  response: Response,
  redact: (text: string) => string,
): Promise<CommandError | undefined> {
  if (response.ok) return undefined;
  return answerOf(response, redact).then(() => undefined, commandErrorOf);
}
