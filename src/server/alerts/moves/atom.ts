/** Moves as an Atom feed (RFC 4287). It has no address of its own, because that has the key. */
import type { Move, Moves } from '../../../contract/reads/moves.js';
import { brandPath, withQuery } from '../../base/brand-path.js';
import { escaped } from '../../base/escaped.js';
import { uuidOf } from '../../base/hashed-text.js';

/** From the address of the feed to the page, so that a proxy may add a prefix. */
const TO_ROOT = '../..';

/** The feed of a brand without moves was never updated. */
const NEVER = '1970-01-01T00:00:00.000Z';

export function atomOf({ brand, moves }: Pick<Moves, 'brand' | 'moves'>): string {
  const groups = messagesOf(moves);
  const newest = groups.flat().reduce((last, each) => later(last, each.detected_at), NEVER);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>urn:uuid:${uuidOf(JSON.stringify(['feed', brand.id]))}</id>`,
    `<title>${written(`${brand.name}: what moved`)}</title>`,
    `<updated>${newest}</updated>`,
    '<author><name>Answer visibility</name></author>',
    `<link rel="alternate" type="text/html" href="${written(TO_ROOT + brandPath(brand.id))}"/>`,
    ...groups.map((group) => entry(brand.id, group)),
    '</feed>',
    '',
  ].join('\n');
}

/** The moves that are told, a headline and its lines each. Of a group whose headline is not listed, nothing. */
const messagesOf = (moves: readonly Move[]): [Move, ...Move[]][] =>
  moves
    .filter(({ role }) => role === 'headline')
    .map((headline) => [
      headline,
      ...moves.filter(({ group, role }) => role === 'line' && group === headline.group),
    ]);

const later = (a: string, b: string): string => (a > b ? a : b);

/** An entry for what is told together. What is folded says nothing new, so that it updates no entry. */
function entry(brand: string, [headline, ...lines]: readonly [Move, ...Move[]]): string {
  const { group, text, detected_at, because, why, day } = headline;
  const all = [headline, ...lines];
  const texts = [text, because, ...lines.map((line) => line.text), `It describes the days to ${day}.`];
  const published = all.reduce(
    (first, each) => (each.detected_at < first ? each.detected_at : first),
    detected_at,
  );
  return [
    '<entry>',
    `<id>urn:uuid:${group}</id>`,
    `<title>${written(text)}</title>`,
    `<published>${published}</published>`,
    `<updated>${all.reduce((last, each) => later(last, each.detected_at), detected_at)}</updated>`,
    ...[...new Set(all.map(({ kind }) => kind))].map((kind) => `<category term="${written(kind)}"/>`),
    `<link rel="alternate" type="text/html" href="${written(TO_ROOT + pageOf(brand, why))}"/>`,
    `<summary>${written(texts.filter(Boolean).join(' '))}</summary>`,
    '</entry>',
  ].join('\n');
}

/** The page of the brand, of the days of the move and of its engine. */
const pageOf = (brand: string, why: Move['why']): string =>
  withQuery(
    brandPath(brand),
    why === null ? {} : { from: why.from, to: why.to, engine: why.engine ?? undefined },
  );

/** Characters that XML 1.0 does not allow, even as references. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const written = (text: string): string => escaped(text.replace(NO_XML, '\u{FFFD}'));
