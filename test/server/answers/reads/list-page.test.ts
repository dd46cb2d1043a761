import { expect } from 'chai';
import fc from 'fast-check';
import {
  cutPage,
  encodeCursor,
  pageRequest,
  rowsToFetch,
} from '../../../../src/server/answers/reads/list-page.js';
import { RefusedError } from '../../../../src/server/base/errors.js';

const listing = { resource: 'prompts', brandId: 'b' };
const storable = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000'));

describe('a page', () => {
  it('is requested only by cursor or limit, and has 50 rows by default', () => {
    expect(pageRequest(listing, {})).to.equal(null);
    expect(pageRequest(listing, { limit: 7 })).to.deep.equal({ listing, after: null, limit: 7 });
    const cursor = encodeCursor(listing, ['x']);
    expect(pageRequest(listing, { cursor })).to.deep.equal({ listing, after: ['x'], limit: 50 });
  });

  it('continues at the position of a cursor, which is valid only for its own listing', () => {
    fc.assert(
      fc.property(storable, storable, (brandId, place) => {
        const own = { resource: 'urls', brandId };
        const cursor = encodeCursor(own, [place]);
        expect(cursor).to.match(/^[\w-]+$/);
        expect(pageRequest(own, { cursor })?.after).to.deep.equal([place]);
        for (const other of [
          { resource: 'sources', brandId },
          { resource: 'urls', brandId: `${brandId}x` },
        ]) {
          expect(() => pageRequest(other, { cursor })).to.throw(RefusedError, /^Invalid cursor: /);
        }
      }),
    );
  });

  it('refuses every text that is not a cursor', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (cursor) => {
          expect(() => pageRequest(listing, { cursor })).to.throw(RefusedError);
        },
      ),
    );
  });

  it('requires an existing day and an id in a cursor of answers', () => {
    const answers = { resource: 'answers', brandId: 'b' };
    const read = (...place: string[]) =>
      pageRequest(answers, { cursor: encodeCursor(answers, place) }, ['day', 'text'])?.after;
    expect(read('2026-11-20', 'r')).to.deep.equal(['2026-11-20', 'r']);
    for (const place of [
      ['r'],
      ['2026-11-20'],
      ['2026-02-30', 'r'],
      ['0000-01-01', 'r'],
      ['9', 'r'],
      ['2026-11-20', 'r', 'r'],
    ]) {
      expect(() => read(...place)).to.throw(RefusedError);
    }
  });

  it('continues until all rows were returned, with any size, and only the last page has no next_cursor', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 70 }), (count, limit) => {
        const all = Array.from({ length: count }, (_, i) => String(i).padStart(3, '0'));
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let pages = 0; pages <= count; pages++) {
          const page = pageRequest(listing, { cursor, limit })!;
          const after = page.after?.[0] ?? '';
          const found = all.filter((row) => row > after).slice(0, rowsToFetch(page));
          const { rows, next_cursor } = cutPage(page, found, (row) => [row]);
          seen.push(...rows);
          if (next_cursor === null) break;
          expect(rows).to.have.lengthOf(limit);
          cursor = next_cursor;
        }
        expect(seen).to.deep.equal(all);
      }),
    );
  });
});
