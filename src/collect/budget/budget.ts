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
  reservedUsd(kind: string): number;
  /** Reserves more for a call of the kind, if it needs more than it has. False: a limit leaves no room. */
  grow(kind: string, mostUsd: number): boolean;
  /**
   * Replaces what is reserved for a call by its cost; null: the cost is unknown, so what was reserved counts.
   * @returns What the call cost more than was reserved.
   */
  spend(kind: string, costUsd: number | null): number;
  /** Gives back what was not used. */
  release(): void;
}

/** Sums of decimal prices differ from a limit by less than this. */
const TOLERANCE_USD = 1e-9;

export interface Charge {
  readonly kind: string;
  /** The most that one call costs; null: a price is not stated, so there is no limit of US dollars. */
  readonly mostUsd: number | null;
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
  observe(kind: string, costUsd: number): void {
    this.#highest.set(kind, Math.max(costUsd, this.#highest.get(kind) ?? 0));
  }

  /** As `reserve`, but waits while calls in flight may still give room back. */
  async reserveWhenFree(charges: readonly Charge[]): Promise<LimitName | Reservation> {
    for (;;) {
      const reservation = this.reserve(charges);
      if (typeof reservation !== 'string' || this.#reservedCalls === 0) return reservation;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Whether a call of the kind was seen, so that several may be sent at once. */
  knows(kind: string): boolean {
    return this.#limits.maxUsd === null || this.#highest.has(kind);
  }

  /**
   * Reserves room for some calls together: for each the most that it may cost, or what the most expensive one of its kind
   * did cost if that is more.
   * @returns The limit that leaves no room, or the reservation.
   */
  reserve(charges: readonly Charge[]): LimitName | Reservation {
    const { maxCalls } = this.#limits;
    if (maxCalls !== null && this.#calls + this.#reservedCalls + charges.length > maxCalls) return 'maxCalls';
    const open = new Map(
      charges.map(({ kind, mostUsd }) => [kind, Math.max(mostUsd ?? 0, this.#highest.get(kind) ?? 0)]),
    );
    if (!this.#hasRoom([...open.values()].reduce((sum, usd) => sum + usd, 0))) return 'maxUsd';
    return this.#reservation(open);
  }

  #hasRoom(usd: number): boolean {
    const { maxUsd } = this.#limits;
    return maxUsd === null || usd <= maxUsd - this.#spentUsd - this.#reservedUsd + TOLERANCE_USD;
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
      reservedUsd: (kind) => open.get(kind) ?? 0,
      grow: (kind, mostUsd) => {
        const more = mostUsd - (open.get(kind) ?? 0);
        if (more <= 0) return true;
        if (!this.#hasRoom(more)) return false;
        this.#reservedUsd += more;
        open.set(kind, mostUsd);
        return true;
      },
      spend: (kind, costUsd) => {
        const reserved = take(kind);
        const cost = costUsd ?? reserved;
        this.#calls++;
        this.#spentUsd += cost;
        this.observe(kind, cost);
        return cost - reserved > TOLERANCE_USD ? cost - reserved : 0;
      },
      release: () => {
        for (const kind of [...open.keys()]) take(kind);
      },
    };
  }
}
