/** The time, as an argument: tests set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
