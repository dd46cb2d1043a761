import {
  type Batch,
  Batcher,
  Lines,
  latin1,
  namesColumns,
  OVERRUN_BYTES,
  secondOf,
} from '../../sdk/ingest/batches.js';
import type { Chunk, LogFile } from './input.js';
import type { Inspector } from './inspector.js';
import type { Position } from './read-input.js';

/** The end of a line. Everything before it is done after the server acknowledged its batch. */
interface Place {
  readonly logFile: LogFile;
  readonly offset: number;
  readonly second: number | null;
  readonly secondOffset: number;
  /** Bytes of the input from the start of the reading to here. */
  readonly read: number;
}

export interface ShipperOptions {
  /** Bytes of a batch; the sender may change it. */
  readonly batchBytes: () => number;
  readonly flushEveryMs: number;
  readonly onlyAgents: boolean;
  readonly stripPrefix: RegExp | undefined;
  /** Null in a dry run. */
  readonly send: ((bytes: Uint8Array) => Promise<void>) | null;
  /** Whether nothing is sent while the inspector doubts that this is a log. */
  readonly isCareful: boolean;
  /** @param bytes The number of bytes of the input that are done in addition. */
  readonly onAcknowledged: (position: Position, bytes: number) => void;
  readonly onRead: (bytes: number) => void;
  readonly onTooLong: () => void;
  readonly warn: (message: string) => void;
  /** The directives of a W3C log before the start of the reading. */
  readonly head: string;
}

/** If no line arrives for this time, the last second is complete. */
const IDLE_MS = 2000;

/** Ships one input: inspects lines, collects them into batches and sends these in order, one at a time. */
export class Shipper {
  readonly #options: ShipperOptions;
  readonly #inspector: Inspector;
  readonly #batcher: Batcher<Place>;
  readonly #lines = new Lines((line, length) => this.#takeLine(line, length));
  #logFile: LogFile | undefined;
  #offset = 0;
  #second: number | null = null;
  #secondOffset = 0;
  #head: string;
  #read = 0;
  #done = 0;
  #oldestAt = 0;
  #newestAt = 0;
  #sending: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(inspector: Inspector, options: ShipperOptions) {
    this.#options = options;
    this.#inspector = inspector;
    const { warn, head } = options;
    this.#batcher = new Batcher({ target: options.batchBytes(), overrun: OVERRUN_BYTES, warn });
    this.#head = head;
    for (const line of head.split(/(?<=\n)/)) {
      if (line !== '') this.#batcher.pass(Buffer.from(line, 'latin1'));
    }
  }

  /**
   * Ships all chunks; rejects with the first failure.
   * @param isWhole Whether the last line is complete when the chunks end without a newline.
   */
  async run(chunks: AsyncIterable<Tick<Chunk>>, isWhole: () => boolean): Promise<void> {
    for await (const chunk of chunks) {
      if (chunk) this.#take(chunk);
      else this.#flushInTime();
      if (!this.#options.isCareful || !this.#inspector.isDoubtful) await this.#ship();
    }
    if (isWhole()) this.#lines.end();
    this.#inspector.end();
    this.#batcher.flush();
    await this.#ship();
    await this.#sending;
    if (this.#failure) throw this.#failure.error;
    // Lines that are not sent are done too.
    if (this.#logFile && this.#options.send !== null) this.#acknowledge(this.#place());
  }

  #take({ logFile, bytes, offset }: Chunk): void {
    if (logFile !== this.#logFile) {
      this.#lines.end();
      this.#logFile = logFile;
      this.#offset = offset;
      this.#second = null;
      this.#secondOffset = offset;
    }
    this.#options.onRead(bytes.length);
    this.#batcher.options.target = this.#options.batchBytes();
    this.#lines.push(bytes);
    this.#newestAt = performance.now();
    this.#flushInTime();
  }

  #takeLine(line: Uint8Array | undefined, length: number): void {
    const start = this.#offset;
    this.#offset += length;
    this.#read += length;
    if (line === undefined) {
      this.#options.onTooLong();
      return;
    }
    const bare = this.#stripped(line);
    this.#notice(bare, start);
    const isWanted = this.#inspector.take(bare);
    if (this.#options.send === null || (this.#options.onlyAgents && !isWanted)) return;
    if (this.#batcher.size === 0) this.#oldestAt = performance.now();
    this.#batcher.add(bare, this.#place());
  }

  #stripped(line: Uint8Array): Uint8Array {
    const { stripPrefix } = this.#options;
    const found = stripPrefix?.exec(latin1(line));
    return found ? line.subarray(found[0].length) : line;
  }

  /** Records the offset where the latest second begins. */
  #notice(line: Uint8Array, start: number): void {
    const second = secondOf(latin1(line));
    if (!Number.isFinite(second) || second <= (this.#second ?? 0)) return;
    this.#second = second;
    this.#secondOffset = start;
  }

  #place(): Place {
    return {
      logFile: this.#logFile!,
      offset: this.#offset,
      second: this.#second,
      secondOffset: this.#secondOffset,
      read: this.#read,
    };
  }

  /** Completes a batch of lines that have waited long enough, without those of a second that may be incomplete. */
  #flushInTime(): void {
    const now = performance.now();
    if (this.#batcher.size === 0 || now - this.#oldestAt < this.#options.flushEveryMs) return;
    this.#batcher.flush(now - this.#newestAt >= IDLE_MS);
    if (this.#batcher.ready.length > 0) this.#oldestAt = now;
  }

  /** Sends the ready batches; waits while the previous one is in flight, so that reading waits too. */
  async #ship(): Promise<void> {
    for (let batch = this.#batcher.ready.shift(); batch; batch = this.#batcher.ready.shift()) {
      await this.#sending;
      if (this.#failure) throw this.#failure.error;
      this.#sending = this.#send(batch).catch((error: unknown) => {
        this.#failure = { error };
      });
    }
    if (this.#failure) throw this.#failure.error;
  }

  async #send({ bytes, mark }: Batch<Place>): Promise<void> {
    await this.#options.send!(bytes);
    this.#head = directivesOf(bytes) || this.#head;
    this.#acknowledge(mark);
  }

  #acknowledge({ logFile, offset, second, secondOffset, read }: Place): void {
    const { dev, inode } = logFile;
    const hash = logFile.hash(offset);
    const seconds = { last_second: second, second_offset: secondOffset };
    const position = { dev, inode, offset, hash, ...seconds, head: this.#head };
    this.#options.onAcknowledged(position, read - this.#done);
    this.#done = read;
  }
}

/** The newest directives in a batch; they are repeated at the beginning of the next one. */
function directivesOf(bytes: Uint8Array): string {
  const first = latin1(bytes.subarray(0, bytes.indexOf(10) + 1));
  if (namesColumns(first)) return first;
  if (!bytes.includes(35)) return '';
  const text = latin1(bytes);
  const newest = (name: string) => text.match(new RegExp(`^#${name}.*\\n`, 'gm'))?.at(-1) ?? '';
  const fields = newest('Fields:');
  return fields === '' ? '' : newest('Version') + fields;
}

/** An item, or undefined: no item arrived for a while. */
type Tick<T> = T | undefined;

/**
 * Yields the items of a source, and an idle tick whenever no item arrived for `ms` milliseconds. Ends with the source
 * or as soon as the signal aborts.
 */
export async function* withIdleTicks<T>(
  source: AsyncIterable<T>,
  ms: number,
  signal: AbortSignal,
): AsyncGenerator<Tick<T>> {
  const items = source[Symbol.asyncIterator]();
  // Not Promise.race: a promise that outlives many races, like that of an abort, keeps the result of each in memory.
  let wake = () => {};
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const next = new Arrival(items.next(), () => wake());
      while (!next.result && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          if (next.result || signal.aborted) wake();
        });
        if (!next.result && !signal.aborted) yield undefined;
      }
      if (signal.aborted) return;
      const { done, value } = await next.result!;
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    items.return?.()?.catch(() => {});
  }
}

/** What a promise has settled with; an error after the end of the reading is ignored. */
class Arrival<T> {
  /** Undefined until the promise is settled. */
  result: Promise<T> | undefined;

  constructor(promise: Promise<T>, settled: () => void) {
    const notice = () => {
      this.result = promise;
      settled();
    };
    promise.then(notice, notice);
  }
}
