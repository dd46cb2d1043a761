import type { IngestBar } from './bar.js';
import type { Delivery } from './delivery.js';
import { STDIN } from './input.js';
import { Inspector } from './inspector.js';
import type { Interruption } from './interruption.js';
import { goesOn, piecesOf, type Wanted } from './pieces.js';
import { Shipment } from './shipment.js';
import type { StateFile } from './state-file.js';
import { withTicks } from './ticks.js';
import type { Totals } from './totals.js';

/** What all inputs of one command share. */
export interface Shipping {
  readonly follow: boolean;
  readonly from: Wanted['from'];
  readonly flushEveryMs: number;
  readonly onlyAgents: boolean;
  readonly stripPrefix: RegExp | undefined;
  /** Null in a dry run. */
  readonly delivery: Delivery | null;
  /** Where the position of a file is kept; null: nowhere. */
  readonly stateOf: (file: string) => StateFile | null;
  readonly totals: Totals;
  readonly bar: IngestBar;
  readonly interruption: Interruption;
  readonly warn: (message: string) => void;
  readonly onUnparsed: ((input: string, lineNumber: number, bytes: Buffer) => void) | undefined;
}

const TICK_MS = 250;

/** Ships all inputs: one after the other, or all at once where they are followed. */
export async function shipAll(inputs: readonly string[], shipping: Shipping): Promise<void> {
  if (!shipping.follow) {
    for (const input of inputs) {
      if (!shipping.interruption.reading.aborted) await shipOne(input, shipping);
    }
    return;
  }
  const ended = await Promise.allSettled(inputs.map((input) => shipOne(input, shipping)));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function shipOne(input: string, shipping: Shipping): Promise<void> {
  const { follow, from, totals, bar, delivery, interruption, warn, onUnparsed } = shipping;
  const state = input === STDIN ? null : shipping.stateOf(input);
  const position = state?.position(input);
  const wanted: Wanted = { follow, from, signal: interruption.reading };
  const inspector = new Inspector({
    warn,
    onUnparsed: onUnparsed && ((number, bytes) => onUnparsed(input, number, bytes)),
  });
  const shipment = new Shipment(inspector, {
    batchBytes: () => delivery?.batchBytes ?? Number.POSITIVE_INFINITY,
    flushEveryMs: shipping.flushEveryMs,
    onlyAgents: shipping.onlyAgents,
    stripPrefix: shipping.stripPrefix,
    deliver: delivery && ((bytes) => delivery.send(bytes)),
    onAcknowledged: (acknowledged) => {
      state?.save(input, acknowledged);
      bar.update(totals);
    },
    onRead: (bytes) => {
      totals.bytesRead += bytes;
      bar.read(bytes);
    },
    onTooLong: () => {
      totals.skippedLines += 1;
    },
    warn,
    head: goesOn(wanted, position) ? position!.head : '',
  });
  const pieces = withTicks(piecesOf(input, wanted, position), TICK_MS, interruption.reading);
  try {
    await shipment.run(pieces, () => !follow && !interruption.reading.aborted);
  } catch (error) {
    // The others end in good order.
    interruption.stopReading();
    throw error;
  } finally {
    totals.inspect(inspector.counts, inspector.agents, delivery === null);
  }
}
