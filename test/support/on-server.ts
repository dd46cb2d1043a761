/**
 * Tests of what only much data shows: plans, numbers of statements, memory, sums of random data sets. The embedded database
 * takes seconds to store it and runs the same statements, so these run where TEST_DATABASE_URL names a server
 * (`postgres` in scripts/test.mjs).
 */
import { serverUrl } from './database.js';

/** How much random data a test draws: much on a server, little on the embedded database. */
export const onServer = <T>(much: T, little: T): T => (serverUrl ? much : little);

// Functions, because mocha gives each file of a process an `it` and a `describe` of its own.
export const itOnServer = (title: string, test: Mocha.AsyncFunc) => (serverUrl ? it : it.skip)(title, test);
export const describeOnServer = (title: string, tests: (this: Mocha.Suite) => void) =>
  (serverUrl ? describe : describe.skip)(title, tests);
