import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SvcError } from '../../sdk/errors.js';
import type { IngestProgress } from '../../sdk/ingest/options.js';
import { noProgress, type Post, poster, send } from '../../sdk/ingest/sender.js';
import type { Configuration } from '../../sdk/options.js';
import { MOST_BATCH_BYTES } from './flags.js';

export interface SenderOptions {
  readonly configuration: Configuration;
  readonly gzip: boolean;
  readonly maxRetries: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  readonly batchBytes: number;
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called before each wait for another attempt; `wait` in milliseconds. */
  readonly onRetry: (error: SvcError, wait: number) => void;
  readonly onSent: (sent: IngestProgress) => void;
}

const MOST_AT_ONCE = 2;
const LEAST_BATCH_BYTES = 65_536;
/** Below this number of remaining tokens batches are made larger. */
const FEW_TOKENS = 10;

/** Compresses in another thread, unlike the streams of the SDK. */
const gzipped = promisify<Uint8Array, Buffer>(gzip);

/** Sends batches, at most two at once, and adapts their size. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #post: Post;
  /** Size of the next batches in bytes. */
  batchBytes: number;
  #most = MOST_BATCH_BYTES;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: SenderOptions) {
    const { configuration, signal, maxRetries, timeout } = options;
    const onRetry = (error: SvcError, wait: number) => {
      if (error.status === 429) this.#raise();
      options.onRetry(error, wait);
    };
    this.#options = options;
    this.batchBytes = options.batchBytes;
    const call = { signal, maxRetries, timeout, onRetry };
    const post = poster(configuration, call, options.gzip && gzipped);
    this.#post = async (bytes) => {
      const answer = await post(bytes);
      if ((answer.rateLimit?.remaining ?? FEW_TOKENS) < FEW_TOKENS) this.#raise();
      return answer;
    };
  }

  /** @throws SvcError of a batch that the server did not accept, or the reason of the signal. */
  async send(bytes: Uint8Array): Promise<void> {
    const { warn, onSent } = this.#options;
    if (this.#underWay >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay += 1;
    const sent = noProgress(0);
    try {
      await send(bytes, sent, this.#post, warn);
      sent.bytes = bytes.length;
      if (sent.bodies > 1) this.#lower(bytes.length / sent.bodies);
    } finally {
      // A part may have been accepted.
      onSent(sent);
      const next = this.#waiting.shift();
      if (next) next();
      else this.#underWay -= 1;
    }
  }

  /** Makes batches larger, because few requests are left. */
  #raise(): void {
    this.batchBytes = Math.min(this.batchBytes * 2, this.#most);
  }

  /** Makes batches smaller, because the server or a proxy refused a body as too large. */
  #lower(bytes: number): void {
    this.#most = Math.max(LEAST_BATCH_BYTES, Math.min(this.#most, Math.floor(bytes)));
    this.batchBytes = Math.min(this.batchBytes, this.#most);
  }
}
