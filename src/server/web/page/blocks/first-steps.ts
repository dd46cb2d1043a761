/** What a brand without answers has, and what to ask for next. */

import { leastDays } from '../../../../contract/enough-days.js';
import { WINDOW_PRESETS } from '../../../../contract/limits.js';
import { html, type Markup } from '../html.js';
import { card } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { noun } from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';
import { type CollectionLine, collectionSentences } from './collection.js';

/** Days with answers after which the shortest window has its first verdict: the least number before it, and its own. */
const SHORTEST = Math.min(...WINDOW_PRESETS);
const FIRST_VERDICT_DAYS = leastDays(SHORTEST) + SHORTEST;
/** While the first answers are on their way, the page is loaded again after these. */
export const LOOK_AGAIN_SECONDS = 5;

interface Step {
  readonly isDone: boolean;
  readonly words: Markup;
}

export function firstSteps(
  prompts: Loaded<'prompts'>,
  crawl: Loaded<'crawlers'> | Withheld,
  factCheck: Loaded<'fact-check'>,
  collection?: CollectionLine | undefined,
  settings?: string | null,
): Markup {
  const count = prompts.body.prompts.length;
  const steps: Step[] = [
    count > 0
      ? {
          isDone: true,
          words: html`${count} ${noun(count, 'prompt')} ${count === 1 ? 'is' : 'are'} ready to be asked.`,
        }
      : {
          isDone: false,
          words: settings
            ? html`Prompts: <a href=${settings}>add the questions</a> that your customers ask.`
            : 'Prompts: ask whoever operates this server to add the questions that your customers ask.',
        },
    {
      isDone: false,
      words: html`Answers: ${
        collection && (collection.last || collection.nextAt)
          ? html`this server ${collection.canBegin ? 'collects them' : 'is to collect them'}.${collectionSentences(collection)}`
          : settings
            ? html`<a href=${settings}>collect them</a> now, or every day by a schedule.`
            : 'ask whoever operates this server to collect answers to the prompts.'
      }${collection?.isBeginning ? html` <strong role="status">They are on their way: this page looks again every ${LOOK_AGAIN_SECONDS} seconds.</strong>` : null} Every number appears with the first answer; whether one moved, after ${FIRST_VERDICT_DAYS} days with answers.`,
    },
    ...('refused' in crawl
      ? []
      : [
          crawl.body.connected
            ? { isDone: true, words: 'The logs of the site arrive: AI crawlers are below.' }
            : {
                isDone: false,
                words: 'Crawlers: ask whoever runs the site to send its server logs to this server.',
              },
        ]),
    factCheck.body.fact_check === null
      ? {
          isDone: false,
          words: 'Facts: ask whoever operates this server to compare answers with the facts of the brand.',
        }
      : {
          isDone: true,
          words: html`<span data-source=${factCheck.source}>${numberField('fact-check.fact_check.answers_checked', factCheck.body.fact_check.answers_checked)} answers were compared with the facts of the brand.</span>`,
        },
  ];
  return card(
    { id: 'steps', title: 'Nothing collected yet' },
    html`<p class="lead">No answer was ever collected for this brand. The steps to its first numbers:</p>
    <ol class="steps">${steps.map(({ isDone, words }) => html`<li>${isDone ? html`<strong>Done.</strong> ` : null}${words}</li>`)}</ol>`,
  );
}
