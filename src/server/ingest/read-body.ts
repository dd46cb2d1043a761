/** Reads a request's body as it is on the wire, within limits on size and on time. */
import type { IncomingMessage } from 'node:http';
import { errors, type Refusal } from '../../contract/errors.js';
import { refuse } from '../errors.js';

export interface BodyTimeouts {
  /** Longest silence between two pieces. */
  readonly idleMs: number;
  /** For the whole body. */
  readonly totalMs: number;
}

export const BODY_TIMEOUTS: BodyTimeouts = { idleMs: 20_000, totalMs: 180_000 };

/**
 * The pieces of the body. No more than `maxBytes` are ever held.
 * @throws 413 as soon as the length is known to pass `maxBytes`, 408 when it comes too slowly, 400 when the client
 *   went away in the middle of it.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  { idleMs, totalMs }: BodyTimeouts,
  tooLarge: () => Refusal = errors.bodyTooLarge,
): Promise<Buffer[]> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refuse(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const late = (ms: number) => () => settle(() => reject(refuse(errors.bodyTimeout(Math.ceil(ms / 1000)))));
    const idle = setTimeout(late(idleMs), idleMs);
    const total = setTimeout(late(totalMs), totalMs);
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) return settle(() => reject(refuse(tooLarge())));
      chunks.push(chunk);
      idle.refresh();
    };
    const onEnd = () => settle(() => resolve(chunks));
    const onGone = () => settle(() => reject(refuse(errors.incompleteBody())));
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
