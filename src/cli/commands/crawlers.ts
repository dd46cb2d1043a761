import { engineLabel, label, valueLabel } from '../../contract/glossary.js';
import {
  type CrawlerAgent,
  crawlerAgent,
  crawlers,
  type OutcomeName,
} from '../../contract/reads/crawlers.js';
import type { Infer } from '../../contract/schema.js';
import { noteOf } from '../base/read.js';
import { readCommand } from '../base/read-command.js';
import { platforms } from '../ingest/setup.js';
import type { Document } from '../render/document.js';
import { columnsOf, count, counted, moment, type TableView, text } from '../render/view.js';
import { datesText, percentText } from '../render/wording.js';

type Data = Infer<typeof crawlers.response>;

export default readCommand(crawlers, {
  inHelp: { group: 'YOUR SITE', place: 1 },
  description:
    'The purpose of a crawler is training, a search index, or fetches on behalf of users. Blocking one of the ' +
    'last two removes the site from answers: such rows end with !. Needs the Growth plan or above.',
  examples: ['', '--days 28', '--format csv'],
  request: (svc) => svc.crawlers,
  isWatched: true,
  table: () => agentsView,
  draw,
  // The table states that no log was received, and how to ship one.
  notes: (data, format) => (format === 'table' && data.totals === null ? [] : noteOf(data, format)),
});

function draw(
  { brand, totals, last_event_at, robots_fetch_state, agents, ...days }: Data,
  document: Document,
): void {
  const title = `AI crawlers · ${brand.name} · ${datesText(days)}`;
  if (totals === null) {
    const nothing =
      'No crawler log was ever received, so requests are not known: `svc ingest FILE` ships one.';
    const ways = `\`svc ingest --follow FILE\` ships what is written from now on; \`svc ingest setup ${platforms.join('|')}\` prints the settings of a platform.`;
    const failed = robots_fetch_state === 'error' ? [robotsMessages.error] : [];
    document.title(title, [nothing, ...failed, ...warning(agents)].join(' '), ways);
    return;
  }
  document.title(
    title,
    `${counted(totals.hits, 'request')} for ${counted(totals.pages, 'page')} · newest log line ${last_event_at === null ? 'unknown' : moment(last_event_at)}`,
  );
  document.sentences(robotsMessages[robots_fetch_state], ...warning(agents));
  const shown = agents.filter((agent) => agent.hits !== 0 || hides(agent));
  document.table(null, agentsView, shown);
  const quiet = agents.length - shown.length;
  if (quiet > 0)
    document.sentences(
      `${counted(quiet, 'more known crawler')} without a request; --format md, csv or json lists them.`,
    );
}

const robotsMessages: { readonly [state in Data['robots_fetch_state']]: string } = {
  ok: 'robots.txt was read.',
  absent: 'There is no robots.txt, so nothing is disallowed.',
  error: 'robots.txt could not be read: verdicts are not known.',
};

/** Whether robots.txt blocks an agent that answers depend on. */
const hides = ({ purpose, robots }: CrawlerAgent): boolean =>
  robots?.verdict === 'blocked' && (purpose === 'search_index' || purpose === 'user_fetch');

function warning(agents: readonly CrawlerAgent[]): string[] {
  const hidden = agents.filter(hides).map(({ label }) => label);
  if (hidden.length === 0) return [];
  return [
    `! Disallowed by robots.txt although answers need ${hidden.length === 1 ? 'it' : 'them'}: ${hidden.join(', ')}.`,
  ];
}

const partText = (part: number, hits: number | null): string | null =>
  hits === null || hits === 0 ? null : percentText(part / hits);

const notServed: readonly (readonly [name: Exclude<OutcomeName, 'served'>, words: string])[] = [
  ['not_found', 'not found'],
  ['refused', 'refused with 403'],
  ['payment_required', 'asked to pay'],
  ['throttled', 'too many'],
  ['failed', 'failed'],
  ['other', 'other'],
];

/** What the site answered besides pages: `12 refused with 403, 3 failed`. */
const refusalsText = ({ outcomes }: CrawlerAgent): string =>
  outcomes === null
    ? ''
    : notServed
        .flatMap(([name, words]) => (outcomes[name] > 0 ? [`${outcomes[name]} ${words}`] : []))
        .join(', ');

const marks = { allowed: '✓', blocked: '✗', unaddressed: '·' } as const;

const verdictOf = (row: CrawlerAgent): string | null =>
  row.robots &&
  `${marks[row.robots.verdict]} ${valueLabel('robots', row.robots.verdict)}${hides(row) ? ' !' : ''}`;

const column = columnsOf(crawlerAgent);

const agentsView: TableView<CrawlerAgent> = {
  noun: 'crawlers',
  alarming: hides,
  columns: [
    column('label', {
      text: ({ label, in_logs }) => label + (in_logs ? '' : ' (robots.txt only)'),
      room: 'flexible',
    }),
    column('purpose', { text: ({ purpose }) => valueLabel('purpose', purpose) }),
    column('hits'),
    column('pages'),
    column<'outcomes', CrawlerAgent>('outcomes', {
      text: ({ hits, outcomes }) => outcomes && partText(outcomes.served, hits),
    }),
    text(label('verified'), ({ verified_hits, unknown_hits, hits }) =>
      verified_hits === null || unknown_hits === hits ? null : partText(verified_hits, hits),
    ),
    count(
      label('unverified'),
      ({ unverified_hits, unknown_hits, hits }) => (unknown_hits === hits ? null : unverified_hits),
      {
        room: 'spare',
      },
    ),
    text('not served', (row) => refusalsText(row), { room: 'spare' }),
    column<'robots', CrawlerAgent>('robots', { text: verdictOf }),
    column('engine', { text: ({ engine }) => (engine === null ? '' : engineLabel(engine)), room: 'spare' }),
    column('last_seen', { text: ({ last_seen }) => moment(last_seen ?? ''), room: 'spare' }),
    column('operator', { room: 'spare' }),
    column('robots', {
      head: 'disallowed path',
      text: ({ robots }) => robots?.blocked_path ?? '',
      room: 'spare',
    }),
    column('robots', { head: 'rule', text: ({ robots }) => robots?.rule ?? '', room: 'spare' }),
    text('also told', ({ robots_signals }) => (robots_signals ?? []).map(({ line }) => line).join('; '), {
      room: 'spare',
    }),
    text('address lists of', ({ ranges_date }) => ranges_date ?? '', { room: 'spare' }),
  ],
};
