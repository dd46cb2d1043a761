import { errors } from '../../contract/errors.js';
import { rpcErrors } from '../../contract/mcp.js';
import { unlessAborted } from '../../sdk/cancellation.js';
import { Lines } from '../../sdk/ingest/lines.js';
import { failureReply, type Post, postOf } from './json-rpc.js';

/** The limit of messages in flight. No further message is read until a reply arrives. */
const MAX_IN_FLIGHT = 32;

export interface BridgeOptions {
  /** Returns the line of the reply to a post; empty: there is no reply. */
  readonly answer: (post: Post) => Promise<string>;
  /** Writes a text and waits until it is written. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the bridge. If the bridge fails, it aborts this to end the messages in flight. */
  readonly end: AbortController;
}

/**
 * Forwards the messages of the input, one per line, and writes each reply as one line as soon as it arrives. Ends when the
 * input has ended and every reply is written.
 * @throws The reason of `end`, or the error of reading or writing.
 */
export async function bridge(input: AsyncIterable<Uint8Array>, options: BridgeOptions): Promise<void> {
  const { end, write } = options;
  const running = new Set<Promise<void>>();
  const forward = async (line: string | undefined) => {
    const reply = await replyTo(line, options);
    if (reply !== '') await write(`${reply}\n`);
  };
  const lines = linesOf(input);
  for (;;) {
    const { done, value } = await unlessAborted(end.signal, lines.next());
    if (done) break;
    const forwarding = forward(value)
      .catch((error: unknown) => end.abort(error))
      .finally(() => running.delete(forwarding));
    running.add(forwarding);
    if (running.size >= MAX_IN_FLIGHT) await unlessAborted(end.signal, Promise.race(running));
  }
  await unlessAborted(end.signal, Promise.all(running));
  end.signal.throwIfAborted();
}

/** The reply to a line of the client. For invalid JSON it is the server's error, made without a request. */
async function replyTo(line: string | undefined, { answer }: BridgeOptions): Promise<string> {
  const unknown = { ids: [null], isBatch: false };
  if (line === undefined) {
    const { code } = rpcErrors.invalidRequest();
    return failureReply(unknown, { code, message: errors.messageTooLarge().message });
  }
  let post: Post;
  try {
    post = postOf(line);
  } catch {
    return failureReply(unknown, rpcErrors.parseError());
  }
  return answer(post);
}

/** Yields the lines that are not blank; undefined for a line over the size limit. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined, void> {
  const arrived: (string | undefined)[] = [];
  const lines = new Lines((line) => arrived.push(line && Buffer.from(line).toString('utf8').trim()));
  for await (const chunk of input) {
    lines.push(chunk);
    yield* arrived.splice(0).filter((line) => line !== '');
  }
  lines.end();
  yield* arrived.filter((line) => line !== '');
}
