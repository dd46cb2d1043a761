/** Servers with two weeks of the demo. To load it takes seconds, so the files that one process runs share its database. */
import { demoDataset } from '../../src/demo/data/index.js';
import { demoRobots } from '../../src/demo/site-files.js';
import type { Database } from '../../src/server/database/database.js';
import { emptyDatabase } from './database.js';
import { type TestServer, testServer } from './server.js';

export const DEMO_NOW = new Date('2026-11-20T12:00:00Z');
/** What reads show by default needs two windows of seven days. */
const DAYS = { runs: 14, archivedRuns: 3, dailyStats: 1, crawlers: 7, visits: 1, offsite: 1 };

/** Loaded databases by what they have besides; they end with the process. */
const kept = new Map<unknown, Promise<Database>>();

/** @param more Further records; a file passes the same function as the others that share the database. */
export async function demoServer(more?: () => Iterable<object>): Promise<TestServer> {
  const database = await (kept.get(more) ?? kept.set(more, loaded(more)).get(more)!);
  return testServer({ now: DEMO_NOW, robots: demoRobots, database });
}

async function loaded(more: () => Iterable<object> = () => []): Promise<Database> {
  const database = await emptyDatabase();
  const server = await testServer({ now: DEMO_NOW, robots: demoRobots, database });
  await server.load(demoDataset(DEMO_NOW, DAYS));
  const further = [...more()];
  if (further.length > 0) await server.load(further);
  await server.close();
  return database;
}
