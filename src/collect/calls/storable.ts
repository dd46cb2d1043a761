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
