/** What to do next: the needs of the briefing as cards, each with a proof and a link to what it is about; those set aside. */
import { keyKinds } from '../../../../contract/keys.js';
import { measureNames } from '../../../../contract/measures.js';
import { wordsOf } from '../../../../contract/needs.js';
import type { AsideNeed, AsideReason, Need, NeedKind } from '../../../../contract/reads/briefing.js';
import { metricWords } from '../../../../contract/summary.js';
import { isStalled } from '../../../answers/reads/needs.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import { card, empty, loadedOr } from '../parts/card.js';
import { phrase } from '../parts/phrase.js';
import { engineName, longDay, truncated } from '../parts/text.js';
import { needsAsidePath } from '../paths.js';
import type { Loaded } from '../reads.js';
import { queryOf } from '../slice.js';

/** Cards of the first screen; a page has all. */
const MAX_CARDS = 4;

/** What a card says to do, and where its link leads. */
interface Act {
  readonly verb: string;
  readonly link: string;
  readonly href: string | null;
}

const act = (verb: string, link: string, href: string | null): Act => ({ verb, link, href });

interface Told {
  readonly need: Need;
  readonly page: Loading;
  /** The ids of the rivals, and of the prompts that never name the brand. */
  readonly rivals: readonly string[];
  readonly absent: readonly string[];
}

const acts: { readonly [K in NeedKind]: (told: Told) => Act } = {
  collection_failed: ({ page }) =>
    act('Get the collection running', 'See the newest answers', page.leads.answers()),
  collection_stalled: ({ page }) =>
    act('Get the collection running', 'See the newest answers', page.leads.answers()),
  bad_news: ({ need: { lead }, page: { leads } }) => {
    const { read, params } = lead;
    const { from, to, engine, metric } = params;
    if (read === 'why' && from !== null && to !== null)
      return act(
        'Look into a fall',
        'See what moved',
        leads.move({ from, to, engine, metric: metric ?? 'visibility' }),
      );
    return read === 'crawlers'
      ? act('Look at the crawlers', 'See the crawlers', leads.tab('crawlers'))
      : act('Look at the collection', 'See all moves', leads.tab('moves'));
  },
  wrong_fact: ({ page }) => act('Correct a wrong fact', 'Read the claims', page.leads.tab('facts')),
  metric_fell: ({ need: { facts }, page }) => {
    const [first] = facts.metrics ?? [];
    const metric = first?.metric ?? 'visibility';
    return act('Stop a fall', `See where ${metricWords(metric)} fell`, `${page.here({ metric })}#why`);
  },
  path_closed: ({ page }) => act('Let the crawlers in', 'See which are kept out', page.leads.tab('crawlers')),
  crawlers_refused: ({ page }) =>
    act('Stop refusing the crawlers', 'See what they got', page.leads.tab('crawlers')),
  engine_never_names: ({ need: { facts }, page }) =>
    act(
      `Find out why ${engineName(facts.engine ?? '')} ignores you`,
      'See whom it names',
      page.leads.answers({}, { engine: [facts.engine ?? ''] }),
    ),
  never_named_prompts: ({ page, absent }) =>
    act(
      'Win the prompts that never name you',
      'Read their answers',
      page.leads.answers({}, { prompt: absent }),
    ),
  within_reach: ({ page }) =>
    act('Get first where you are named', 'See the prompts', page.leads.tab('prompts', { sort: 'worth' })),
  source_to_win: ({ need: { facts }, page, rivals }) =>
    act(
      `Get into ${truncated(facts.subject ?? '', 40)}`,
      'Read these answers',
      page.leads.answers({
        cites: facts.subject ?? '',
        names: rivals.join(','),
        without: page.leads.brandId,
      }),
    ),
  bad_tone: ({ page }) =>
    act('Answer the criticism', 'Read what they criticise', page.leads.answers({ tone: 'negative' })),
  pages_lost: ({ page }) =>
    act('Win back a page', 'See the lost pages', `${page.leads.tab('sources')}#lost-pages`),
  pages_refused: ({ page }) =>
    act('Open pages to crawlers', 'See the pages', `${page.leads.tab('crawlers')}#crawl`),
  logs_silent: ({ page }) => act('Send the server logs', 'See the crawlers', page.leads.tab('crawlers')),
  facts_stale: ({ page }) => act('Check the facts', 'See the facts', page.leads.tab('facts')),
};

/** @param isWhole All of them, for a page of their own. */
export async function doNext(page: Loading, isWhole = false): Promise<Markup> {
  const { ofSlice, isViewer, reads, leads } = page;
  if (isViewer || reads.brand.archived) return null;
  const found = await ofSlice.loadIfPossible('briefing');
  if ('refused' in found) return card({ id: 'actions', title: 'Do next' }, empty(found.refused));
  const { needs, aside } = found.body;
  const [rivals, prompts] = await Promise.all([
    needs.some(({ kind }) => kind === 'source_to_win')
      ? reads.loadIfPossible('competitors', { from: page.slice.from, to: page.slice.to })
      : null,
    needs.some(({ kind }) => kind === 'never_named_prompts') ? ofSlice.loadIfPossible('prompts') : null,
  ]);
  const told = {
    page,
    rivals: (loadedOr(null, rivals)?.body.competitors ?? [])
      .filter(({ is_brand }) => !is_brand)
      .map(({ id }) => id),
    absent: (loadedOr(null, prompts)?.body.prompts ?? [])
      .filter(({ run_count, presence_rate }) => run_count > 0 && presence_rate === 0)
      .map(({ id }) => id),
  };
  const shown = isWhole ? needs : needs.slice(0, MAX_CARDS);
  const isEditor = isWhole && keyKinds[reads.access.kind].setsAside;
  const next = card(
    { id: 'actions', title: 'Do next', source: found.source },
    needs.length === 0
      ? empty(await quietWords(page, found))
      : html`<ol class="needs">${shown.map((need, at) => line({ ...told, need }, at, isEditor))}</ol>
        ${needs.length > shown.length ? html`<p class="foot"><a href=${leads.tab('needs')}>All ${needs.length} things to do</a></p>` : null}`,
  );
  if (!isWhole || aside.length === 0) return next;
  return html`${next}${card(
    { id: 'aside', title: 'Set aside', source: found.source },
    html`<p class="hint">For everybody of the workspace. Each comes back by itself when its facts change.</p>
      <ul class="needs">${aside.map((each, at) => asideLine({ ...told, need: each.need }, each, at, isEditor))}</ul>`,
  )}`;
}

/** Claims and moves are sentences, names are not. */
const LONGEST = 220;

function line(told: Told, at: number, isEditor: boolean): Markup {
  const { need } = told;
  const words = wordsOf({ ...need, kind: need.kind as NeedKind }, at);
  const { verb, link, href } = acts[need.kind as NeedKind](told);
  return html`<li><h3>${verb}</h3>
    <p>${phrase(words.phrase, LONGEST)}${need.kind === 'wrong_fact' ? '' : '.'}${need.kind === 'wrong_fact' || href === null ? html` ${phrase(words.advice, LONGEST)}` : null}</p>
    ${href === null ? null : html`<p><a href=${href}>${link}</a></p>`}
    ${isEditor ? needForm(told, Object.entries(REASONS), verb) : null}</li>`;
}

const REASONS: Readonly<Record<AsideReason, string>> = { not_us: 'Not us', done: 'Done' };

function asideLine(told: Told, { need, reason, since }: AsideNeed, at: number, isEditor: boolean): Markup {
  const words = wordsOf({ ...need, kind: need.kind as NeedKind }, at, true);
  const { verb } = acts[need.kind as NeedKind](told);
  return html`<li><h3>${verb}</h3>
    <p>${phrase(words.phrase, LONGEST)}${need.kind === 'wrong_fact' ? '' : '.'}</p>
    <p>${REASONS[reason]}, since <time datetime=${since}>${longDay(since)}</time></p>
    ${isEditor ? needForm(told, [['back', 'Bring back']], verb) : null}</li>`;
}

/** The buttons of a need, for the days and filters of the page. */
const needForm = (
  { need, page: { link, reads, slice } }: Told,
  buttons: readonly (readonly [value: string, label: string])[],
  about: string,
): Markup => html`<form method="post" action=${link(needsAsidePath(reads.brand.id))}>
    <input type="hidden" name="id" value=${need.id} />
    ${Object.entries(queryOf(slice)).map(([name, value]) => html`<input type="hidden" name=${name} value=${String(value)} />`)}
    ${buttons.map(([value, label]) => html`<button type="submit" name="do" value=${value} aria-label=${`${label}: ${about}`}>${label}</button>`)}
  </form>`;

/** What is known to be well, where nothing needs anybody: no more than was measured. */
async function quietWords({ ofSlice, reads }: Loading, briefing: Loaded<'briefing'>): Promise<string> {
  const { overview, newest_day: newest } = briefing.body;
  const { archived } = reads.brand;
  const check = loadedOr(null, await ofSlice.loadIfPossible('fact-check'))?.body.fact_check;
  if (overview.run_count === 0) return 'Nothing was measured in these days.';
  const isCompared = measureNames.some((name) => overview.change[name].verdict !== 'unknown');
  const known = [
    newest !== null && !archived && !isStalled({ today: reads.today, archived, newest }) && 'collection runs',
    isCompared && 'no metric fell',
    check?.discrepancies.length === 0 && 'no checked fact is wrong',
  ].filter((each) => each !== false);
  return known.length === 0
    ? 'Nothing was found.'
    : `Nothing: ${new Intl.ListFormat('en-GB').format(known)}.`;
}
