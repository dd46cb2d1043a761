/** Cited domains and pages. */
import { title, valueLabel } from '../../../../contract/glossary.js';
import { CAPS } from '../../../../contract/limits.js';
import type { LostPage, SourceGap } from '../../../../contract/reads/gaps.js';
import type { Source } from '../../../../contract/reads/sources.js';
import type { CitedUrl } from '../../../../contract/reads/urls.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, noteOf, unmeasured } from '../parts/card.js';
import { bar, numberField, rowName } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { aboutOf, engineName, externalLink, noun, userText } from '../parts/text.js';

const DOMAINS: Card = { id: 'domains', title: 'Cited domains' };
const PAGES: Card = { id: 'pages', title: 'Cited pages' };

interface At<Row> {
  readonly row: Row;
  readonly at: number;
}
const placed = <Row>(rows: readonly Row[]): At<Row>[] => rows.map((row, at) => ({ row, at }));

/** @param most Rows that are shown; the read has as many as it has a cap for. */
export async function domains({ ofSlice, leads }: Loading, most: number = CAPS.sources): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('sources');
  if ('refused' in read) return card(DOMAINS, empty(read.refused));
  const { sources } = read.body;
  const top = sources[0]?.citations ?? 1;
  const isOwn = ({ classification }: Source) => classification === 'owned';
  return card(
    { ...DOMAINS, about: aboutOf(read.body), read },
    sources.length === 0
      ? unmeasured(read.body, 'No answer cited a page.')
      : html`${table<At<Source>>({
          label: DOMAINS.title,
          rows: placed(sources.slice(0, most)),
          isOwn: ({ row }) => isOwn(row),
          columns: [
            {
              head: title('domain'),
              cell: ({ row }) =>
                html`${row.domain === '' ? 'pages without a domain' : domainLink(row.domain, leads)}${bar(row.citations / top, isOwn(row) ? 'own' : '')}`,
            },
            { head: title('kind'), kind: 'minor', cell: ({ row }) => kindOf(row.classification) },
            {
              head: title('citations'),
              kind: 'number',
              cell: ({ row, at }) =>
                numberField(`sources.${rowName(row.domain, at)}.citations`, row.citations),
            },
          ],
        })}
        ${sources.length >= CAPS.sources ? html`<p class="foot">The ${CAPS.sources} most cited; Export has all.</p>` : null}`,
  );
}

const kindOf = (classification: string): Markup =>
  html`<span class="label">${userText(valueLabel('kind', classification), 24)}</span>`;

/** The cited pages; of a domain only its own. */
export async function pages(
  { ofSlice, leads }: Loading,
  domain?: string,
  most: number = CAPS.urls,
): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('urls');
  const of = domain === undefined ? PAGES : { ...PAGES, title: 'Its pages' };
  if ('refused' in read) return card(of, empty(read.refused));
  const { body } = read;
  const rows = placed(body.urls).filter(({ row }) => domain === undefined || row.domain === domain);
  const none =
    domain === undefined
      ? 'No answer cited a page.'
      : `None of its pages is among the ${CAPS.urls} most cited ones.`;
  const field = ({ row, at }: At<CitedUrl>) => `urls.${rowName(row.url, at)}`;
  return card(
    { ...of, about: aboutOf(body), read },
    rows.length === 0 || body.measured === null
      ? unmeasured(body, none)
      : table<At<CitedUrl>>({
          label: of.title,
          rows: rows.slice(0, most),
          isOwn: ({ row }) => row.classification === 'owned',
          columns: [
            {
              head: title('page'),
              cell: ({ row }) =>
                html`<a href=${leads.page(row.url)}>${userText(row.title ?? row.url, 90)}</a><small class="under">${domain === undefined ? domainLink(row.domain, leads) : userText(row.url, 120)}${row.page_type === null ? '' : ` · ${row.page_type}`}${markOf(row)}</small>`,
            },
            {
              head: title('answers'),
              kind: 'number',
              cell: (each) =>
                answersThatCite(each.row.url, `${field(each)}.answers`, each.row.answers, leads),
            },
            {
              head: title('citations'),
              kind: 'number minor',
              cell: (each) => numberField(`${field(each)}.citations`, each.row.citations),
            },
            {
              head: title('before'),
              kind: 'number minor',
              cell: (each) => numberField(`${field(each)}.prior_citations`, each.row.prior_citations),
            },
          ],
        }),
  );
}

/** A number of answers that leads to these. */
export function answersThatCite(cites: string, field: string, count: number, leads: Leads): Markup {
  const number = numberField(field, count);
  const href = count === 0 ? null : leads.answers({ cites });
  return href === null ? number : html`<a href=${href}>${number}</a>`;
}

/** A domain that leads to its pages and to the answers that cite it. */
export const domainLink = (domain: string, leads: Leads): Markup =>
  domain === '' ? '' : html`<a href=${leads.domain(domain)}>${userText(domain, 60)}</a>`;

/** Whether the page is new or gone. */
function markOf({ citations, prior_citations }: CitedUrl): Markup {
  const mark = prior_citations === 0 ? 'new' : citations === 0 ? 'gone' : null;
  return mark === null ? null : html` <span class="label">${mark}</span>`;
}

/** A domain in a line: what it is, and how often it is cited. */
export async function domainSummary({ ofSlice }: Loading, domain: string): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('sources');
  if ('refused' in read) return null;
  const at = read.body.sources.findIndex((each) => each.domain === domain);
  const found = read.body.sources[at];
  return found
    ? html`<p class="domain" data-source=${read.source}>${kindOf(found.classification)} ${numberField(`sources.${rowName(domain, at)}.citations`, found.citations)} ${noun(found.citations, 'citation')} · ${externalLink(`https://${domain}/`, 'Visit', 20)}</p>`
    : html`<p class="domain">Not one of the ${CAPS.sources} most cited domains of these days. ${externalLink(`https://${domain}/`, 'Visit', 20)}</p>`;
}

const TO_WIN: Card = { id: 'to-win', title: 'Domains to win' };

/** Domains that answers cite which name a rival and not the brand; of a rival, only those. */
export async function toWin(
  page: Loading,
  only: { readonly rival?: string; readonly domain?: string } = {},
): Promise<Markup> {
  const { ofSlice, leads, reads } = page;
  const [read, tracked] = await Promise.all([
    ofSlice.loadIfPossible('gaps', { kind: 'sources' }),
    reads.loadIfPossible('competitors'),
  ]);
  if ('refused' in read) return card(TO_WIN, empty(read.refused));
  const rivals = 'refused' in tracked ? [] : tracked.body.competitors.filter(({ is_brand }) => !is_brand);
  const rows = placed(read.body.gaps as unknown as SourceGap[]).filter(
    ({ row }) =>
      (only.domain === undefined || row.domain === only.domain) &&
      (only.rival === undefined || row.rivals.some(({ id }) => id === only.rival)),
  );
  const names = rivals.map(({ id }) => id).join(',');
  const of = only.domain === undefined ? TO_WIN : { ...TO_WIN, title: 'Whom its answers name, and not you' };
  if (rows.length === 0 && only.domain !== undefined) return null;
  const link = (said: object, number: Markup) => {
    const href = leads.answers(said);
    return href === null ? number : html`<a href=${href}>${number}</a>`;
  };
  return card(
    { ...of, about: 'answers that cite them name a rival and not you', read },
    rows.length === 0
      ? (noteOf(read.body) ?? empty('None.'))
      : table<At<SourceGap>>({
          label: of.title,
          rows: rows.slice(0, 20),
          columns: [
            { head: title('domain'), cell: ({ row }) => domainLink(row.domain, leads) },
            {
              head: 'Answers without you',
              kind: 'number',
              cell: ({ row, at }) =>
                link(
                  { cites: row.domain, names, without: leads.brandId },
                  numberField(`gaps.${at}.answers`, row.answers),
                ),
            },
            {
              head: 'With you',
              kind: 'number minor',
              cell: ({ row, at }) =>
                link(
                  { cites: row.domain, names: leads.brandId },
                  numberField(`gaps.${at}.own_answers`, row.own_answers),
                ),
            },
            {
              head: 'Rivals that they name',
              kind: 'words',
              cell: ({ row, at }) =>
                row.rivals
                  .slice(0, 3)
                  .map(
                    ({ id, name, answers }, place) =>
                      html`${place === 0 ? '' : ', '}${userText(name, 40)} ${link({ cites: row.domain, names: id, without: leads.brandId }, numberField(`gaps.${at}.rivals.${id}.answers`, answers))}`,
                  ),
            },
            { head: 'Engines', kind: 'minor', cell: ({ row }) => row.engines.map(engineName).join(', ') },
          ],
        }),
  );
}

const LOST: Card = { id: 'lost-pages', title: 'Your pages that are not cited any more' };

export async function lostPages({ ofSlice, leads }: Loading): Promise<Markup> {
  const read = await ofSlice.loadIfPossible('gaps', { kind: 'lost_pages' });
  if ('refused' in read) return null;
  const rows = placed(read.body.gaps as unknown as LostPage[]);
  if (rows.length === 0) return null;
  return card(
    { ...LOST, read },
    table<At<LostPage>>({
      label: LOST.title,
      rows,
      columns: [
        {
          head: title('page'),
          cell: ({ row }) => html`<a href=${leads.page(row.url)}>${userText(row.title ?? row.url, 90)}</a>`,
        },
        {
          head: 'Citations before',
          kind: 'number',
          cell: ({ row, at }) => numberField(`gaps.${at}.citations_before`, row.citations_before),
        },
        { head: '', kind: 'words', cell: ({ row }) => (row.p_value > LOST_BELOW ? 'may be chance' : null) },
      ],
    }),
  );
}

/** The largest probability of a page that is said to be lost. */
const LOST_BELOW = 0.05;
