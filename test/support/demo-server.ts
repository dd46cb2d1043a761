/** A server with two weeks of the demo, whose tests share it. */
import { demoDataset } from '../../src/demo/data/index.js';
import { demoRobots } from '../../src/demo/site-files.js';
import { type TestServer, testServer } from './server.js';

export const DEMO_NOW = new Date('2026-11-20T12:00:00Z');
/** What reads show by default needs two windows of seven days. */
const DAYS = { runs: 14, archivedRuns: 3, dailyStats: 1, crawlers: 7, visits: 1, offsite: 1 };

export async function demoServer(): Promise<TestServer> {
  const server = await testServer({ now: DEMO_NOW, robots: demoRobots });
  await server.load(demoDataset(DEMO_NOW, DAYS));
  return server;
}
