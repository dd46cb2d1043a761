/** Pages of the brand that crawlers could not fetch, or did, and no answer cites; prompts that name only rivals. */
import { title, valueLabel } from '../../../../contract/glossary.js';
import { type AbsentPrompt, CRAWL_DAYS, type CrawlGap } from '../../../../contract/reads/gaps.js';
import { findAgent } from '../../../../logs/agents/match.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { externalLink, userText } from '../parts/text.js';
import { domainLink } from './sources.js';

const CRAWL: Card = { id: 'crawl', title: 'From crawl to citation' };

const MAX_ROWS = 50;

export async function crawlGaps({ ofSlice }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('gaps', { kind: 'crawl' });
  if ('refused' in read) return card(CRAWL, empty(read.refused));
  const rows = (read.body.gaps as unknown as CrawlGap[]).map((row, at) => ({ row, at }));
  type Row = (typeof rows)[number];
  return card(
    {
      ...CRAWL,
      about: `${CRAWL_DAYS} days: pages that crawlers could not fetch, or did, and no answer cites`,
      read,
    },
    rows.length === 0
      ? (noteOf(read.body) ?? empty('None.'))
      : html`${table<Row>({
          label: CRAWL.title,
          rows: rows.slice(0, MAX_ROWS),
          columns: [
            { head: title('page'), cell: ({ row }) => externalLink(row.url, row.url, 90) },
            { head: 'Fault', kind: 'words', cell: ({ row }) => valueLabel('fault', row.fault) },
            {
              head: title('crawler'),
              kind: 'minor',
              cell: ({ row }) => row.agent && userText(findAgent(row.agent)?.label ?? row.agent, 40),
            },
            {
              head: title('requests'),
              kind: 'number',
              cell: ({ row, at }) => numberField(`gaps.${at}.requests`, row.requests),
            },
            {
              head: 'Refused by the site',
              kind: 'number minor',
              cell: ({ row, at }) => numberField(`gaps.${at}.refused`, row.refused),
            },
            {
              head: title('citations'),
              kind: 'number',
              cell: ({ row, at }) => numberField(`gaps.${at}.citations`, row.citations),
            },
          ],
        })}${noteOf(read.body)}`,
  );
}

const ABSENT: Card = { id: 'absent', title: title('absentPrompts') };

/** @param rival Only those that it leads; if omitted, all. */
export async function absent({ ofSlice, leads, reads }: Loading, rival?: string): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('gaps', { kind: 'absent' });
  if ('refused' in read) return card(ABSENT, empty(read.refused));
  const rows = (read.body.gaps as unknown as AbsentPrompt[])
    .map((row, at) => ({ row, at }))
    .filter(({ row }) => rival === undefined || row.winner.id === rival);
  if (rows.length === 0) return null;
  type Row = (typeof rows)[number];
  const linked = (href: string | null, number: Markup) =>
    href === null ? number : html`<a href=${href}>${number}</a>`;
  return card(
    { ...ABSENT, read },
    table<Row>({
      label: ABSENT.title,
      rows: rows.slice(0, MAX_ROWS),
      columns: [
        {
          head: title('prompt'),
          cell: ({ row }) => html`<a href=${leads.prompt(row.prompt_id)}>${userText(row.prompt)}</a>`,
        },
        {
          head: title('answers'),
          kind: 'number',
          cell: ({ row, at }) =>
            linked(leads.answers({}, { prompt: [row.prompt_id] }), numberField(`gaps.${at}.runs`, row.runs)),
        },
        {
          head: 'Winner',
          kind: 'words',
          cell: ({ row, at }) =>
            html`${userText(row.winner.name, 40)} ${linked(leads.answers({ names: row.winner.id, without: reads.brand.id }, { prompt: [row.prompt_id] }), numberField(`gaps.${at}.winner.answers`, row.winner.answers))}`,
        },
        {
          head: title('mostCitedElsewhere'),
          kind: 'minor',
          cell: ({ row }) =>
            row.cited.map(
              ({ domain }, place) => html`${place === 0 ? '' : ', '}${domainLink(domain, leads)}`,
            ),
        },
      ],
    }),
  );
}
