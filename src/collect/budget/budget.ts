/** The hard limits of a collection. What earlier attempts of the same journal used counts. */

export interface Limits {
  /** Null: no limit. */
  readonly maxUsd: number | null;
  readonly maxCalls: number | null;
}

export type LimitName = keyof Limits;

/** Room for the calls of one run. It is given back or used up call by call. */
export interface Reservation {
  /** What is reserved for a call of the kind. */
  reservedUsd(kind: string): number | null;
  /** Replaces the highest cost of a call by its cost; null: the cost is unknown, so the reserved one counts. */
  spend(kind: string, costUsd: number | null): void;
  /** Gives back what was not used. */
  release(): void;
}

/** Sums of decimal prices differ from a limit by less than this. */
const TOLERANCE_USD = 1e-9;

interface Charge {
  readonly kind: string;
  /** The cost of one call as far as it is known beforehand. */
  readonly assumedUsd: number | null;
}

export class Budget {
  readonly #limits: Limits;
  /** The highest cost of a call seen, by its kind. */
  readonly #highest = new Map<string, number>();
  #spentUsd: number;
  #calls: number;
  #reservedUsd = 0;
  #reservedCalls = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: Limits, spent: { readonly usd: number; readonly calls: number }) {
    this.#limits = limits;
    this.#spentUsd = spent.usd;
    this.#calls = spent.calls;
  }

  get spentUsd(): number {
    return this.#spentUsd;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Raises the highest cost of a call of the kind if this one cost more. */
  observe(kind: string, costUsd: number | null): void {
    if (costUsd !== null) this.#highest.set(kind, Math.max(costUsd, this.#highest.get(kind) ?? 0));
  }

  /** As `reserve`, but waits while calls in flight may still give room back. */
  async reserveWhenFree(charges: readonly Charge[]): Promise<LimitName | Reservation> {
    for (;;) {
      const reservation = this.reserve(charges);
      if (typeof reservation !== 'string' || this.#reservedCalls === 0) return reservation;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Whether the cost of a call of the kind is known from an earlier one, so that several may be sent at once. */
  knows(kind: string): boolean {
    return this.#limits.maxUsd === null || this.#highest.has(kind);
  }

  /**
   * Reserves room for some calls together. A call costs what the most expensive one of its kind did; the first one of a
   * kind gets what is left if that is less than assumed.
   * @returns The limit that leaves no room, or the reservation.
   */
  reserve(charges: readonly Charge[]): LimitName | Reservation {
    const { maxUsd, maxCalls } = this.#limits;
    if (maxCalls !== null && this.#calls + this.#reservedCalls + charges.length > maxCalls) return 'maxCalls';
    const open = new Map(
      charges.map(({ kind, assumedUsd }) => [kind, this.#highest.get(kind) ?? assumedUsd ?? 0]),
    );
    if (maxUsd !== null) {
      const left = maxUsd - this.#spentUsd - this.#reservedUsd;
      const known = charges.reduce((sum, { kind }) => sum + (this.#highest.get(kind) ?? 0), 0);
      const isFree = charges.every(({ kind }) => open.get(kind) === 0);
      if (known > left + TOLERANCE_USD || (left <= TOLERANCE_USD && !isFree)) return 'maxUsd';
      const unknown = charges.filter(({ kind }) => !this.#highest.has(kind));
      for (const { kind } of unknown)
        open.set(kind, Math.min(open.get(kind)!, Math.max(0, left - known) / unknown.length));
    }
    return this.#reservation(open);
  }

  #reservation(open: Map<string, number>): Reservation {
    const take = (kind: string): number => {
      const reserved = open.get(kind) ?? 0;
      if (open.delete(kind)) {
        this.#reservedUsd -= reserved;
        this.#reservedCalls--;
        for (const wake of this.#waiting.splice(0)) wake();
      }
      return reserved;
    };
    for (const usd of open.values()) this.#reservedUsd += usd;
    this.#reservedCalls += open.size;
    return {
      reservedUsd: (kind) => open.get(kind) ?? null,
      spend: (kind, costUsd) => {
        const reserved = take(kind);
        this.#calls++;
        this.#spentUsd += costUsd ?? reserved;
        // A cost that is not stated is assumed to be what was reserved.
        this.observe(kind, costUsd ?? reserved);
      },
      release: () => {
        for (const kind of [...open.keys()]) take(kind);
      },
    };
  }
}
