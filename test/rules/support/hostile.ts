/** Bodies of every schema of the contract with hostile texts. */
import type { Schema } from '../../../src/contract/schema.js';

/** Characters that control a terminal or reorder text: escape sequences, C1, bells, direction marks. */
const STEERING =
  'x\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\b\u200e\u200f\u061c\u202e\u2066\r\n\t\u2028\u0000end';

/** The texts of a body, one of each kind. */
export const hostileTexts = [
  STEERING,
  `=cmd|' /C calc'!A0${STEERING}`,
  '+1+1',
  '-2+3',
  '@SUM(1)',
  '\t=1+1',
  '\r=1+1',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://e.example/\u001b[31m|`x`](javascript:alert(2))<b>[y](javascript:alert(3))',
] as const;

/**
 * A value of the schema: the texts outside of lists are the first, and a list has an item of every text. Numbers are
 * possible ones.
 * @param known Whether closed choices have one of their values instead of a text.
 */
export function bodyOf(schema: Schema, texts: readonly string[], known: boolean): unknown {
  const [text] = texts;
  switch (schema.kind) {
    case 'string':
      return text;
    case 'choice':
      return known && !schema.open ? schema.values[0] : text;
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? 7, 7);
    case 'boolean':
      return true;
    case 'nullable':
      return bodyOf(schema.of, texts, known);
    case 'list':
      return texts.map((one) => bodyOf(schema.items, [one], known));
    case 'pair':
      return [bodyOf(schema.items, texts, known), bodyOf(schema.items, texts, known)];
    case 'variant':
      return bodyOf(Object.values(schema.of)[0]!, texts, known);
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.fields).map(([name, field]) => [name, bodyOf(field, texts, known)]),
      );
  }
}

/** Characters that no output may contain: control characters except line feeds, and direction marks. */
export const steering = /[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u;

/** The cells of CSV (RFC 4180). */
export const cellsOf = (csv: string): string[] =>
  [...csv.matchAll(/(?:^|,|\n)(?:"((?:[^"]|"")*)"|([^",\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
/** The sequences that the command itself sends to a terminal: OSC 8 links, and colours. */
const link = new RegExp(`${ESC}\\]8;;([^${BEL}${ESC}]*)${BEL}`, 'g');
const colour = new RegExp(`${ESC}\\[\\d+m`, 'g');

/** The targets of the links on a terminal. */
export const linksOf = (output: string): string[] =>
  [...output.matchAll(link)].map(([, to]) => to!).filter((to) => to !== '');

export const withoutOwn = (output: string): string => output.replaceAll(link, '').replaceAll(colour, '');
