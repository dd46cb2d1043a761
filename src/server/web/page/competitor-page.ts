/** The page of a competitor: the brand against it. */
import type { VNode } from 'preact';
import { errors } from '../../../contract/errors.js';
import type { Competitor } from '../../../contract/reads/competitors.js';
import type { ReadName } from '../../../contract/registry.js';
import { refuse } from '../../base/errors.js';
import { answerList } from './blocks/answers.js';
import { chips, controls } from './blocks/controls.js';
import { names } from './blocks/domain.js';
import { VISIBILITY, visibility } from './blocks/history.js';
import { METRICS, metrics, wonPrompts, wonSources } from './blocks/versus.js';
import { type BrandPage, CHART, frameBelow, withDays } from './brand-page.js';
import { choicesOf } from './choices.js';
import { html, type Markup } from './html.js';
import { type Leads, leadsOf } from './leads.js';
import { type NewestAnswers, newestAnswers, whichAnswers } from './newest-answers.js';
import { type Card, card, empty, unlessRefused } from './parts/card.js';
import { layout } from './parts/layout.js';
import { aboutOf, truncated, userText } from './parts/text.js';
import { competitorPath } from './paths.js';
import { slicedReads } from './slice.js';

export const COMPETITOR_READS: readonly ReadName[] = ['competitors', 'history', 'prompts', 'answers'];

const MAX_ANSWERS = 10;

/** @throws 404 for a competitor that the brand does not have. */
export async function competitorPage(page: BrandPage, id: string): Promise<VNode> {
  const { reads, slice, link } = page;
  const { brand } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const { body: tracked } = await reads.load('competitors');
  const rival = tracked.competitors.find((row) => row.id === id && !row.is_brand);
  if (!rival) throw refuse(errors.notFound());
  const path = competitorPath(brand.id, id);
  const ofSlice = slicedReads(reads, slice);
  const [choices, rivals, history, { body: active }, read] = await Promise.all([
    choicesOf(reads, slice),
    ofSlice.loadIfPossible('competitors'),
    ofSlice.loadIfPossible('history', CHART),
    reads.load('prompts'),
    newestAnswers(reads, slice),
  ]);
  const leads = leadsOf(link, brand.id, slice);
  const promptOf = new Map(active.prompts.map(({ id: prompt, text }) => [prompt, text]));
  const named = { brand: brand.name, rival: rival.name };
  return layout(
    frameBelow(page, leads, `${truncated(brand.name, 40)} and ${truncated(rival.name, 40)}`),
    html`
    <div class="title">
      <h1>${userText(brand.name, 60)} and ${userText(rival.name, 60)}</h1>
      ${rival.domain === '' ? null : html`<p class="domain"><a href=${leads.domain(rival.domain)}>${userText(rival.domain, 60)}</a></p>`}
      ${controls(page, path, choices)}
    </div>
    ${chips(page, path, choices)}
    <div class="cards">
      ${unlessRefused(rivals, METRICS, (rows) => metrics(rows, id))}
      ${unlessRefused(history, VISIBILITY, (lines) => visibility(withDays(lines, slice), leads, id))}
      ${unlessRefused(
        read,
        onlyRival(rival.name, brand.name),
        (newest) => html`
        ${wonPrompts(newest, id, named, promptOf, leads)} ${wonSources(newest, id, named, leads)}
        ${onlyAnswers(newest, rival, brand.name, tracked.competitors, promptOf, leads)}`,
      )}
    </div>`,
  );
}

const onlyRival = (name: string, brand: string): Card => ({
  id: 'answers',
  title: `Newest answers that name ${truncated(name, 40)} and not ${truncated(brand, 40)}`,
  wide: true,
});

/** The answers that name the competitor and not the brand. */
function onlyAnswers(
  read: NewestAnswers,
  rival: Competitor,
  brand: string,
  entities: readonly Competitor[],
  promptOf: ReadonlyMap<string, string>,
  leads: Leads,
): Markup {
  const found = read.answers.filter((answer) => !answer.brand_present && names(answer, rival.id));
  return card(
    { ...onlyRival(rival.name, brand), about: aboutOf(read.first) },
    found.length === 0
      ? empty(`None of ${whichAnswers(read)}.`)
      : html`${answerList(found.slice(0, MAX_ANSWERS), entities, promptOf, leads)}
          <p class="foot">${found.length > MAX_ANSWERS ? `The newest ${MAX_ANSWERS} of ${found.length}` : found.length} of ${whichAnswers(read)}.</p>`,
  );
}
