/** Lets only one call be the first of its kind, so that its cost is known before others are sent. */
export class FirstCalls {
  readonly #isKnown: (kind: string) => boolean;
  /** Settles when the first call of the kind has ended. */
  readonly #running = new Map<string, Promise<void>>();

  /** @param isKnown Whether the cost of a call of the kind is known. */
  constructor(isKnown: (kind: string) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Does work that makes calls of these kinds, when no other work makes the first call of one of them. */
  async during(kinds: readonly string[], work: () => Promise<void>): Promise<void> {
    const unknown = () => kinds.filter((kind) => !this.#isKnown(kind));
    // Checked again after each wait, and without a pause before the work begins.
    for (let first = this.#firstOf(unknown()); first; first = this.#firstOf(unknown())) await first;
    const own = unknown();
    const working = work();
    const settled = working.then(
      () => this.#end(own),
      () => this.#end(own),
    );
    for (const kind of own) this.#running.set(kind, settled);
    return working;
  }

  #firstOf(kinds: readonly string[]): Promise<void> | undefined {
    return kinds.map((kind) => this.#running.get(kind)).find((running) => running !== undefined);
  }

  #end(kinds: readonly string[]): void {
    for (const kind of kinds) this.#running.delete(kind);
  }
}
