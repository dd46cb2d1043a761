import { isSvcError } from '../../sdk/errors.js';
import { redactor } from '../../sdk/log.js';
import { ACTING_TIMEOUT_MS } from '../../sdk/tools.js';
import { answerOf, failureOf } from '../../sdk/transport.js';
import { CommandError } from '../failure/command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';

/** The methods of the API: reads, and crawler logs or MCP messages. */
export const methods = ['GET', 'POST'] as const;

export interface ApiRequest {
  readonly method: (typeof methods)[number];
  readonly path: string;
  readonly server: string;
  readonly key: string;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly type: string;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
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
export async function send(request: ApiRequest, fetch: typeof globalThis.fetch): Promise<ApiAnswer> {
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
