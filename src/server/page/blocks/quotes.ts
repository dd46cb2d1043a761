/** Block 8: what is said, by engine: the worst and the best quote. */
import type { Tone } from '../../../contract/reads/answers.js';
import type { Quote } from '../../../contract/reads/sentiment.js';
import { html, type Markup } from '../html.js';
import { card, empty, noteOf } from '../parts/card.js';
import { day } from '../parts/dates.js';
import { datum, decimal, rowName } from '../parts/datum.js';
import { engineName } from '../parts/names.js';
import { said } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export function quotes({ body, source }: Loaded<'sentiment'>): Markup {
  const own = body.quotes.filter(({ is_brand }) => is_brand);
  const engines = body.by_engine.filter(({ mentions }) => mentions > 0);
  return card(
    {
      id: 'quotes',
      title: 'What is said',
      about: `Last ${body.window_days} collected days`,
      source,
      wide: true,
    },
    engines.length === 0
      ? html`${empty('No answer says something about the brand.')}${noteOf(body.note)}`
      : html`<ul class="said">
          ${engines.map(({ engine, sentiment_index, mentions, positive, negative }, at) => {
            const field = `sentiment.by_engine.${rowName(engine, at)}`;
            return html`<li>
              <h3>${engineName(engine)}</h3>
              <p class="aside">Sentiment <strong>${datum(`${field}.sentiment_index`, sentiment_index, decimal)}</strong> from
                ${' '}${datum(`${field}.mentions`, mentions)} mentions, ${datum(`${field}.positive`, positive)} positive and ${datum(`${field}.negative`, negative)} negative</p>
              ${quoteOf(own, engine, 'negative')} ${quoteOf(own, engine, 'positive')}
            </li>`;
          })}
        </ul>`,
  );
}

/** The newest quote of a tone. */
function quoteOf(all: readonly Quote[], engine: string, tone: Tone): Markup {
  const quote = all.find((each) => each.engine === engine && each.sentiment === tone);
  if (!quote) return null;
  return html`<blockquote class=${tone}>
    <p>“${said(quote.quote)}”</p>
    <footer>${tone}, <time datetime=${quote.date}>${day(quote.date)}</time>, on “${said(quote.prompt, 90)}”</footer>
  </blockquote>`;
}
