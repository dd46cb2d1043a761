import { expect } from 'chai';
import { addDays, everyDayOf } from '../../../../src/server/base/days.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

const TODAY = '2026-11-20';
/** So many days that end today. */
const last = (count: number) => everyDayOf({ start: addDays(TODAY, 1 - count), end: TODAY });

describe('the window that a page opens on', () => {
  describe('on the page of a brand', () => {
    let visitor: Visitor;
    const server = shared(marketServer);
    before(async () => {
      await server.collect(...last(9).map((day, index) => runOf(`r${index}`, at(day))));
      visitor = await signIn(server, OPERATOR_KEY);
    });

    const chosen = (html: string) => /days=(\d+)[^"]*" aria-current="true"/.exec(html)?.[1];

    it('says when the first verdict comes while there is none', async () => {
      const html = await visitor.html('/brands/b');
      expect(html).to.contain('first verdict in 2 days.');
      expect(chosen(html)).to.equal('7');
    });

    it('promises no verdict where collection has stalled, or the brand is archived', async () => {
      const day = (back: number) => at(addDays(TODAY, -back));
      await server.collect(
        { type: 'brand', id: 'stalled', workspace: 'w', name: 'Stalled', domain: 'stalled.example' },
        {
          type: 'brand',
          id: 'ended',
          workspace: 'w',
          name: 'Ended',
          domain: 'ended.example',
          archived_at: '2026-11-20T10:00:00Z',
        },
        ...['stalled', 'ended'].flatMap((brand) => [
          { type: 'prompt', id: 'p', brand, text: 'best crm?' },
          ...[0, 1, 2].map((each) =>
            runOf(`${brand}${each}`, { brand, ...day(brand === 'stalled' ? each + 3 : each) }),
          ),
        ]),
      );
      for (const brand of ['stalled', 'ended']) {
        const html = await visitor.html(`/brands/${brand}`);
        expect(html, brand).to.contain(brand === 'ended' ? 'is archived' : 'has stalled');
        expect(html, brand).to.not.contain('first verdict');
      }
      expect(await visitor.html('/brands/ended')).to.not.contain('id="actions"');
    });

    it('is named by no link, and a window that the address names is kept', async () => {
      await server.collect(...last(20).map((day, index) => runOf(`s${index}`, at(day))));
      const html = await visitor.html('/brands/b');
      expect(html).to.not.contain('first verdict');
      expect(chosen(html)).to.equal('14');
      expect(html).to.contain('href="../brands/b/competitors/c"');
      expect(chosen(await visitor.html('/brands/b?days=56'))).to.equal('56');
      expect(chosen(await visitor.html('/brands/b/prompts/p'))).to.equal('14');
    });

    it('has verdicts in the overview of the API, and a longer one has none', async () => {
      const overview = async (length: number) => {
        const query = `&from=${addDays(TODAY, 1 - length)}&to=${TODAY}`;
        const { change } = await server.body<{ change: { visibility: { verdict: string } } }>(
          'overview',
          query,
        );
        return change.visibility.verdict;
      };
      expect(await overview(14)).to.not.equal('unknown');
      expect(await overview(28)).to.equal('unknown');
    });
  });
});
