/** The page of an engine: the brand in its answers only, and how they were collected. */
import type { VNode } from 'preact';
import { findEngine } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import type { ReadName } from '../../../contract/registry.js';
import { refuse } from '../../base/errors.js';
import type { Context } from '../state.js';
import { surfaceWords } from './blocks/answer.js';
import { ANSWERS, answerList } from './blocks/answers.js';
import { COMPETITORS, competitors } from './blocks/competitors.js';
import { chips, controls } from './blocks/controls.js';
import { VISIBILITY, visibility } from './blocks/history.js';
import { SCORECARD, scorecard } from './blocks/overview.js';
import { ABSENT, absent } from './blocks/prompts.js';
import { DOMAINS, domains, PAGES, pages } from './blocks/sources.js';
import { WHY, WHY_ASKED, why } from './blocks/why.js';
import { type BrandPage, CHART, withDays } from './brand-page.js';
import { choicesOf } from './choices.js';
import { html, type Markup } from './html.js';
import { leadsOf } from './leads.js';
import { card, empty, unlessRefused } from './parts/card.js';
import { layout } from './parts/layout.js';
import { numberField } from './parts/numbers.js';
import { aboutOf, noun, truncated, userText } from './parts/text.js';
import { brandPath, enginePath, withQuery } from './paths.js';
import type { Loaded } from './reads.js';
import { isChosenBy, queryOf, type Slice, slicedReads, withFilter } from './slice.js';

export const ENGINE_READS: readonly ReadName[] = [
  'overview',
  'why',
  'history',
  'competitors',
  'prompts',
  'sources',
  'urls',
  'answers',
];

const MAX_ANSWERS = 12;

/** @throws 404 for an engine that does not exist. */
export async function enginePage(page: BrandPage, id: string): Promise<VNode> {
  const { reads, slice: given, link } = page;
  const { brand, access } = reads;
  const engine = findEngine(id);
  if (!brand.hasRuns || !engine) throw refuse(errors.notFound());
  const slice: Slice = { ...given, engine: [engine.id] };
  const path = enginePath(brand.id, engine.id);
  const { loadIfPossible } = slicedReads(reads, slice);
  const [choices, overview, reasons, history, rivals, prompts, sources, urls, answers] = await Promise.all([
    choicesOf(reads, slice),
    loadIfPossible('overview'),
    loadIfPossible('why', WHY_ASKED),
    loadIfPossible('history', CHART),
    loadIfPossible('competitors'),
    loadIfPossible('prompts'),
    loadIfPossible('sources'),
    loadIfPossible('urls'),
    loadIfPossible('answers', { limit: String(MAX_ANSWERS) }),
  ]);
  const names = 'refused' in rivals ? [{ name: brand.name, is_brand: true }] : rivals.body.competitors;
  const leads = leadsOf(link, brand.id, slice);
  const promptOf = new Map(
    'refused' in prompts ? [] : prompts.body.prompts.map((each) => [each.id, each.text]),
  );
  return layout(
    {
      link,
      title: `${engine.label} · ${truncated(brand.name, 40)}`,
      access,
      nav: html`<a href=${link(withQuery(brandPath(brand.id), queryOf(given)))}>${userText(brand.name, 60)}</a>`,
    },
    html`
    <div class="title">
      <h1>${userText(brand.name, 60)} on ${engine.label}</h1>
      ${controls({ ...page, slice }, path, choices)}
    </div>
    ${chips({ ...page, slice: withFilter(given, 'engine', undefined) }, path, choices)}
    ${'refused' in overview ? null : howCollected(overview)}
    <div class="cards">
      ${unlessRefused(overview, SCORECARD, (read) => scorecard(read, null))}
      ${unlessRefused(reasons, WHY, (read) => why(read, leads))}
      ${unlessRefused(history, VISIBILITY, (read) => visibility(withDays(read, slice), leads))}
      ${unlessRefused(rivals, COMPETITORS, (read) => competitors(read, leads))}
      ${unlessRefused(prompts, ABSENT, (read) => absent(read, null, leads, isChosenBy(slice)))}
      ${unlessRefused(sources, DOMAINS, (read) => domains(read, leads))}
      ${unlessRefused(urls, PAGES, (read) => pages(read, 'refused' in overview || overview.body.run_count > 0, leads))}
      ${unlessRefused(answers, ANSWERS, (read) =>
        card(
          { ...ANSWERS, about: aboutOf(read.body), read },
          read.body.answers.length === 0
            ? empty('This engine did not answer in these days.')
            : answerList(read.body.answers, names, promptOf, leads),
        ),
      )}
    </div>`,
  );
}

/** How the answers of the window were collected: by the API, in the product, from a result page. */
const howCollected = ({ body, source }: Loaded<'overview'>): Markup =>
  body.surfaces.length === 0
    ? html`<p class="lead">${(body.shown?.asked_count ?? 0) > 0 ? 'This engine was asked in these days, and showed no answer.' : 'No answer of this engine was collected in these days.'}</p>`
    : html`<p class="lead" data-source=${source}>Its answers were collected ${body.surfaces.map(
        ({ surface, run_count }, at) =>
          html`${at === 0 ? '' : '; '}${userText(surfaceWords(surface), 80)}: ${numberField(`overview.surfaces.${at}.run_count`, run_count)} ${noun(run_count, 'answer')}`,
      )}.</p>`;

/**
 * Where the form of the page leads when another engine, or none, is chosen in it; undefined: the page is of the engine that
 * the query names.
 */
export function elsewhere(ctx: Context): string | undefined {
  const { brand = '', engine = '' } = ctx.state.params ?? {};
  const chosen = ctx.query.engine;
  if (chosen === undefined || chosen === engine) return undefined;
  const query = new URLSearchParams(ctx.search);
  const isOne = typeof chosen === 'string' && findEngine(chosen) !== undefined;
  if (isOne || chosen === '') query.delete('engine');
  const text = query.toString();
  return `${isOne ? enginePath(brand, chosen) : brandPath(brand)}${text === '' ? '' : `?${text}`}`;
}
