/** What is said, by engine: the worst and the best quote. */
import type { Tone } from '../../../../contract/reads/answers.js';
import type { Quote } from '../../../../contract/reads/sentiment.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, noteOf } from '../parts/card.js';
import { decimal, numberField, rowName } from '../parts/numbers.js';
import { aboutOf, day, engineName, noun, userText } from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';

/** A quote about the brand; without its prompt where the prompt is not active any more. */
type Said = Pick<Quote, 'run_id' | 'engine' | 'date' | 'sentiment' | 'quote'> & {
  readonly prompt: string | null;
};

export const QUOTES: Card = { id: 'quotes', title: 'What is said', wide: true };

/** @param answers The newest answers: the quotes of the read have a cap, and begin with the worst. */
export function quotes(
  read: Loaded<'sentiment'>,
  answers: Loaded<'answers'> | Withheld,
  prompts: Loaded<'prompts'> | Withheld,
  leads: Leads,
): Markup {
  const { body } = read;
  const own = [
    ...body.quotes.filter(({ is_brand }) => is_brand),
    ...('refused' in answers ? [] : saidIn(answers, prompts)),
  ];
  const engines = body.by_engine.filter(({ mentions }) => mentions > 0);
  return card(
    {
      ...QUOTES,
      about: aboutOf({ ...body, slice: body }),
      read,
    },
    engines.length === 0
      ? html`${empty('No answer says something about the brand.')}${noteOf(body)}`
      : html`<ul class="said">
          ${engines.map(({ engine, sentiment_index, mentions, positive, negative }, at) => {
            const field = `sentiment.by_engine.${rowName(engine, at)}`;
            return html`<li>
              <h3><a href=${leads.engine(engine)}>${engineName(engine)}</a></h3>
              <p class="aside">Sentiment <strong>${numberField(`${field}.sentiment_index`, sentiment_index, decimal)}</strong> from
                ${' '}${numberField(`${field}.mentions`, mentions)} ${noun(mentions, 'mention')}, ${numberField(`${field}.positive`, positive)} positive and ${numberField(`${field}.negative`, negative)} negative</p>
              ${quoteOf(own, engine, 'negative', leads)} ${quoteOf(own, engine, 'positive', leads)}
            </li>`;
          })}
        </ul>`,
  );
}

/** What answers say about the brand under its own name. */
function saidIn(
  { body: { brand, answers } }: Loaded<'answers'>,
  prompts: Loaded<'prompts'> | Withheld,
): Said[] {
  const textOf = new Map('refused' in prompts ? [] : prompts.body.prompts.map(({ id, text }) => [id, text]));
  const isOwn = (name: string) => name.toLowerCase() === brand.name.toLowerCase();
  return answers.flatMap(({ id, engine, date, prompt_id, mentions }) =>
    mentions.flatMap(({ name, sentiment, evidence }) =>
      sentiment !== null && evidence !== null && isOwn(name)
        ? [{ run_id: id, engine, date, sentiment, quote: evidence, prompt: textOf.get(prompt_id) ?? null }]
        : [],
    ),
  );
}

/** The newest quote of a tone. */
function quoteOf(all: readonly Said[], engine: string, tone: Tone, leads: Leads): Markup {
  const quote = all.find((each) => each.engine === engine && each.sentiment === tone);
  if (!quote) return null;
  return html`<blockquote class=${tone}>
    <p>“${userText(quote.quote)}”</p>
    <footer>${tone}, <time datetime=${quote.date}>${day(quote.date)}</time>${quote.prompt === null ? null : html`, on “${userText(quote.prompt, 90)}”`}, <a href=${leads.answer(quote.run_id)}>the answer</a></footer>
  </blockquote>`;
}
