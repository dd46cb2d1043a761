import { expect } from 'chai';
import { addDays } from '../../../../src/server/base/days.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

const TODAY = '2026-11-20';

/** Ten answers a day of the week and of the one before: from nothing to all, and from all to nothing. */
const runs = Array.from({ length: 14 }, (_, ago) =>
  Array.from({ length: 10 }, (_, n) => {
    const isNow = ago < 7;
    const day = at(addDays(TODAY, -ago));
    const of = (name: string) => ({ mentions: [{ name, order: 1 }] });
    return [
      // Llama is in no total, and Gemini answers in the window only.
      runOf(`up-${ago}-${n}`, {
        ...of(isNow ? 'Acme' : 'Globex'),
        engine: isNow && n > 7 ? 'gemini' : 'chatgpt',
        ...day,
      }),
      runOf(`down-${ago}-${n}`, { ...of(isNow ? 'Globex' : 'Acme'), prompt: 'q', engine: 'chatgpt', ...day }),
      runOf(`same-${ago}-${n}`, { ...of('Acme'), prompt: 's', engine: 'chatgpt', ...day }),
    ];
  }).flat(),
).flat();

describe('what a change looks like on the page of a prompt', () => {
  let visitor: Visitor;
  const server = shared(marketServer);
  before(async () => {
    await server.collect({ type: 'prompt', id: 's', brand: 'b', text: 'fast crm?' }, ...runs);
    visitor = await signIn(server, OPERATOR_KEY);
  });
  const block = async (prompt: string) => {
    const html = await visitor.html(`/brands/b/prompts/${prompt}?days=7`);
    return html.split('id="pairs"')[1]?.split('</section>')[0];
  };
  /** The answers that it leads to, by the days before today. */
  const led = (html: string) =>
    [...html.matchAll(/\/answers\/(\w+)-(\d+)-\d+\?/g)].map(([, of, ago]) => [of, Number(ago)]);

  it('is two answers of one engine and region: absent before and named now', async () => {
    const html = (await block('p'))!;
    expect(html).to.contain('Absent before, named now').and.not.contain('Gemini');
    expect(led(html)).to.deep.equal([
      ['up', 7],
      ['up', 0],
    ]);
  });

  it('or named before and absent now', async () => {
    const html = (await block('q'))!;
    expect(html).to.contain('Named before, absent now');
    expect(led(html)).to.deep.equal([
      ['down', 7],
      ['down', 0],
    ]);
  });

  it('is not there where nothing changed by more than chance', async () => {
    expect(await block('s')).to.equal(undefined);
  });
});
