/**
 * Sets the clock of this process, from which the command takes the current day.
 * @returns Sets it back.
 */
export function setCurrentTime(now: Date): () => void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [string | number | Date]) {
      super(...((given.length === 0 ? [now] : given) as [Date]));
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]';
    }
  } as DateConstructor;
  return () => {
    globalThis.Date = RealDate;
  };
}
