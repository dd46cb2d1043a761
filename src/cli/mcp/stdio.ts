import { errors } from '../../contract/errors.js';
import { rpcErrors } from '../../contract/mcp.js';
import { unlessAborted } from '../../sdk/cancellation.js';
import { Lines } from '../../sdk/ingest/lines.js';
import { failureReply, type Post, postOf } from './json-rpc.js';

/** Messages that are on their way at once; the next ones wait to be read. */
const MOST_ON_THEIR_WAY = 32;

export interface BridgeOptions {
  /** The line that answers a post; empty: it gets none. */
  readonly answer: (post: Post) => Promise<string>;
  /** Writes a text and waits until it is written. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the bridge, and is used by it to end everything else when it fails. */
  readonly end: AbortController;
}

/**
 * Passes on messages that come one a line and writes their replies one a line, each as soon as it is there. Ends when the
 * input does and every reply is written.
 * @throws The reason of `end`, or what reading or writing failed with.
 */
export async function bridge(input: AsyncIterable<Uint8Array>, options: BridgeOptions): Promise<void> {
  const { end, write } = options;
  const running = new Set<Promise<void>>();
  const pass = async (line: string | undefined) => {
    const reply = await replyTo(line, options);
    if (reply !== '') await write(`${reply}\n`);
  };
  const lines = linesOf(input);
  for (;;) {
    const { done, value } = await unlessAborted(end.signal, lines.next());
    if (done) break;
    const passing = pass(value)
      .catch((error: unknown) => end.abort(error))
      .finally(() => running.delete(passing));
    running.add(passing);
    if (running.size >= MOST_ON_THEIR_WAY) await unlessAborted(end.signal, Promise.race(running));
  }
  await unlessAborted(end.signal, Promise.all(running));
  end.signal.throwIfAborted();
}

/** The line that answers a line of the client; what is no JSON is answered here, as the server would. */
async function replyTo(line: string | undefined, { answer }: BridgeOptions): Promise<string> {
  const nobody = { ids: [null], isBatch: false };
  if (line === undefined) {
    const { code } = rpcErrors.invalidRequest();
    return failureReply(nobody, { code, message: errors.messageTooLarge().message });
  }
  let post: Post;
  try {
    post = postOf(line);
  } catch {
    return failureReply(nobody, rpcErrors.parseError());
  }
  return answer(post);
}

/** Lines with something in them; undefined: one is too long to be kept. */
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
