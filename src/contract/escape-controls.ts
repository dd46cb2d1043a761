/** Text of a request in a message: characters that a terminal or a log viewer would execute are escaped. */

/** Control characters, line separators, marks that change the writing direction, and lone surrogates. */
const OBEYED = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\p{Cs}]/gu;

/** `\u001b` for the escape character, and so on. */
export const escapeControls = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
