/**
 * Takes pictures of the page with the demo's data: docs/page.png for the README, and with a folder as argument every
 * page at three widths, in light and dark.
 *
 *   npm run screenshots [-- FOLDER]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { demoBrandId, demoDataset } from '../src/demo/data/index.js';
import { demoRobots } from '../src/demo/robots.js';
import { migrate, openDatabase } from '../src/server/database/database.js';
import { importRecords } from '../src/server/dataset/import.js';
import { createLog } from '../src/server/log.js';
import { startServer } from '../src/server/main.js';
import { startBrowser } from './support/browser.js';
import { serverSettings } from './support/server-settings.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const DAYS = { runs: 35, archivedRuns: 3, dailyStats: 1, crawlers: 28, visits: 1, offsite: 1 };
const KEY = 'key-of-the-screenshots-0123456789';
const BRAND = `/brands/${demoBrandId}`;

const [folder] = process.argv.slice(2);
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
  const page = await browser.newPage({ viewport: { width: 1200, height: 830 } });
  await signIn(page);
  await page.goto(server.url + BRAND);
  await page.screenshot({ path: join(import.meta.dirname, '../docs/page.png') });
  if (folder !== undefined) await everyView(page, folder);
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

async function everyView(page: Page, into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const pages = {
    brand: BRAND,
    prompt: `${BRAND}/prompts/p16`,
    brands: '/brands',
    archived: '/brands/aerisvane',
    empty: '/brands/slumbrook',
    'sign-in': '/sign-in',
    unknown: '/brands/nobody',
  };
  for (const [name, path] of Object.entries(pages)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 1000, 1600]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(server.url + path);
        await page.screenshot({ path: join(into, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
  }
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await page.goto(server.url + BRAND);
  await page.pdf({
    path: join(into, 'brand.pdf'),
    format: 'A4',
    margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' },
  });
}
