import { CommandError } from '../command-error.js';
import type { IngestBar } from '../progress/bars.js';
import { type Chunk, STDIN } from './input.js';
import { Inspector, type Problem } from './inspector.js';
import { chunksOf, type Reading, readingOf, type StateFile, sizeOf, type Wanted } from './read-input.js';
import type { Sender } from './sender.js';
import { Shipper, type ShipperOptions, withIdleTicks } from './shipper.js';
import type { Signals } from './signals.js';
import type { Totals } from './totals.js';

/** The options that all inputs of one command share. */
export interface Shipping {
  readonly follow: boolean;
  readonly from: Wanted['from'];
  readonly flushEveryMs: number;
  readonly onlyAgents: boolean;
  readonly stripPrefix: RegExp | undefined;
  /** Whether an input is sent even if nothing at its beginning can be parsed. */
  readonly force: boolean;
  /** Null in a dry run. */
  readonly sender: Sender | null;
  /** Returns the state file for the position of an input; null: the position is not stored. */
  readonly stateOf: (file: string) => StateFile | null;
  readonly totals: Totals;
  readonly bar: IngestBar;
  readonly signals: Signals;
  readonly warn: (message: string) => void;
  readonly note: (message: string) => void;
  readonly onUnparsed: ((input: string, lineNumber: number, bytes: Buffer) => void) | undefined;
}

const TICK_MS = 250;
/** The limit of bytes that all followed logs together read ahead of sending. */
const SPOOL_BYTES = 64 * 1024 * 1024;
/** The length of the beginning of each file that is checked before any file is sent. */
const BEGINNING_BYTES = 1024 * 1024;

/** Ships all inputs: one after the other, or at the same time if they are followed. */
export async function shipAll(inputs: readonly string[], shipping: Shipping): Promise<void> {
  const { follow, totals, bar, signals, stateOf } = shipping;
  const wanted = wantedOf(shipping);
  const readings: Reading[] = [];
  for (const input of inputs) readings.push(await readingOf(input, wanted, stateOf));
  totals.size = follow ? null : await sizeOf(readings);
  await checkBeginnings(readings, shipping);
  await bar.show();
  const spoolBytes = Math.ceil(SPOOL_BYTES / inputs.length);
  if (!follow) {
    for (const each of readings) if (!signals.reading.aborted) await shipOne(each, shipping, spoolBytes);
    return;
  }
  const ended = await Promise.allSettled(readings.map((each) => shipOne(each, shipping, spoolBytes)));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

const wantedOf = ({ follow, from, signals, warn, note }: Shipping): Wanted => ({
  follow,
  from,
  signal: signals.reading,
  warn,
  note,
});

async function shipOne(reading: Reading, shipping: Shipping, spoolBytes: number): Promise<void> {
  const { input, state, after } = reading;
  const { follow, totals, bar, sender, signals, warn, onUnparsed } = shipping;
  const inspector = new Inspector(subjectOf(input), {
    onUnmatchable: (problem) => warn(textOf(problem)),
    onUnreadable: (problem) => {
      if (isCareful(reading, shipping)) throw wrongFile(problem);
      warn(textOf(problem));
    },
    onUnparsed: onUnparsed && ((number, bytes) => onUnparsed(input, number, bytes)),
  });
  const shipper = new Shipper(inspector, {
    batchBytes: () => sender?.batchBytes ?? Number.POSITIVE_INFINITY,
    flushEveryMs: shipping.flushEveryMs,
    onlyAgents: shipping.onlyAgents,
    stripPrefix: shipping.stripPrefix,
    send: sender && ((bytes) => sender.send(bytes)),
    isCareful: isCareful(reading, shipping),
    onAcknowledged: (position, bytes) => {
      state?.save(input, position);
      totals.bytesDone += bytes;
      bar.progressed();
    },
    onRead: (bytes) => {
      totals.bytesRead += bytes;
    },
    onTooLong: () => {
      totals.skippedLines += 1;
    },
    warn,
    head: after?.head ?? '',
  });
  // Following ends at the first signal; then the chunks that were read ahead are sent.
  const stop = follow ? signals.sending : signals.reading;
  const chunks = withIdleTicks(chunksOf(reading, wantedOf(shipping), spoolBytes), TICK_MS, stop);
  try {
    await shipper.run(chunks, () => !follow && !signals.reading.aborted);
  } catch (error) {
    // The other inputs stop reading and send what they have read.
    signals.stopReading();
    throw error;
  } finally {
    totals.inspect(inspector.counts, inspector.agents, inspector.clients);
  }
}

/**
 * Whether unreadable lines at the beginning stop the shipping. They do not if a part of the log was accepted before.
 */
const isCareful = ({ after }: Reading, { force, sender }: Shipping): boolean =>
  !force && sender !== null && after === undefined;

/**
 * Checks the beginnings of several files, so that a file which is not a log is reported before any file is sent.
 * @throws CommandError `usage` for the first of them.
 */
async function checkBeginnings(readings: readonly Reading[], shipping: Shipping): Promise<void> {
  if (readings.length === 1 || shipping.follow) return;
  for (const reading of readings) {
    if (reading.isPipe || !isCareful(reading, shipping)) continue;
    const inspector = new Inspector(subjectOf(reading.input), {
      onUnmatchable: () => {},
      onUnreadable: (problem) => {
        throw wrongFile(problem);
      },
      onUnparsed: undefined,
    });
    const shipper = new Shipper(inspector, { ...checkOnly, stripPrefix: shipping.stripPrefix });
    await shipper.run(beginningOf(chunksOf(reading, wantedOf(shipping), 0), inspector), () => false);
  }
}

const checkOnly: Omit<ShipperOptions, 'stripPrefix'> = {
  batchBytes: () => Number.POSITIVE_INFINITY,
  flushEveryMs: Number.POSITIVE_INFINITY,
  onlyAgents: false,
  send: null,
  isCareful: false,
  onAcknowledged: () => {},
  onRead: () => {},
  onTooLong: () => {},
  warn: () => {},
  head: '',
};

async function* beginningOf(chunks: AsyncIterable<Chunk>, inspector: Inspector): AsyncGenerator<Chunk> {
  let left = BEGINNING_BYTES;
  for await (const chunk of chunks) {
    yield chunk;
    left -= chunk.bytes.length;
    if (left <= 0 || !inspector.isDoubtful) return;
  }
}

const subjectOf = (input: string): string => (input === STDIN ? 'standard input' : input);

const textOf = ({ statement, advice }: Problem): string => `${statement}\n${advice}`;

const wrongFile = ({ statement, advice }: Problem): CommandError =>
  new CommandError('usage', `${statement}\nNothing of it was sent.`, {
    hint: `${advice} Use --force to send it anyway.`,
  });
