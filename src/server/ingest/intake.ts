/**
 * Limits the memory for bodies that are being received. Each body is admitted before it is read and counts until it is
 * stored, so that clients together cannot exceed the limits, and no key can exceed its share of them.
 */
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import { RETRY_AFTER_SECONDS } from '../limits/fair-queue.js';

export interface IntakeLimits {
  /** Concurrent bodies: of all keys, and of one key. */
  readonly bodies: number;
  readonly bodiesPerKey: number;
  /** Bytes on the wire of all admitted bodies: of all keys, and of one key. */
  readonly bytes: number;
  readonly bytesPerKey: number;
}

const MIB = 1024 * 1024;

/** A key may send as many small bodies concurrently as its bucket has tokens, or three of the largest. */
export const INTAKE_LIMITS: IntakeLimits = {
  bodies: 512,
  bodiesPerKey: 128,
  bytes: 64 * MIB,
  bytesPerKey: 32 * MIB,
};

/** An admitted body. */
export interface Admission {
  /** Sets its bytes so far. @throws 503 if that exceeds a limit. */
  grow(length: number): void;
  /** Releases its bytes. Must be called exactly once. */
  leave(): void;
}

export interface Intake {
  /**
   * Admits a body, with its whole length if that is stated.
   * @throws 503 if that exceeds a limit.
   */
  admit(keyId: string, statedBytes: number): Admission;
}

interface Held {
  bodies: number;
  bytes: number;
}

/** Admits bodies up to these limits; its counts are of this process alone. */
export function createIntake(limits: IntakeLimits): Intake {
  const all: Held = { bodies: 0, bytes: 0 };
  const byKey = new Map<string, Held>();

  function add(keyId: string, bodies: number, bytes: number): void {
    const own = byKey.get(keyId) ?? { bodies: 0, bytes: 0 };
    const isFull =
      all.bodies + bodies > limits.bodies ||
      own.bodies + bodies > limits.bodiesPerKey ||
      all.bytes + bytes > limits.bytes ||
      own.bytes + bytes > limits.bytesPerKey;
    if (isFull) throw refuse(errors.ingestBusy(RETRY_AFTER_SECONDS));
    byKey.set(keyId, { bodies: own.bodies + bodies, bytes: own.bytes + bytes });
    all.bodies += bodies;
    all.bytes += bytes;
  }

  function remove(keyId: string, bytes: number): void {
    const own = byKey.get(keyId) as Held;
    all.bodies--;
    all.bytes -= bytes;
    if (own.bodies === 1) byKey.delete(keyId);
    else byKey.set(keyId, { bodies: own.bodies - 1, bytes: own.bytes - bytes });
  }

  return {
    admit(keyId, statedBytes) {
      let held = statedBytes;
      add(keyId, 1, held);
      return {
        grow(length) {
          if (length <= held) return;
          add(keyId, 0, length - held);
          held = length;
        },
        leave() {
          remove(keyId, held);
        },
      };
    },
  };
}
