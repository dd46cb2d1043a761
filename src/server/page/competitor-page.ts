/** The page of a competitor: the brand against it. */
import type { VNode } from 'preact';
import { errors } from '../../contract/errors.js';
import type { ReadName } from '../../contract/registry.js';
import { refuse } from '../errors.js';
import { answerList } from './blocks/answers.js';
import { controls } from './blocks/controls.js';
import { names } from './blocks/domain.js';
import { visibility } from './blocks/history.js';
import { metrics, wonPrompts, wonSources } from './blocks/versus.js';
import { type BrandPage, chartParams } from './brand-page.js';
import { html } from './html.js';
import { leadsOf } from './leads.js';
import { newestAnswers, whichAnswers } from './newest-answers.js';
import { card, empty } from './parts/card.js';
import { layout } from './parts/layout.js';
import { aboutOf, truncated, userText } from './parts/text.js';
import { competitorPath, downloadPath, withQuery } from './paths.js';
import { paramsFor, queryOf } from './slice.js';

export const COMPETITOR_READS: readonly ReadName[] = ['competitors', 'history', 'prompts', 'answers'];

const MAX_ANSWERS = 10;

/** @throws 404 for a competitor that the brand does not have. */
export async function competitorPage({ reads, slice, link }: BrandPage, id: string): Promise<VNode> {
  const { brand, access } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const rivals = await reads.load('competitors', paramsFor('competitors', slice));
  const rival = rivals.body.competitors.find((row) => row.id === id && !row.is_brand);
  if (!rival) throw refuse(errors.notFound());
  const [history, { body: active }, read] = await Promise.all([
    reads.load('history', chartParams(slice)),
    reads.load('prompts'),
    newestAnswers(reads, slice),
  ]);
  const leads = leadsOf(link, brand.id, slice);
  const promptOf = new Map(active.prompts.map(({ id: prompt, text }) => [prompt, text]));
  const named = { brand: brand.name, rival: rival.name };
  const download = (format: 'json' | 'csv') =>
    link(withQuery(downloadPath(brand.id, format), queryOf(slice)));
  const naming = read.answers.filter((answer) => names(answer, id) && !answer.brand_present);
  return layout(
    {
      link,
      title: `${truncated(brand.name, 40)} and ${truncated(rival.name, 40)}`,
      access,
      nav: html`<a href=${leads.brand}>${userText(brand.name, 60)}</a>`,
    },
    html`
    <div class="title">
      <h1>${userText(brand.name, 60)} and ${userText(rival.name, 60)}</h1>
      ${rival.domain === '' ? null : html`<p class="domain"><a href=${leads.domain(rival.domain)}>${userText(rival.domain, 60)}</a></p>`}
      ${controls(link(competitorPath(brand.id, id)), slice)}
    </div>
    <div class="cards">
      ${metrics(rivals, id)}
      ${visibility(history, { json: download('json'), csv: download('csv') }, id)}
      ${wonPrompts(read, id, named, promptOf, leads)}
      ${wonSources(read, id, named, leads)}
      ${card(
        {
          id: 'answers',
          title: html`Newest answers that name only ${userText(rival.name, 40)}`,
          about: aboutOf(read.first),
          wide: true,
        },
        naming.length === 0
          ? empty(`None of ${whichAnswers(read)}.`)
          : html`${answerList(naming.slice(0, MAX_ANSWERS), rivals.body.competitors, promptOf, leads)}
              <p class="foot">${Math.min(naming.length, MAX_ANSWERS)} of ${naming.length}, of ${whichAnswers(read)}.</p>`,
      )}
    </div>`,
  );
}
