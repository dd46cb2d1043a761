/** The answers at a glance: the sentence about the brand, and under each further question the shortest answer to it. */
import { label, title } from '../../../../contract/glossary.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { type Instead, placeOf, sentenceOf } from '../../../../contract/summary.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import type { Card } from '../parts/card.js';
import { change } from '../parts/change.js';
import { decimal, formatOf, numberField, rowName } from '../parts/numbers.js';
import { phrase } from '../parts/phrase.js';
import { aboutOf, engineName, noun, userText } from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';
import type { EngineReads } from './engines.js';

export interface SummaryReads {
  /** The UTC day of the request. */
  readonly today: string;
  readonly overview: Loaded<'overview'>;
  /** What the days have where the overview has no answer. */
  readonly instead: Instead | undefined;
  readonly rivals: Loaded<'competitors'> | Withheld;
  readonly engines: readonly EngineReads[];
  readonly sources: Loaded<'sources'> | Withheld;
}

export const SUMMARY: Card = { id: 'summary', title: 'Are we visible?', kind: 'summary' };

export function summary(reads: SummaryReads, leads: Leads): Markup {
  const { overview, instead, rivals, today } = reads;
  const { body, source } = overview;
  const isMeasured = body.run_count > 0;
  const competitors = 'refused' in rivals ? [] : rivals.body.competitors;
  const sentence = sentenceOf({ overview: body, competitors, instead, today });
  return html`<section class="card summary" id="summary" aria-labelledby="summary-title" data-source=${source}>
    <h2 id="summary-title" class="aural">Are we visible?</h2>
    <p class="sentence">${phrase(sentence)}</p>
    ${
      isMeasured
        ? html`<dl class="glance">
            ${answer('Did it move?', '#visibility', moved(body))}
            ${answer('Against whom?', '#competitors', 'refused' in rivals ? null : against(rivals, leads))}
            ${answer('Where?', '#engines', where(reads.engines, leads))}
            ${answer('Because of which sources?', '#domains', because(reads.sources, leads))}
          </dl>`
        : null
    }
    <p class="foot">${aboutOf(body)}</p>
  </section>`;
}

const answer = (question: string, block: string, content: Markup): Markup =>
  content === null ? null : html`<div><dt><a href=${block}>${question}</a></dt><dd>${content}</dd></div>`;

const moved = (body: Loaded<'overview'>['body']): Markup =>
  html`${title('visibility')}${verdictsDiffer(body) ? ', which counts how early too,' : ''} <strong>${numberField('overview.visibility', body.visibility, decimal)}</strong> of 100, ${change(body, 'visibility')}`;

/** Whether the sentence, which is about how often, has another verdict. */
const verdictsDiffer = ({ change: { visibility, presence_rate } }: Loaded<'overview'>['body']): boolean =>
  visibility.verdict !== presence_rate.verdict;

/** The first and the next in share of voice, which is also what the sentence ranks by; the place only of the last one, which it may not have. */
function against({ body: { competitors }, source }: Loaded<'competitors'>, leads: Leads): Markup {
  const place = competitors.findIndex(({ is_brand }) => is_brand);
  const named = competitors.map((row, at) => ({ row, at })).filter(({ row }) => isNamed(row));
  const ahead = named.filter(({ at }) => at < place);
  const before = ahead.length > 2 ? [ahead[0]!, ahead.at(-1)!] : ahead;
  const behind = named.filter(({ at }) => at > place).slice(0, 1);
  if (place < 0 || before.length + behind.length === 0) return null;
  const format = formatOf('share_of_voice_fraction');
  const value = (row: Competitor, at: number) =>
    numberField(
      `competitors.${rowName(row.id, at)}.share_of_voice_fraction`,
      row.share_of_voice_fraction,
      format,
    );
  const one = ({ row, at }: (typeof named)[number]) =>
    html`<a href=${leads.competitor(row.id)}>${userText(row.name, 40)}</a> ${value(row, at)}${ahead.length > 2 && row === ahead[0]!.row ? ' (the first)' : ''}`;
  return html`<span data-source=${source}>${label('share_of_voice_fraction')} ${value(competitors[place]!, place)}${behind.length > 0 ? null : html`, ${placeOf(competitors)}`}: ${before.length === 0 ? null : html`behind ${joined(before.map(one))}`}${before.length * behind.length === 0 ? null : ', '}${behind.length === 0 ? null : html`ahead of ${joined(behind.map(one))}`}</span>`;
}

const isNamed = ({ share_of_voice_fraction }: Competitor): boolean => (share_of_voice_fraction ?? 0) > 0;

/** The engines with the highest and the lowest visibility. */
function where(engines: readonly EngineReads[], leads: Leads): Markup {
  const ran = engines.filter(({ history }) => (history.body.series[0]?.window_value ?? null) !== null);
  const value = ({ history }: EngineReads) => history.body.series[0]!.window_value!;
  const sorted = ran.toSorted((a, b) => value(b) - value(a));
  const [best, worst] = [sorted[0], sorted.at(-1)];
  if (!best || !worst) return null;
  const one = ({ engine, history }: EngineReads) =>
    html`<span data-source=${history.source}><a href=${leads.engine(engine)}>${engineName(engine)}</a> ${numberField(`history.${rowName(history.body.series[0]!.id, 0)}.window_value`, history.body.series[0]!.window_value, decimal)}</span>`;
  if (best === worst) return html`${label('visibility')} on ${one(best)}`;
  if (value(best) === value(worst))
    return html`${label('visibility')} is the same on all ${ran.length} engines: ${one(best)}`;
  return html`${label('visibility')} is highest on ${one(best)}, lowest on ${one(worst)}`;
}

const MAX_DOMAINS = 3;

/** The domains that are cited most. */
function because(sources: Loaded<'sources'> | Withheld, leads: Leads): Markup {
  if ('refused' in sources || sources.body.sources.length === 0) return null;
  const most = sources.body.sources.slice(0, MAX_DOMAINS);
  return html`<span data-source=${sources.source}>most cited: ${joined(
    most.map(
      ({ domain, citations }, at) =>
        html`${domain === '' ? 'pages without a domain' : html`<a href=${leads.domain(domain)}>${userText(domain, 40)}</a>`} ${numberField(`sources.${rowName(domain, at)}.citations`, citations)}`,
    ),
  )} ${noun(most.at(-1)!.citations, 'time')}</span>`;
}

/** `a`, `a and b`, `a, b and c`. */
const joined = (parts: readonly Markup[]): Markup =>
  parts.map((part, at) => (at === 0 ? part : html`${at === parts.length - 1 ? ' and ' : ', '}${part}`));
