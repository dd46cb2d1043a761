/** Decodes, parses and stores the body of a request. */

import { createHmac, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import { crawlerEvents, type IngestResult } from '../../../contract/crawler-events.js';
import { errors } from '../../../contract/errors.js';
import type { AddressList } from '../../../logs/clients/lists.js';
import { createVerifier, type Verifier } from '../../../logs/clients/verify.js';
import { type Hit, identityInput } from '../../../logs/hit.js';
import { createLogParser } from '../../../logs/parse.js';
import type { Referral } from '../../../logs/referrals/referral.js';
import { isVerificationRequest, VERIFICATION_BODY_LIMIT } from '../../../logs/verification.js';
import { DAY_MS, utcDay } from '../../base/days.js';
import {
  asEncoding,
  decompressed,
  type Encoding,
  encodings,
  isCorrupt,
  SLICE_BYTES,
  sniffedEncoding,
  statedEncodings,
} from '../../base/encodings.js';
import { refuse } from '../../base/errors.js';
import { retried } from '../../database/connections.js';
import {
  type CrawlerEventRow,
  connectCrawlerLogs,
  insertCrawlerEvents,
  retentionStart,
} from './crawler-events.js';
import { addCells, lockHits } from './crawler-weeks.js';
import { addReferringDays, ReferralWriter } from './referral-days.js';

// Decompresses a body chunk by chunk, so that only one chunk of it is in memory.

/**
 * The decoded body, in chunks of at most SLICE_BYTES if it was compressed. It can be decoded more than once.
 * @throws 415 for an unsupported encoding; while it is read: 413 beyond `maxBytes`, 400 if it is corrupt.
 */
function decodedBody(
  wire: readonly Buffer[],
  contentEncoding: string,
  maxBytes: number,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  if (wire.length === 0) return [];
  const encoding = encodingOf(wire, contentEncoding);
  return encoding === null ? wire : limited(wire, encoding, maxBytes);
}

/** Null: the body is not compressed. */
function encodingOf(wire: readonly Buffer[], header: string): Encoding | null {
  const stated = statedEncodings(header);
  const name = stated.length > 0 ? stated.join(', ') : sniffedEncoding(wire);
  if (name === null) return null;
  const encoding = asEncoding(name);
  if (encoding) return encoding;
  throw refuse(
    stated.length > 0
      ? errors.unsupportedEncoding(name, encodings)
      : errors.unsupportedCompression(name, encodings),
  );
}

async function* limited(
  wire: readonly Buffer[],
  encoding: Encoding,
  maxBytes: number,
): AsyncIterable<Buffer> {
  let length = 0;
  try {
    for await (const chunk of decompressed(wire, encoding)) {
      length += chunk.length;
      if (length > maxBytes) throw refuse(errors.bodyTooLarge());
      yield chunk;
    }
  } catch (error) {
    throw isCorrupt(error) ? refuse(errors.corruptBody(encoding)) : error;
  }
}

// Parses a decoded body in slices, so that other requests are served in between.

interface ParsedBody {
  readonly totalLines: number;
  readonly unparsed: number;
  readonly matched: number;
  /** Newest time of any request line, in ms; null without one. */
  readonly newestTime: number | null;
  /** Of requests of people who state where they came from, counted from the epoch. */
  readonly referringDays: ReadonlySet<number>;
  /** Whether the body has nothing but white space. */
  readonly blank: boolean;
  /** The whole body, if it is short enough to be a platform's test request; null: it is longer. */
  readonly shortText: string | null;
}

/** Bytes of white space, and of a byte order mark. */
const BLANK_BYTES = new Set([9, 10, 11, 12, 13, 32, 0xef, 0xbb, 0xbf]);

interface HitSink {
  /** Called with each hit, in the order of the body. */
  add(hit: Hit): void;
  /** Called with each page view of a person whom an answer sent, in the order of the body. */
  addReferral(referral: Referral): void;
  /** Awaited between slices, for asynchronous work. */
  settle(): Promise<void>;
}

async function parseBody(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  now: Date,
  verifier: Verifier,
  hits: HitSink,
): Promise<ParsedBody> {
  const parser = createLogParser({
    now,
    verifier,
    onHit: (hit) => hits.add(hit),
    onReferral: (referral) => hits.addReferral(referral),
  });
  const head = new Head();
  let sinceBreak = 0;
  for await (const chunk of chunks) {
    head.push(chunk);
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      if (sinceBreak + slice.length > SLICE_BYTES) {
        sinceBreak = 0;
        await setImmediate();
      }
      parser.push(slice);
      await hits.settle();
      sinceBreak += slice.length;
    }
  }
  const { totalLines, unparsed, matched, newestTime } = parser.end();
  const { referringDays } = parser;
  return {
    totalLines,
    unparsed,
    matched,
    newestTime,
    referringDays,
    blank: head.blank,
    shortText: head.text,
  };
}

/** Whether the whole body is blank, and its text if it is short. */
class Head {
  blank = true;
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    if (this.blank && !chunk.every((byte) => BLANK_BYTES.has(byte))) this.blank = false;
    this.#length += chunk.length;
    if (this.#length <= VERIFICATION_BODY_LIMIT) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  get text(): string | null {
    return this.#length <= VERIFICATION_BODY_LIMIT ? Buffer.concat(this.#chunks).toString('utf8') : null;
  }
}

// The key that identifies a hit, so that a line that is shipped twice is stored once.

/**
 * The name of the deployment's secret for it. With a plain hash, the addresses and user agents in the hashed text could be
 * found by trying all of them.
 */
export const DEDUPE_SECRET = 'crawler-events';
const KEY_BYTES = 16;

/** 16 bytes of HMAC-SHA256 over the identity of the hit. */
export const dedupeKey = (secret: KeyObject, hit: Hit): Buffer =>
  createHmac('sha256', secret).update(identityInput(hit)).digest().subarray(0, KEY_BYTES);

interface ReceivedLogs {
  readonly brandKey: number;
  /** The body as it was on the wire. */
  readonly wire: readonly Buffer[];
  readonly headers: IncomingHttpHeaders;
  readonly vercelVerify: string | undefined;
  readonly now: Date;
}

interface LogStore {
  readonly db: Knex;
  readonly secret: KeyObject;
  readonly retentionDays: number;
  /** The lists that verify the clients of hits. */
  readonly lists: readonly AddressList[];
}

interface IngestOutcome {
  readonly result: IngestResult;
  /** Whether any read of the brand may have changed. */
  readonly changed: boolean;
}

/** The result of a platform's test request. */
const NOTHING_STORED: IngestOutcome = {
  result: { inserted: 0, matched: 0, totalLines: 0, unparsed: 0 },
  changed: false,
};

/**
 * Stores the hits of a body: all of them if it returns, none if it throws.
 * @throws 413, 415 or 400 for a body that cannot be decoded or is empty.
 */
export const takeLogs = (store: LogStore, received: ReceivedLogs): Promise<IngestOutcome> =>
  // After a serialisation failure the body is parsed again, because its hits are not kept in memory.
  retried(async () => {
    const referrals = new ReferralWriter(received.brandKey, store.secret, received.now);
    const writer = new HitWriter(store.db, received.brandKey, received.now, referrals);
    try {
      return await storeLogs(writer, store, received);
    } finally {
      await writer.abandon();
    }
  });

async function storeLogs(
  writer: HitWriter,
  { secret, retentionDays, lists }: LogStore,
  received: ReceivedLogs,
): Promise<IngestOutcome> {
  const { wire, headers, now } = received;
  const chunks = decodedBody(wire, headers['content-encoding'] ?? '', crawlerEvents.limits.decodedBytes);
  const oldest = retentionStart(now, retentionDays).getTime();
  const parsed = await parseBody(chunks, now, createVerifier(lists, now), {
    add: (hit) => {
      if (hit.time < oldest) return;
      const { agent, path, status, verified } = hit;
      const time = new Date(hit.time).toISOString();
      writer.add({ key: dedupeKey(secret, hit).toString('base64'), agent, path, time, status, verified });
    },
    addReferral: (referral) => {
      if (referral.time >= oldest) writer.addReferral(referral);
    },
    settle: () => writer.settle(),
  });
  if (isTest(parsed, received)) return NOTHING_STORED;
  if (parsed.blank) throw refuse(errors.emptyBody());
  const { matched, totalLines, unparsed, newestTime } = parsed;
  // A body without a request line (build logs, comments, unreadable lines) does not connect the brand.
  if (newestTime === null) return { result: { inserted: 0, matched, totalLines, unparsed }, changed: false };
  const days = [...parsed.referringDays].map((day) => day * DAY_MS).filter((day) => day + DAY_MS > oldest);
  const { inserted, changed } = await writer.finish(
    new Date(newestTime),
    days.map((day) => utcDay(new Date(day))),
  );
  return { result: { inserted, matched, totalLines, unparsed }, changed };
}

const isTest = ({ shortText }: ParsedBody, { headers, vercelVerify }: ReceivedLogs): boolean =>
  shortText !== null && isVerificationRequest({ headers, vercelVerify, body: shortText });

// Stores the hits of one body, all of them or none, and never keeps more than a batch of them in memory.

interface Stored {
  readonly inserted: number;
  /** Whether any read of the brand changed: rows were inserted, the newest time changed, or it is the first log. */
  readonly changed: boolean;
}

/** A batch is stored when it has this many rows, or this many characters, because paths may be long. */
export const BATCH_ROWS = 10_000;
const BATCH_CHARACTERS = 4 * 1024 * 1024;
/**
 * The text of a statement is built and sent in one step, which delays other requests: 1.4 ms for 1000 rows, 0.9 ms for these.
 * Fewer rows delay no more requests for long, and each statement costs time too.
 */
export const ROWS_PER_STATEMENT = 500;

/**
 * A body of up to one batch is stored at its end. For a longer one a transaction begins with its first batch, which is
 * rolled back unless `finish` is called.
 */
export class HitWriter {
  readonly #db: Knex;
  readonly #brandKey: number;
  readonly #receivedAt: Date;
  /** As JSON, encoded while the body is parsed: encoding all rows at once would delay other requests. */
  #rows: string[] = [];
  #characters = 0;
  #inserted = 0;
  #referred = 0;
  #transaction: Knex.Transaction | undefined;
  readonly #referrals: ReferralWriter | undefined;

  /** @param referrals Counts what `addReferral` adds; if omitted, there is nothing to count. */
  constructor(db: Knex, brandKey: number, receivedAt: Date, referrals?: ReferralWriter) {
    this.#db = db;
    this.#brandKey = brandKey;
    this.#receivedAt = receivedAt;
    this.#referrals = referrals;
  }

  addReferral(referral: Referral): void {
    this.#referrals!.add(referral);
    this.#characters += referral.path.length + referral.userAgent.length;
  }

  add({ key, ...row }: CrawlerEventRow): void {
    // The key comes first, so that the texts are in the order of the keys.
    const json = JSON.stringify({ key, ...row });
    this.#rows.push(json);
    this.#characters += json.length;
  }

  /** Stores the batch if it is full. */
  async settle(): Promise<void> {
    const rows = this.#rows.length + (this.#referrals?.size ?? 0);
    if (rows >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) await this.#store();
  }

  /**
   * Stores the rest, the newest time of any request line and the days on which it is known where people came from, and
   * commits.
   */
  async finish(newest: Date, referringDays: readonly string[] = []): Promise<Stored> {
    await this.#store();
    const trx = await this.#begun();
    const inserted = this.#inserted;
    const brandKey = this.#brandKey;
    const newDays = await addReferringDays(trx, brandKey, referringDays);
    const isChanged = inserted + this.#referred + newDays > 0;
    const moved = await connectCrawlerLogs(trx, { brandKey, newest, inserted: isChanged });
    await trx.commit();
    return { inserted, changed: moved.length > 0 };
  }

  /** Rolls back. After `finish` it does nothing. */
  async abandon(): Promise<void> {
    const trx = this.#transaction;
    if (!trx || trx.isCompleted()) return;
    // If the connection is lost, there is nothing to roll back, and the first error is the one to report.
    await trx.rollback().catch(() => undefined);
  }

  async #begun(): Promise<Knex.Transaction> {
    if (this.#transaction === undefined) {
      this.#transaction = await this.#db.transaction();
      await lockHits(this.#transaction, this.#brandKey);
    }
    return this.#transaction;
  }

  /** Stores the rows sorted by key, so that overlapping bodies wait for each other instead of deadlocking. */
  async #store(): Promise<void> {
    const rows = this.#rows.sort();
    this.#rows = [];
    this.#characters = 0;
    const cells: string[] = [];
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
      cells.push(...(await this.#insert(rows.slice(at, at + ROWS_PER_STATEMENT))));
    if (cells.length > 0) await addCells(await this.#begun(), this.#brandKey, cells);
    if (this.#referrals && this.#referrals.size > 0)
      this.#referred += await this.#referrals.store(await this.#begun());
  }

  /** Returns the counts of the new rows. */
  async #insert(rows: readonly string[]): Promise<string[]> {
    const [counted] = await insertCrawlerEvents(await this.#begun(), {
      brandKey: this.#brandKey,
      rows: `[${rows.join()}]`,
      receivedAt: this.#receivedAt,
    });
    this.#inserted += counted!.inserted;
    await setImmediate();
    return counted!.cells === null ? [] : [counted!.cells];
  }
}
