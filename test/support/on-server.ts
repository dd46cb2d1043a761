/**
 * Tests of what only many rows show: plans, numbers of statements, memory. The embedded database takes seconds to store
 * the rows and has the same planner, so these run where TEST_DATABASE_URL names a server (`.mocharc.postgres.json`).
 */
import { serverUrl } from './database.js';

export const itOnServer = serverUrl ? it : it.skip;
export const describeOnServer = serverUrl ? describe : describe.skip;
