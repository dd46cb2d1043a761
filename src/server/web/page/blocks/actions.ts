/** What needs the reader: the needs of the briefing, each with a link to what it is about. */
import { measureNames } from '../../../../contract/measures.js';
import { MAX_ITEMS, placeOfNeed, wordsOf } from '../../../../contract/needs.js';
import type { Need, NeedKind } from '../../../../contract/reads/briefing.js';
import { isStalled } from '../../../answers/reads/needs.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { card, empty } from '../parts/card.js';
import { phrase } from '../parts/phrase.js';
import type { Loaded, Withheld } from '../reads.js';
import { WHY, WHY_ASKED } from './why.js';

export interface ActionReads {
  readonly today: string;
  readonly archived: boolean;
  readonly briefing: Loaded<'briefing'>;
  readonly crawlers: Loaded<'crawlers'> | Withheld;
  /** Of the engines of the page. */
  readonly urls: Loaded<'urls'> | Withheld;
  readonly factCheck: Loaded<'fact-check'> | Withheld;
}

/** What is known to be well, where nothing needs anybody: no more than was measured. */
export function quietWords({ today, archived, briefing, urls, crawlers, factCheck }: ActionReads): string {
  const { overview, newest_day: newest } = briefing.body;
  const isMeasured = overview.run_count > 0;
  const isCompared = isMeasured && measureNames.some((name) => overview.change[name].verdict !== 'unknown');
  const isCited = 'body' in urls && urls.body.urls.some(({ classification }) => classification === 'owned');
  const hasRobots = 'body' in crawlers && crawlers.body.agents.some(({ robots }) => robots !== null);
  const check = 'body' in factCheck ? factCheck.body.fact_check : null;
  const known = [
    newest !== null && !archived && !isStalled({ today, archived, newest }) && 'collection runs',
    isCompared && 'no metric fell',
    isCited && hasRobots && 'no cited page is closed to crawlers',
    check?.discrepancies.length === 0 && 'the facts were checked',
  ].filter((each) => each !== false);
  const quiet =
    known.length === 0
      ? null
      : `${known.slice(0, -1).join(', ')}${known.length > 1 ? ', and ' : ''}${known.at(-1)}`;
  if (isMeasured) return quiet === null ? 'Nothing was found.' : `Nothing: ${quiet}.`;
  return `Not known: nothing was measured in these days${quiet === null ? '' : `; ${quiet}`}.`;
}

/** @param beyond What they are not filtered by, in words. */
export function actions(reads: ActionReads, leads: Leads, beyond: string | undefined): Markup {
  const { body, source } = reads.briefing;
  const lines = body.needs.map((need, at) => line(need, at, leads));
  const more = lines.slice(MAX_ITEMS);
  return card(
    { id: 'actions', title: 'What needs you', about: beyond, kind: 'needed', source },
    lines.length === 0
      ? empty(quietWords(reads))
      : html`<ol class="needs">${lines.slice(0, MAX_ITEMS)}</ol>
          ${more.length === 0 ? null : html`<details class="numbers"><summary>${more.length} more</summary><ol class="needs" start=${MAX_ITEMS + 1}>${more}</ol></details>`}`,
  );
}

/** Claims and moves are sentences, names are not. */
const LONGEST = { words: 200, advice: 300 };

function line(need: Need, at: number, leads: Leads): Markup {
  const words = wordsOf({ ...need, kind: need.kind as NeedKind }, at);
  return html`<li><a href=${hrefOf(need, leads)}>${phrase(words.phrase, LONGEST.words)}</a> <small>${phrase(words.advice, LONGEST.advice)}</small></li>`;
}

/** The block or the page that lists what a need is about. */
function hrefOf(need: Need, leads: Leads): string {
  const { kind, lead } = need;
  const { read, params } = lead;
  const { engine, block } = placeOfNeed(need);
  if (engine !== undefined) return leads.engine(engine);
  if (kind === 'bad_news' && read === 'why' && params.from !== null && params.to !== null)
    return leads.move({ from: params.from, to: params.to, engine: params.engine });
  if (kind === 'metric_fell' && params.metric === WHY_ASKED.metric) return `#${WHY.id}`;
  return kind === 'path_closed' && read === 'urls' ? '#pages' : `#${block}`;
}
