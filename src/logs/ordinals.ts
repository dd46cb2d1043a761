/** Numbers equal texts in order of arrival, without keeping the texts. */

const FIRST_SLOTS = 64;

/**
 * A 64-bit hash identifies a text, in a table with open addressing: 12 bytes per slot, at most three quarters occupied.
 * In one of forty million bodies of a million texts, two texts collide and count as equal.
 */
export class Ordinals {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  /** The number of times that the text of each slot occurred; 0: the slot is free. */
  #times = new Uint32Array(FIRST_SLOTS);
  #taken = 0;

  /** How many equal texts occurred before this one. */
  next(text: string): number {
    if (this.#taken * 4 >= this.#times.length * 3) this.#grow();
    const [high, low] = hash64(text);
    const slot = this.#slotOf(high, low);
    if (this.#times[slot] === 0) this.#put(slot, high, low, 0);
    const before = this.#times[slot] as number;
    this.#times[slot] = before + 1;
    return before;
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#times.length - 1;
    let slot = low & mask;
    while (this.#times[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #put(slot: number, high: number, low: number, times: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#times[slot] = times;
    this.#taken++;
  }

  #grow(): void {
    const [high, low, times] = [this.#high, this.#low, this.#times];
    const slots = times.length * 2;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#times = new Uint32Array(slots);
    this.#taken = 0;
    for (let i = 0; i < times.length; i++) {
      if (times[i] === 0) continue;
      const [h, l] = [high[i] as number, low[i] as number];
      this.#put(this.#slotOf(h, l), h, l, times[i] as number);
    }
  }
}

/** Two 32-bit lanes that multiply and mix each character, and one another at the end. */
function hash64(text: string): [high: number, low: number] {
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
    a ^= b >>> 15;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a >>> 0, b >>> 0];
}
