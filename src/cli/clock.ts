import type { Clock } from '../server/clock.js';

let clock: Clock = () => new Date();

/** The time, for every command and view. Nothing else of the command line reads the clock of the machine. */
export const currentTime: Clock = () => clock();

/** Sets the clock of the command line. `main` does it with the one that it is given. */
export function setClock(given: Clock): void {
  clock = given;
}
