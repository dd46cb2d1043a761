/** Returns the current time. It is always an argument, so that tests can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Returns milliseconds that never go back, for what is kept for some time: the time of day may be set. */
export type Stopwatch = () => number;

export const systemStopwatch: Stopwatch = () => performance.now();
