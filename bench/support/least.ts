/**
 * The time of the round that was disturbed least. What else the machine does only ever adds to a time, so this is nearest to what the
 * work itself takes, and its ratio to another one changes less between runs than that of medians.
 */
export const least = (rounds: readonly number[]): number => Math.min(...rounds);
