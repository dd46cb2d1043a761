import { expect } from 'chai';
import fc from 'fast-check';
import { type Extent, GAP, layOut } from '../../../src/cli/render/table.js';

const extent: fc.Arbitrary<Extent> = fc
  .record({
    body: fc.integer({ min: 0, max: 200 }),
    narrowHead: fc.integer({ min: 1, max: 10 }),
    more: fc.integer({ min: 0, max: 20 }),
    room: fc.constantFrom('fixed' as const, 'flexible' as const, 'spare' as const),
  })
  .map(({ more, ...rest }) => ({ ...rest, head: rest.narrowHead + more }));

const total = (widths: readonly (number | undefined)[]) => {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width, GAP * Math.max(0, shown.length - 1));
};

describe('the layout', () => {
  it('gives every column its full width without a limit', () => {
    fc.assert(
      fc.property(fc.array(extent), (columns) => {
        const { widths } = layOut(columns, undefined);
        expect(widths).to.deep.equal(columns.map(({ body, head }) => Math.max(body, head)));
      }),
    );
  });

  it('fits if flexible and spare columns can make enough space', () => {
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 1 }),
        fc.integer({ min: 40, max: 200 }),
        (columns, available) => {
          const { widths } = layOut(columns, available);
          const least = columns.map(({ body, narrowHead, room }) => {
            const full = Math.max(body, narrowHead);
            return room === 'spare' ? undefined : room === 'flexible' ? Math.min(8, full) : full;
          });
          if (total(least) <= available) expect(total(widths)).to.be.at.most(available);
        },
      ),
    );
  });

  it('fits any columns after a first one that fits, and never cuts a fixed column', () => {
    fc.assert(
      fc.property(fc.array(extent), fc.integer({ min: 40, max: 200 }), (rest, available) => {
        const first: Extent = { body: 12, head: 12, narrowHead: 6, room: 'fixed' };
        const columns = [first, ...rest];
        const { widths } = layOut(columns, available);
        expect(total(widths)).to.be.at.most(available);
        for (const [at, { body, room }] of columns.entries())
          if (room === 'fixed' && widths[at] !== undefined) expect(widths[at]).to.be.at.least(body);
      }),
    );
  });

  it('drops a column that is not spare only if the others at minimum width do not fit', () => {
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 1 }),
        fc.integer({ min: 40, max: 200 }),
        (columns, available) => {
          const { widths } = layOut(columns, available);
          const kept = columns.filter(({ room }) => room !== 'spare');
          const least = kept.map(({ body, narrowHead, room }) => {
            const full = Math.max(body, narrowHead);
            return room === 'flexible' ? Math.min(8, full) : full;
          });
          if (total(least) > available) return;
          for (const [at, { room }] of columns.entries())
            if (room !== 'spare') expect(widths[at]).to.be.a('number');
        },
      ),
    );
  });

  it('always keeps the first column', () => {
    fc.assert(
      fc.property(
        fc.array(extent, { minLength: 1 }),
        fc.integer({ min: 1, max: 200 }),
        (columns, available) => {
          const [first, ...rest] = columns;
          const { widths } = layOut([{ ...first!, room: 'fixed' }, ...rest], available);
          expect(widths[0]).to.be.a('number');
        },
      ),
    );
  });
});
