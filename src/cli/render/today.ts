/** The day that is not over yet; days are those of UTC in every read. */
export const today = (): string => new Date().toISOString().slice(0, 10);
