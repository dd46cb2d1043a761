/** The largest size of a body, in bytes before compression. */
export const MOST_BODY_BYTES = 10_000_000;
/** The default size of a body. */
export const BODY_BYTES = 5_000_000;
/** The number of bytes by which a body may exceed that size if there is no place to cut it. */
export const OVERRUN_BYTES = 1_000_000;
