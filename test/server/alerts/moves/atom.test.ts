import { expect } from 'chai';
import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { parseAtomFeed } from 'feedsmith';
import type { Move } from '../../../../src/contract/reads/moves.js';
import { atomOf } from '../../../../src/server/alerts/moves/atom.js';
import { moves as fixture } from '../../../cli/support/move-fixtures.js';

const feedOf = (changed: Partial<Move> = {}, name = 'Fernweh') => ({
  brand: { ...fixture.brand, name },
  moves: fixture.moves.map((move) => ({ ...move, ...changed })),
});

/** A date-time of RFC 3339. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

describe('the Atom feed', () => {
  it('is read by a parser of feeds: each move with its id, time, text and page', () => {
    const { id, title, updated, authors, entries = [] } = parseAtomFeed(atomOf(feedOf()));
    expect(id).to.match(/^urn:uuid:[\da-f-]{36}$/);
    expect(title?.value).to.equal('Fernweh: what moved');
    expect(updated).to.equal('2026-11-20T00:03:00.000Z');
    expect(authors).to.deep.equal([{ name: 'Answer visibility' }]);
    expect(entries.map((entry) => entry.title?.value)).to.deep.equal(fixture.moves.map(({ text }) => text));
    expect(entries.map((entry) => entry.id)).to.deep.equal(
      fixture.moves.map((move) => `urn:uuid:${move.group}`),
    );
    expect(entries[0]!.summary?.value).to.include('Because of best espresso machine? (−9.8 pp).');
    for (const entry of entries) expect(entry.updated).to.match(DATE_TIME);
    expect(entries[0]!.links![0]!.href).to.equal(
      `../../brands/${fixture.brand.id}?from=2026-11-13&to=2026-11-19&engine=chatgpt`,
    );
  });

  it('has one entry for what is told together, without what is folded', () => {
    const [fall, silent] = fixture.moves as [Move, Move];
    const { group } = fall;
    const line = { ...silent, group, role: 'line', detected_at: '2026-11-21T00:03:00.000Z' };
    const folded = {
      ...fall,
      id: 'f',
      role: 'folded',
      text: 'Folded.',
      detected_at: '2026-11-22T00:03:00.000Z',
    };
    const alone = { ...folded, group: 'older' };
    const { entries = [] } = parseAtomFeed(atomOf({ ...feedOf(), moves: [fall, line, folded, alone] }));
    expect(entries).to.have.length(1);
    const [entry] = entries;
    expect(entry!.title?.value).to.equal(fall.text);
    expect(entry!.summary?.value).to.include(silent.text).and.not.include('Folded');
    expect([entry!.published, entry!.updated]).to.deep.equal([fall.detected_at, line.detected_at]);
    expect(entry!.categories!.map(({ term }) => term)).to.deep.equal(['metric', 'crawler_silent']);
  });

  it('has what RFC 4287 requires without a move too, and the same id', () => {
    const empty = parseAtomFeed(atomOf({ ...feedOf(), moves: [] }));
    expect(empty.id).to.equal(parseAtomFeed(atomOf(feedOf())).id);
    expect(empty.updated).to.match(DATE_TIME);
    expect(empty.title?.value).to.not.equal('');
  });

  it('is well-formed whatever names and texts hold, and keeps what XML allows', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, text, (name, words) => {
        const xml = atomOf(feedOf({ text: words, kind: words }, name));
        expect(XMLValidator.validate(xml)).to.equal(true);
        expect(xml).to.not.match(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
        expect(xml.split('<entry>')).to.have.length(3);
      }),
    );
    const xml = atomOf(feedOf({ text: `<script>&"'\u0000` }));
    expect(xml).to.include('<title>&lt;script&gt;&amp;&quot;&#39;\uFFFD</title>');
  });
});
