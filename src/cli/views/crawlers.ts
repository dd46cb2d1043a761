import { type CrawlerAgent, type Crawlers, crawlers } from '../../contract/reads/crawlers.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, counted, moment, type TableView, words } from '../render/view.js';

export const crawlersView: SheetView<Crawlers, CrawlerAgent> = {
  schema: crawlers.response.fields.agents.items,
  rows: ({ agents }) => agents,
  table: () => agentsView,
  draw,
};

function draw(
  { brand, window_days, totals, last_event_at, robots_fetch_state, agents }: Crawlers,
  paper: Paper,
): void {
  paper.title(
    `AI crawlers · ${brand.name} · last ${window_days} days`,
    totals === null
      ? 'No crawler log was ever received: visits are not known.'
      : `${counted(totals.hits, 'hit')} on ${counted(totals.pages, 'page')} · newest log line ${last_event_at === null ? 'unknown' : moment(last_event_at)}`,
  );
  paper.words(robotsWords[robots_fetch_state], ...warning(agents));
  const shown = agents.filter((agent) => agent.hits !== 0 || hides(agent));
  paper.table(null, agentsView, shown);
  const quiet = agents.length - shown.length;
  if (quiet > 0)
    paper.words(`${counted(quiet, 'more known agent')} without a hit; --format md, csv or json lists them.`);
}

const robotsWords: { readonly [state in Crawlers['robots_fetch_state']]: string } = {
  ok: 'robots.txt was read.',
  absent: 'There is no robots.txt, so nothing is blocked.',
  error: 'robots.txt could not be read: verdicts are not known.',
};

/** Blocking these takes the site out of answers. */
const hides = ({ purpose, robots }: CrawlerAgent): boolean =>
  robots?.verdict === 'blocked' && (purpose === 'search_index' || purpose === 'user_fetch');

function warning(agents: readonly CrawlerAgent[]): string[] {
  const hidden = agents.filter(hides).map(({ label }) => label);
  if (hidden.length === 0) return [];
  return [`! Blocked although answers need ${hidden.length === 1 ? 'it' : 'them'}: ${hidden.join(', ')}.`];
}

const verdicts = { allowed: '✓ allowed', blocked: '✗ blocked', unaddressed: '· unaddressed' } as const;

const agentsView: TableView<CrawlerAgent> = {
  noun: 'agents',
  alarming: hides,
  columns: [
    words('agent', ({ label, in_logs }) => label + (in_logs ? '' : ' (robots.txt only)'), {
      room: 'flexible',
    }),
    words('purpose', ({ purpose }) => purpose.replaceAll('_', ' ')),
    count('hits', ({ hits }) => hits),
    count('pages', ({ pages }) => pages),
    words('robots.txt', (row) =>
      row.robots === null ? null : verdicts[row.robots.verdict] + (hides(row) ? ' !' : ''),
    ),
    words('feeds', ({ engine }) => engine ?? '', { room: 'spare' }),
    words('last seen', ({ last_seen }) => (last_seen === null ? '' : moment(last_seen)), { room: 'spare' }),
    words('operator', ({ operator }) => operator, { room: 'spare' }),
    words('closed path', ({ robots }) => robots?.blocked_path ?? '', { room: 'spare' }),
    words('rule', ({ robots }) => robots?.rule ?? '', { room: 'spare' }),
  ],
};
