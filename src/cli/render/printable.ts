/**
 * What texts of others may not hold where they are printed: answers, page titles and notes come from strangers, a
 * terminal obeys what it is sent, and marks of direction show text in another order than it has.
 */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** One line without control characters and marks of direction; white space of any kind is one space. */
export const printable = (text: string): string => text.replace(/\s+/gu, ' ').replace(STEERING, '').trim();

/** The same for texts of several lines, whose line feeds and spaces stay. */
export const printableLines = (text: string): string =>
  text.replaceAll('\t', ' ').replace(STEERING, (character) => (character === '\n' ? character : ''));

/**
 * JSON of the same value whose text is printable: what JSON.stringify leaves of control characters and marks of
 * direction is escaped.
 */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(STEERING, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
