/** The most that a body may hold, in bytes before compression. */
export const MOST_BODY_BYTES = 10_000_000;
/** What a body holds unless told otherwise. */
export const BODY_BYTES = 5_000_000;
/** How far a body may grow beyond that while it finds no place to be cut at. */
export const OVERRUN_BYTES = 1_000_000;
