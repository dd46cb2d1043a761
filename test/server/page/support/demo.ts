/** A server with two weeks of the demo and with brands that are hard to lay out, whose tests share it. */
import { demoBrandId, demoDataset } from '../../../../src/demo/data/index.js';
import { demoRobots } from '../../../../src/demo/robots.js';
import { utcDay } from '../../../../src/server/days.js';
import { type TestServer, testServer } from '../../../support/server.js';
import { oddMarket } from './odd-market.js';

export { demoBrandId };

const NOW = new Date('2026-11-20T12:00:00Z');
/** What the pages show by default needs two windows of seven days. */
const DAYS = { runs: 14, archivedRuns: 3, dailyStats: 1, crawlers: 7, visits: 1, offsite: 1 };

export async function demoServer(): Promise<TestServer> {
  const server = await testServer({ now: NOW, robots: demoRobots });
  await server.load(demoDataset(NOW, DAYS));
  await server.load(oddMarket(utcDay(NOW)));
  return server;
}
