/** Takes the picture of the page with the demo's data for the README, docs/page.png: npm run screenshots. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { demoBrandId, demoDataset } from '../src/demo/data/index.js';
import { demoRobots } from '../src/demo/site-files.js';
import { createLog } from '../src/server/base/log.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/intake/dataset/import.js';
import { startServer } from '../src/server/run/main.js';
import { startBrowser } from './support/browser.js';
import { serverSettings } from './support/server-settings.js';

const NOW = new Date('2026-11-20T12:00:00Z');
/** The window that is shown, and the one before. */
const DAYS = { runs: 56, archivedRuns: 3, dailyStats: 1, crawlers: 28, visits: 1, offsite: 1 };
const KEY = 'key-of-the-screenshots-0123456789';
const BRAND = `/brands/${demoBrandId}`;

const database = await openDatabase({ folder: undefined });
await migrate(database.knex);
await importRecords(database.knex, demoDataset(NOW, DAYS), { now: NOW });
const server = await startServer(serverSettings(KEY), database, {
  clock: () => NOW,
  log: createLog('silent'),
  robots: demoRobots,
});
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1090 } });
  await signIn(page);
  await page.goto(server.url + BRAND);
  await page.screenshot({ path: join(import.meta.dirname, '../docs/page.png') });
} finally {
  await browser.close();
  await server.close();
  await database.close();
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.fill('#key', KEY);
  await page.click('.primary');
  await page.waitForURL('**/brands');
}
