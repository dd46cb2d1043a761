/** One cited page: which prompts and engines cite it, and whom their answers name. */
import { title } from '../../../../contract/glossary.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { card, empty, noteOf } from '../parts/card.js';
import { formatOf, numberField, rowName } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { aboutOf, day, engineName, moment, noun, span, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

const share = formatOf('presence_rate');

/** Null for the viewer of a link: the read tells of visits of crawlers too. */
export async function citedPage({ ofSlice, leads, isViewer }: Loading, url: string): Promise<Markup> {
  if (isViewer) return null;
  const read = await ofSlice.loadIfPossible('url', { url });
  if ('refused' in read) return card({ id: 'cited-page', title: 'Who cites it' }, empty(read.refused));
  const { body } = read;
  const { page } = body;
  const linked = (href: string | null, number: Markup) =>
    href === null ? number : html`<a href=${href}>${number}</a>`;
  const cites = page.url;
  const placed = <Row>(rows: readonly Row[]) => rows.map((row, at) => ({ row, at }));
  return html`${card(
    { id: 'cited-page', title: 'Which prompts and engines cite it', about: aboutOf(body), read },
    html`${page.first_cited === null ? null : html`<p class="lead">First cited <time datetime=${page.first_cited}>${day(page.first_cited)}</time>.</p>`}
    ${body.prompts.length === 0 ? (noteOf(body) ?? empty('No answer cites it in these days.')) : null}
    ${
      body.prompts.length === 0
        ? null
        : html`<div class="pair">${table({
            label: 'Prompts that cite it',
            rows: placed(body.prompts),
            columns: [
              {
                head: title('prompt'),
                cell: ({ row }) =>
                  html`<a href=${leads.prompt(row.prompt_id)}>${userText(row.prompt, 140)}</a>`,
              },
              {
                head: title('answers'),
                kind: 'number',
                cell: ({ row, at }) =>
                  linked(
                    leads.answers({ cites }, { prompt: [row.prompt_id] }),
                    numberField(`url.prompts.${rowName(row.prompt_id, at)}.answers`, row.answers),
                  ),
              },
              {
                head: 'Of its answers',
                kind: 'number',
                cell: ({ row, at }) =>
                  numberField(`url.prompts.${rowName(row.prompt_id, at)}.share`, row.share, share),
              },
            ],
          })}
          ${table({
            label: 'Engines that cite it',
            rows: placed(body.engines),
            columns: [
              { head: title('engine'), cell: ({ row }) => engineName(row.engine) },
              {
                head: title('answers'),
                kind: 'number',
                cell: ({ row, at }) =>
                  linked(
                    leads.answers({ cites }, { engine: [row.engine] }),
                    numberField(`url.engines.${rowName(row.engine, at)}.answers`, row.answers),
                  ),
              },
              {
                head: 'Of its answers',
                kind: 'number',
                cell: ({ row, at }) =>
                  numberField(`url.engines.${rowName(row.engine, at)}.share`, row.share, share),
              },
            ],
          })}</div>`
    }`,
  )}
  ${funnel(read)}
  ${
    body.names.length === 0
      ? null
      : card(
          { id: 'named', title: 'Whom the answers that cite it name', read },
          table({
            label: 'Whom the answers that cite it name',
            rows: placed(body.names),
            isOwn: ({ row }) => row.is_brand,
            columns: [
              { head: title('name'), cell: ({ row }) => userText(row.name, 60) },
              {
                head: title('answers'),
                kind: 'number',
                cell: ({ row, at }) =>
                  linked(
                    row.answers === 0 ? null : leads.answers({ cites, names: row.id }),
                    numberField(`url.names.${rowName(row.id, at)}.answers`, row.answers),
                  ),
              },
            ],
          }),
        )
  }`;
}

/** What happened to a page of the brand from the crawl on; null: it is of another site, or the plan does not include crawlers. */
function funnel(read: Loaded<'url'>): Markup {
  const { fetches, funnel: steps, window } = read.body;
  if (steps === null) return null;
  const { crawled, allowed, served } = steps;
  const lost = (left: number | null, some: string, all: string): Markup =>
    crawled === null || left === null || left >= crawled
      ? null
      : html`<span class=${2 * left > crawled ? undefined : 'bad'}>${left === 0 ? all : some}</span>`;
  const step = (name: keyof typeof steps, head: string, unit: string, less: Markup = null): Markup =>
    html`<div class="tile"><dt>${head}</dt><dd><strong>${numberField(`url.funnel.${name}`, steps[name])}</strong> ${steps[name] === null ? null : noun(steps[name], unit)}</dd><dd>${less}</dd></div>`;
  return card(
    { id: 'funnel', title: 'From crawl to visit', about: span(window.start, window.end), read },
    html`<dl class="tiles">
      ${step('crawled', 'Crawled', 'request')}
      ${step('allowed', 'Allowed by robots.txt', 'request', lost(allowed, 'disallowed for some', 'disallowed'))}
      ${step('served', 'Served', 'request', lost(served, 'not to all', 'never'))}
      ${step('cited', 'Cited', 'answer')}
      ${step('visited', 'Visited from answers', 'visit')}
    </dl>
    <p class="foot">Requests are of crawlers that these engines answer from.${
      fetches?.last_fetched
        ? html` AI crawlers of every kind came ${numberField('url.fetches.requests', fetches.requests)} ${noun(fetches.requests, 'time')}, last <time datetime=${fetches.last_fetched}>${moment(fetches.last_fetched)}</time>.`
        : null
    }</p>`,
  );
}
