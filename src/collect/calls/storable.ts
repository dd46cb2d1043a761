/** Makes the texts of an answer storable: the database accepts no NUL characters and no lone surrogates. */
import type { Answer } from '../protocols/protocol.js';

const clean = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

export const storable = ({ text, model, citations, fanouts }: Answer): Answer => ({
  text: clean(text),
  model: model === null ? null : clean(model),
  citations: citations.map(({ url, title }) =>
    title === undefined ? { url: clean(url) } : { url: clean(url), title: clean(title) },
  ),
  fanouts: fanouts.map(clean),
});

/** No answer of a person's question is longer. */
const LONGEST_TEXT = 250_000;
const MOST_PAGES = 1000;
const MOST_SEARCHES = 1000;
/** Of a field: a name, an address, a search. */
const LONGEST_FIELD = 10_000;

/** Why an answer is too large to be one; null: it is not. */
export function excessOf({ text, model, citations, fanouts }: Answer): string | null {
  const over = (count: number, most: number, what: string) =>
    count > most ? [`it has more than ${most} ${what}`] : [];
  const fields = [model ?? '', ...citations.flatMap(({ url, title = '' }) => [url, title]), ...fanouts];
  const longest = fields.reduce((length, field) => Math.max(length, field.length), 0);
  const [reason = null] = [
    ...over(text.length, LONGEST_TEXT, 'characters'),
    ...over(citations.length, MOST_PAGES, 'citations'),
    ...over(fanouts.length, MOST_SEARCHES, 'searches'),
    ...over(longest, LONGEST_FIELD, 'characters in one field'),
  ];
  return reason;
}
