import { siteHealth, slowPage, ttfb } from '../../contract/reads/site-health.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { columnsOf, moment, page, type TableView } from '../render/view.js';

type Data = Infer<typeof siteHealth.response>;

type SlowPage = Infer<typeof slowPage>;

export default readCommand(siteHealth, {
  inHelp: { group: 'YOUR SITE', place: 4 },
  description:
    'Pages are ok at status 200 to 299 and errors from 400 on. A bot wall lets people through and bots not; ' +
    'it counts as neither. Formats other than the table print one of the slowest pages per row. Needs the ' +
    'Growth plan or above.',
  table: () => slowestView,
  draw,
});

function draw(health: Data, document: Document): void {
  const { brand, checked_at, ttfb_ms, slowest } = health;
  const name = `Site health · ${brand.name} · ${brand.domain}`;
  if (checked_at === null) {
    document.title(name, 'Never crawled. How the site does is not known.');
    return;
  }
  document.title(name, `newest check ${moment(checked_at)}`);
  document.table('Pages', pagesView, [health]);
  document.table('Time to first byte over the measured pages', timesView, ttfb_ms === null ? [] : [ttfb_ms]);
  if (slowest.length > 0) document.table('Slowest pages', slowestView, slowest);
}

const column = columnsOf(siteHealth.response);

const NEVER_CRAWLED = { absence: 'never crawled' };

const pagesView: TableView<Data> = {
  noun: 'pages',
  columns: [
    column('pages', NEVER_CRAWLED),
    column('ok_pages', NEVER_CRAWLED),
    column('error_pages', NEVER_CRAWLED),
    column('bot_walls', NEVER_CRAWLED),
    column('measured_pages', NEVER_CRAWLED),
  ],
};

const ofTimes = columnsOf(ttfb);
const ofSlow = columnsOf(slowPage);

const MILLISECONDS = { as: 'count', scale: 'ms' } as const;

const timesView: TableView<NonNullable<Data['ttfb_ms']>> = {
  noun: 'measured pages',
  columns: [ofTimes('p50', MILLISECONDS), ofTimes('p90', MILLISECONDS), ofTimes('max', MILLISECONDS)],
};

const slowestView: TableView<SlowPage> = {
  noun: 'measured pages',
  alarming: ({ status }) => status >= 400,
  columns: [page, ofSlow('status'), ofSlow('ttfb_ms', MILLISECONDS)],
};
