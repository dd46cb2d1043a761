/** Names marked in a text. */
import { html, type Markup } from '../html.js';
import { shown } from './text.js';

export interface Named {
  readonly name: string;
  /** The brand itself; false: a rival. */
  readonly isOwn: boolean;
}

const LONGEST = 400;

/** The text with the names in it marked. Case does not matter; of names that overlap the first and longest is marked. */
export function marked(text: string, names: readonly Named[]): Markup {
  const line = shown(text, LONGEST);
  const folded = line.toLowerCase();
  const parts: Markup[] = [];
  let from = 0;
  // Folding may change the length of a text: then positions do not fit, and nothing is marked.
  while (folded.length === line.length && from < line.length) {
    const next = firstName(folded, from, names);
    if (!next) break;
    const end = next.at + next.length;
    parts.push(
      line.slice(from, next.at),
      html`<mark class=${next.isOwn ? 'own' : 'rival'}>${line.slice(next.at, end)}</mark>`,
    );
    from = end;
  }
  return html`<bdi>${parts}${line.slice(from)}</bdi>`;
}

function firstName(folded: string, from: number, names: readonly Named[]) {
  let first: { at: number; length: number; isOwn: boolean } | undefined;
  for (const { name, isOwn } of names) {
    const at = name === '' ? -1 : folded.indexOf(name.toLowerCase(), from);
    const { length } = name;
    if (at < 0) continue;
    if (!first || at < first.at || (at === first.at && length > first.length)) first = { at, length, isOwn };
  }
  return first;
}
