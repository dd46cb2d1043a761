/** Returns the current time. It is always an argument, so that tests can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
