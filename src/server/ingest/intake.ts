/**
 * What the process holds of bodies that are coming in. Each is let in before it is read and counts until it is stored, so
 * that no number of clients can make the process hold more than the limits, and no key more than its share of them.
 */
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';

export interface IntakeLimits {
  /** Bodies at a time: of all keys, and of one. */
  readonly bodies: number;
  readonly bodiesPerKey: number;
  /** Bytes on the wire that all of them hold together: of all keys, and of one. */
  readonly bytes: number;
  readonly bytesPerKey: number;
}

const MIB = 1024 * 1024;

/** A key may send as many small bodies at once as its bucket has tokens, or three of the largest. */
export const INTAKE_LIMITS: IntakeLimits = {
  bodies: 512,
  bodiesPerKey: 128,
  bytes: 64 * MIB,
  bytesPerKey: 32 * MIB,
};

/** How long one that is turned away is asked to wait, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** A body that was let in. */
export interface Admission {
  /** Its bytes so far. @throws 503 where there is no room for them. */
  grow(length: number): void;
  /** Gives back what it holds. Is called once. */
  leave(): void;
}

export interface Intake {
  /**
   * Lets a body in. One that states its length is let in as a whole.
   * @throws 503 where there is no room.
   */
  admit(keyId: string, statedBytes: number): Admission;
}

interface Held {
  bodies: number;
  bytes: number;
}

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
