import type { RunRecord } from '../records.js';
import { type Draw, drawFrom } from './draw.js';

const FILLER = [
  ...[
    'lorem ipsum',
    'best, by far:',
    '—',
    '1. ',
    '\n\n',
    '\r\n',
    '😀',
    '👩‍🚀',
    'naïve',
    'nai\u0308ve',
    '東京の店',
    'مرحبا',
    'שלום',
  ],
  ...[
    'https://acme.com/acme',
    '_x_',
    '<b>',
    '\u200b',
    '\u00a0',
    '한국어',
    'ไทย',
    '(',
    ').',
    '“',
    '”',
    '’s',
    'İstanbul',
    'ß',
  ],
];

/** Ways to write a name in a text, and to hide it in one. */
const written: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.normalize('NFD'),
  (name) => name.replace(/ +/g, '\n '),
  (name) => `${name}’s`,
  (name) => `${name}s`,
  (name) => `x${name}`,
  (name) => `_${name}`,
  (name) => `${name}\u0301`,
  (name) => `東${name}京`,
  (name) => `${name} ${name}`,
  (name) => name.slice(0, -1),
];

/**
 * A text that mentions the names of a run, or some of them, or others; its length differs by the factor of an excerpt. It depends
 * on the id of the run only, so that nothing else of a data set does.
 */
export function randomText({ id, mentions }: Pick<RunRecord, 'id' | 'mentions'>): string {
  const draw = drawFrom([...id].reduce((seed, letter) => seed * 31 + letter.codePointAt(0)!, 7));
  if (draw.chance(0.05)) return draw.pick(['', ' ', '\n']);
  const names = [...mentions.map(({ name }) => name), 'Globex', 'Analytics'];
  const length = draw.pick([1, 5, 20, 60]);
  return Array.from({ length }, () => part(draw, names)).join(draw.pick([' ', ' ', '  ', ', ']));
}

function part(draw: Draw, names: readonly string[]): string {
  if (draw.chance(0.1)) return draw.pick(written)(draw.pick(names));
  return draw.chance(0.05) ? 'word '.repeat(draw.int(1, 300)) : draw.pick(FILLER);
}
