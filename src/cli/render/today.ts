/** The current day; days are days of UTC in every read. */
export const today = (): string => new Date().toISOString().slice(0, 10);
