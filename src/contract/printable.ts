/** Texts without the characters that a terminal or a log viewer would execute: printed ones, and those of a request in a message. */

/**
 * Characters that are removed from printed texts. Answers, page titles and notes are untrusted: control characters can
 * control the terminal, and bidirectional marks change the order of the shown text.
 */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The text on one line, without control characters and bidirectional marks; white space becomes one space. */
export const printable = (text: string): string => text.replace(/\s+/gu, ' ').replace(STEERING, '').trim();

/** A text of several lines without control characters and bidirectional marks; line feeds and spaces are kept. */
export const printableLines = (text: string): string =>
  text.replaceAll('\t', ' ').replace(STEERING, (character) => (character === '\n' ? character : ''));

/** JSON without control characters and bidirectional marks: escapes those that JSON.stringify leaves. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(STEERING, (character) =>
    character === '\n' ? character : escaped(character),
  );

/** Control characters, line separators, marks that change the writing direction, and lone surrogates. */
const OBEYED = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\p{Cs}]/gu;

/** Text of a request in a message. */
export const escapeControls = (text: string): string => text.replace(OBEYED, escaped);

/** `\u001b` for the escape character, and so on. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
