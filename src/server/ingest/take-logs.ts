/** Decodes, parses and stores the body of a request. */
import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Knex } from 'knex';
import { crawlerEvents, type IngestResult } from '../../contract/crawler-events.js';
import { errors } from '../../contract/errors.js';
import { isVerificationRequest } from '../../logs/index.js';
import { retried } from '../database/retry.js';
import { refuse } from '../errors.js';
import { decodedBody } from './decode-body.js';
import { dedupeKey } from './dedupe-key.js';
import { HitWriter } from './hit-writer.js';
import { type ParsedBody, parseBody } from './parse-body.js';
import { retentionStart } from './retention.js';

export interface ReceivedLogs {
  readonly brandKey: number;
  /** The body as it was on the wire. */
  readonly wire: readonly Buffer[];
  readonly headers: IncomingHttpHeaders;
  readonly vercelVerify: string | undefined;
  readonly now: Date;
}

export interface LogStore {
  readonly db: Knex;
  readonly secret: KeyObject;
  readonly retentionDays: number;
}

export interface Taken {
  readonly result: IngestResult;
  /** Whether any read of the brand may have changed. */
  readonly changed: boolean;
}

/** The result of a platform's test request. */
const NOTHING_TAKEN: Taken = {
  result: { inserted: 0, matched: 0, totalLines: 0, unparsed: 0 },
  changed: false,
};

/**
 * Stores the hits of a body: all of them if it returns, none if it throws.
 * @throws 413, 415 or 400 for a body that cannot be decoded or is empty.
 */
export const takeLogs = (store: LogStore, received: ReceivedLogs): Promise<Taken> =>
  // After a serialisation failure the body is parsed again, because its hits are not kept in memory.
  retried(async () => {
    const writer = new HitWriter(store.db, received.brandKey, received.now);
    try {
      return await storeLogs(writer, store, received);
    } finally {
      await writer.abandon();
    }
  });

async function storeLogs(
  writer: HitWriter,
  { secret, retentionDays }: LogStore,
  received: ReceivedLogs,
): Promise<Taken> {
  const { wire, headers, now } = received;
  const chunks = decodedBody(wire, headers['content-encoding'] ?? '', crawlerEvents.limits.decodedBytes);
  const oldest = retentionStart(now, retentionDays).getTime();
  const parsed = await parseBody(chunks, now, {
    add: (hit) => {
      if (hit.time < oldest) return;
      const { agent, path, status } = hit;
      const time = new Date(hit.time).toISOString();
      writer.add({ key: dedupeKey(secret, hit).toString('base64'), agent, path, time, status });
    },
    settle: () => writer.settle(),
  });
  if (isTest(parsed, received)) return NOTHING_TAKEN;
  if (parsed.blank) throw refuse(errors.emptyBody());
  const { matched, totalLines, unparsed, newestTime } = parsed;
  // A body without a request line (build logs, comments, unreadable lines) does not connect the brand.
  if (newestTime === null) return { result: { inserted: 0, matched, totalLines, unparsed }, changed: false };
  const { inserted, changed } = await writer.finish(new Date(newestTime));
  return { result: { inserted, matched, totalLines, unparsed }, changed };
}

const isTest = ({ shortText }: ParsedBody, { headers, vercelVerify }: ReceivedLogs): boolean =>
  shortText !== null && isVerificationRequest({ headers, vercelVerify, body: shortText });
