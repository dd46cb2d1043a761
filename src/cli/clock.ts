import type { Clock } from '../server/base/clock.js';

let clock: Clock = () => new Date();

/** The time, for every command and view. What else reads the clock of the machine is listed in `scripts/check/clocks.ts`. */
export const currentTime: Clock = () => clock();

/** Sets the clock of the command line. `main` does it with the one that it is given. */
export function setClock(given: Clock): void {
  clock = given;
}
