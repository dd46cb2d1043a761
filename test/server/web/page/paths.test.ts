import { expect } from 'chai';
import fc from 'fast-check';
import { relativeTo, targetOf } from '../../../../src/server/web/page/paths.js';

/** Pieces of which hostile paths are made. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2e%2e',
      '.%2e',
      '%2f',
      '%5c',
      '%00',
      '%',
      '?',
      '#',
      '@',
      ':',
    ],
    ...[
      'brands',
      '/brands',
      '/brands/',
      'sign-out',
      'evil.example',
      'http:',
      'javascript:',
      ' ',
      '\t',
      '\r\n',
      '\0',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const hostile = fc
  .tuple(fc.constantFrom('/brands', '/brands/', '/brands?', '/', ''), fc.array(piece, { maxLength: 10 }))
  .map(([begin, pieces]) => begin + pieces.join(''));

describe('the address that a sign-in leads to', () => {
  it('is below /brands of the same server, as a browser resolves it, whatever was asked for', () => {
    let targets = 0;
    fc.assert(
      fc.property(hostile, fc.constantFrom('/sign-in', '/sign-in/token'), (text, from) => {
        const target = targetOf(text);
        if (target === undefined) return;
        targets++;
        // The server sends an address that is relative to its own, also below the prefix of a proxy.
        for (const prefix of ['', '/prefix', '/a/b']) {
          const { origin, pathname } = new URL(
            relativeTo(from)(target),
            `https://host.example${prefix}${from}`,
          );
          expect(origin, text).to.equal('https://host.example');
          expect(`${pathname}/`.startsWith(`${prefix}/brands/`), `${text} leads to ${pathname}`).to.equal(
            true,
          );
        }
        expect(target, text).to.match(/^[!-~]+$/);
        expect(targetOf(target), text).to.equal(target);
      }),
      { numRuns: 2000 },
    );
    expect(targets).to.be.greaterThan(100);
  });

  it('keeps an address of the page, with its query', () => {
    for (const path of [
      '/brands',
      '/brands?cursor=a',
      '/brands/a%2Fb?days=7&engine=chatgpt',
      '/brands/a/prompts/p1',
    ])
      expect(targetOf(path)).to.equal(path);
    expect(targetOf('/brands/%2e%2e/%2e%2e//evil')).to.equal(undefined);
    expect(targetOf(['/brands'])).to.equal(undefined);
  });
});
