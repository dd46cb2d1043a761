/** Collects bytes without the pieces that they came in: a client decides how small those are, and each costs memory. */

const FIRST_BYTES = 4 * 1024;
const LARGEST_BYTES = 64 * 1024;

/** Holds what was added, and at most as much again (and never more than 64 KiB) for what may come. */
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
    // Not from the shared pool, which a small slab would keep as a whole.
    this.#open = Buffer.allocUnsafeSlow(size);
    this.#used = 0;
  }

  /** All that was added, in its order. */
  get pieces(): Buffer[] {
    return this.#used === 0 ? this.#full : [...this.#full, this.#open.subarray(0, this.#used)];
  }
}
