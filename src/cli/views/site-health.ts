import { type SiteHealth, slowPage } from '../../contract/reads/site-health.js';
import type { Infer } from '../../contract/schema.js';
import { page } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, moment, type TableView } from '../render/view.js';

type SlowPage = Infer<typeof slowPage>;

export const siteHealthView: SheetView<SiteHealth, SlowPage> = {
  schema: slowPage,
  rows: ({ slowest }) => slowest,
  table: () => slowestView,
  draw,
};

function draw(health: SiteHealth, paper: Paper): void {
  const { brand, checked_at, ttfb_ms, slowest } = health;
  const name = `Site health · ${brand.name} · ${brand.domain}`;
  if (checked_at === null) {
    paper.title(name, 'Never crawled. How the site does is not known.');
    return;
  }
  paper.title(name, `newest check ${moment(checked_at)}`);
  paper.table('Pages', pagesView, [health]);
  paper.table('Time to first byte over the measured pages', timesView, ttfb_ms === null ? [] : [ttfb_ms]);
  if (slowest.length > 0) paper.table('Slowest pages', slowestView, slowest);
}

const NEVER_CRAWLED = { absence: 'never crawled' };

const pagesView: TableView<SiteHealth> = {
  noun: 'pages',
  columns: [
    count('on record', ({ pages }) => pages, NEVER_CRAWLED),
    count('ok', ({ ok_pages }) => ok_pages, NEVER_CRAWLED),
    count('errors', ({ error_pages }) => error_pages, NEVER_CRAWLED),
    count('bot walls', ({ bot_walls }) => bot_walls, NEVER_CRAWLED),
    count('measured', ({ measured_pages }) => measured_pages, NEVER_CRAWLED),
  ],
};

const MILLISECONDS = { scale: 'ms' };

const timesView: TableView<NonNullable<SiteHealth['ttfb_ms']>> = {
  noun: 'measured pages',
  columns: [
    count('median', ({ p50 }) => p50, MILLISECONDS),
    count('90th percentile', ({ p90 }) => p90, MILLISECONDS),
    count('slowest', ({ max }) => max, MILLISECONDS),
  ],
};

const slowestView: TableView<SlowPage> = {
  noun: 'measured pages',
  alarming: ({ status }) => status >= 400,
  columns: [
    page('page', ({ url }) => url),
    count('status', ({ status }) => status),
    count('time to first byte', ({ ttfb_ms }) => ttfb_ms, MILLISECONDS),
  ],
};
