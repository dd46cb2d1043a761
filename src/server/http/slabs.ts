/** Collects bytes in large buffers: a client decides how small the received chunks are, and each of them costs memory. */

const FIRST_BYTES = 4 * 1024;
const LARGEST_BYTES = 64 * 1024;

/** Keeps the added bytes, with at most as much free space again, and never more than 64 KiB of it. */
export class Slabs {
  #full: Buffer[] = [];
  #open = Buffer.alloc(0);
  #used = 0;
  length = 0;

  add(chunk: Buffer): void {
    this.length += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      if (this.#used === this.#open.length) this.#begin();
      const copied = chunk.copy(this.#open, this.#used, at);
      this.#used += copied;
      at += copied;
    }
  }

  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#open);
    const size = Math.min(LARGEST_BYTES, Math.max(FIRST_BYTES, this.#open.length * 2));
    // Not from Node's shared pool: a small slab would keep the whole pool in memory.
    this.#open = Buffer.allocUnsafeSlow(size);
    this.#used = 0;
  }

  /** All bytes that were added, in order. */
  get chunks(): Buffer[] {
    return this.#used === 0 ? this.#full : [...this.#full, this.#open.subarray(0, this.#used)];
  }
}
