/** Reads a request's body as it is on the wire, within limits on size and on time. */
import type { IncomingMessage } from 'node:http';
import { errors, type Refusal } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import { Slabs } from '../ingest/slabs.js';

export interface BodyTimeouts {
  /** Longest silence between two pieces. */
  readonly idleMs: number;
  /** For the whole body. */
  readonly totalMs: number;
}

export const BODY_TIMEOUTS: BodyTimeouts = { idleMs: 20_000, totalMs: 180_000 };

export interface BodyOptions {
  readonly maxBytes: number;
  readonly timeouts: BodyTimeouts;
  readonly tooLarge?: () => Refusal;
  /** Is called with the length so far as it grows; what it throws ends the reading. */
  readonly onLength?: (length: number) => void;
}

/** The length that a request states for its body; 0 without one. */
export const statedLength = (request: IncomingMessage): number =>
  Number(request.headers['content-length'] ?? 0);

/**
 * The pieces of the body. No more than `maxBytes` are ever held.
 * @throws 413 as soon as the length is known to pass `maxBytes`, 408 when it comes too slowly, 400 when the client
 *   went away in the middle of it.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, timeouts, tooLarge = errors.bodyTooLarge, onLength = () => undefined }: BodyOptions,
): Promise<Buffer[]> {
  if (statedLength(request) > maxBytes) throw refuse(tooLarge());
  const { idleMs, totalMs } = timeouts;
  return new Promise((resolve, reject) => {
    const body = new Slabs();
    const fail = (error: unknown) => settle(() => reject(error));
    const late = (ms: number) => () => fail(refuse(errors.bodyTimeout(Math.ceil(ms / 1000))));
    const idle = setTimeout(late(idleMs), idleMs);
    const total = setTimeout(late(totalMs), totalMs);
    const onData = (chunk: Buffer) => {
      try {
        if (body.length + chunk.length > maxBytes) throw refuse(tooLarge());
        onLength(body.length + chunk.length);
      } catch (error) {
        return fail(error);
      }
      body.add(chunk);
      idle.refresh();
    };
    const onEnd = () => settle(() => resolve(body.pieces));
    const onGone = () => fail(refuse(errors.incompleteBody()));
    function settle(finish: () => void): void {
      clearTimeout(idle);
      clearTimeout(total);
      request.off('data', onData).off('end', onEnd).off('close', onGone);
      request.pause();
      finish();
    }
    if (request.destroyed) return onGone();
    return void request.on('data', onData).once('end', onEnd).once('close', onGone).once('error', onGone);
  });
}
