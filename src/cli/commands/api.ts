import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Args } from '@oclif/core';
import { boolean, string } from '@oclif/core/flags';
import { printableLines } from '../../contract/printable.js';
import { ApiCommand } from '../base/api-command.js';
import { checkedAddress, requiredKey } from '../connection/failed-setting.js';
import { type ApiAnswer, type ApiRequest, methods, send } from '../connection/raw-request.js';
import { CommandError } from '../failure/command-error.js';
import { print } from '../render/output.js';

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
