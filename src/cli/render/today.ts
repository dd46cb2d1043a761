/** The current day; days are days of UTC in every read. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** The mark of the current day, and its meaning. */
export const UNFINISHED = '*';
export const UNFINISHED_MEANS = `${UNFINISHED} today is not over (UTC): its value may still change`;

/** A day, with the mark if it is the current one. */
export const markedDay = (date: string): string => (date === today() ? `${date} ${UNFINISHED}` : date);
