/** What to do next: the most valuable gaps of each kind. Where the brand is absent, the block of prompts tells. */

import { capital, label, valueLabel } from '../../../../contract/glossary.js';
import { gapsAnchor } from '../../../../contract/needs.js';
import {
  CRAWL_DAYS,
  type CrawlGap,
  type GapKind,
  type Gaps,
  LEAST_DAYS,
  type LostPage,
  type PromptWithinReach,
  type SourceGap,
} from '../../../../contract/reads/gaps.js';
import { findAgent } from '../../../../logs/index.js';
import { gapsToRead } from '../../../answers/reads/briefing.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { decimal, numberField } from '../parts/numbers.js';
import { aboutOf, externalLink, noun, userText } from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';
import { domainLink } from './sources.js';

export type GapsRead = Loaded<'gaps'> | Withheld;
/** By kind; undefined: not for this visitor. */
export type GapsReads = { readonly [K in GapKind]?: GapsRead | undefined };

export const GAPS: Card = { id: 'gaps', title: 'What to win next', wide: true };

const MAX_ROWS = 3;

/** What the rows of a kind are. */
const meanings: { readonly [K in GapKind]: string } = {
  sources: 'Answers that name a rival and not the brand cite them.',
  within_reach:
    'Prompts without the name of the brand. Answers name it 2nd to 4th; being first in these would add so much to its visibility as a whole.',
  lost_pages: `Cited on ${LEAST_DAYS} days or more of the window before, and on none now.`,
  absent: 'Answers name rivals and never the brand.',
  crawl: `Over ${CRAWL_DAYS} days: pages that crawlers of these engines could not fetch, or did, and no answer cites.`,
};

export function gaps(reads: GapsReads, leads: Leads): Markup {
  const loaded = gapsToRead.flatMap((kind) => {
    const read = reads[kind];
    return read === undefined ? [] : [[kind, read] as const];
  });
  const [first] = loaded.flatMap(([, read]) => ('refused' in read ? [] : [read]));
  if (first === undefined) return null;
  const about = aboutOf(first.body);
  const hasRows = loaded.some(([, read]) => 'body' in read && read.body.gaps.length > 0);
  if (first.body.measured === null && !hasRows) return card({ ...GAPS, about }, noteOf(first.body));
  return card(
    { ...GAPS, about },
    loaded.map(([kind, read], at) => {
      // A note about the days of the block stands once.
      const known = loaded.slice(0, at).map(([, each]) => ('refused' in each ? null : each.body.note));
      return section(kind, read, leads, known);
    }),
  );
}

function section(kind: GapKind, read: GapsRead, leads: Leads, known: readonly (string | null)[]): Markup {
  const head = html`<h3 id=${gapsAnchor(kind)}>${capital(valueLabel('gap', kind))}</h3>`;
  if ('refused' in read) return html`${head}${empty(read.refused)}`;
  const { body, source } = read;
  const rows = body.gaps.slice(0, MAX_ROWS);
  const more = body.gaps.length - rows.length;
  const row = lines[kind] as Line;
  return html`${head}${
    rows.length === 0
      ? body.note === null && empty('None.')
      : html`<p class="foot">${meanings[kind]}</p><ol class="plain" data-source=${source}>${rows.map(
          (each, at) => html`<li>${row(each, `gaps.${at}`, leads)}</li>`,
        )}${more > 0 ? html`<li>and ${more} more</li>` : null}</ol>`
  }${rows.length > 0 && known.includes(body.note) ? null : noteOf(body)}`;
}

/** What a row leads to, and the numbers that place it. @param field The name of the row in the names of its fields. */
type Line<Row = Gaps['gaps'][number]> = (row: Row, field: string, leads: Leads) => Markup;

const sources: Line<SourceGap> = ({ domain, answers, days }, field, leads) =>
  html`${domainLink(domain, leads)} <small>in ${numberField(`${field}.answers`, answers)} ${noun(answers, 'answer')} on ${numberField(`${field}.days`, days)} ${noun(days, 'day')}</small>`;

const withinReach: Line<PromptWithinReach> = ({ prompt_id, prompt, brand_gain, ahead }, field, leads) =>
  html`<a href=${leads.prompt(prompt_id)}>${userText(prompt, 90)}</a> <small>+${numberField(`${field}.brand_gain`, brand_gain, decimal)} ${label('visibility')}${ahead && html`, ${userText(ahead.name, 40)} leads`}</small>`;

const lostPages: Line<LostPage> = ({ url, title, citations_before }, field) =>
  html`${externalLink(url, title ?? url, 90)} <small>${numberField(`${field}.citations_before`, citations_before)} ${noun(citations_before, 'citation')} before</small>`;

const crawl: Line<CrawlGap> = (row, field) =>
  html`${externalLink(row.url, row.url, 90)} <small>${valueLabel('fault', row.fault)}${row.agent && html`, ${userText(findAgent(row.agent)?.label ?? row.agent, 40)}: ${requestsOf(row, field)}`}</small>`;

function requestsOf({ fault, requests, refused }: CrawlGap, field: string): Markup {
  const all = html`${numberField(`${field}.requests`, requests)} ${noun(requests ?? 0, 'request')}`;
  return fault === 'refused' ? html`${numberField(`${field}.refused`, refused)} of ${all} refused` : all;
}

/** The kinds that the block lists. */
const lines: Readonly<Record<string, unknown>> = {
  sources,
  within_reach: withinReach,
  lost_pages: lostPages,
  crawl,
};
