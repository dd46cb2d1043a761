/** How answers were collected, and how often one was shown, on the page and behind a link. */
import { expect } from 'chai';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

const texts = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

describe('surfaces on the page', () => {
  let visitor: Visitor;
  const server = shared(marketServer);
  before(async () => {
    await server.collect(
      runOf('product', { surface: 'ui' }),
      runOf('api', { surface: 'api', ...at('2026-11-19') }),
      runOf('grok', { surface: 'api', engine: 'grok' }),
      runOf('page', { surface: 'serp', engine: 'aio', outcome: 'answered' }),
      ...['x', 'y', 'z'].map((id) => runOf(id, { surface: 'serp', engine: 'aio', outcome: 'not_shown' })),
      runOf('silent', { surface: 'ui', engine: 'copilot', outcome: 'not_shown' }),
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  it('name how often an answer was shown, and the engines that showed none', async () => {
    const text = texts(await visitor.html('/brands/b'));
    expect(text).to.contain('Shown: 20.0 % of 5 questions.');
    expect(text).to.contain('No answer in these days: AI Mode, Copilot, ');
    expect(texts(await visitor.html('/brands/b?engine=aio'))).to.contain('Shown: 25.0 % of 4 questions.');
    expect(texts(await visitor.html('/brands/b?engine=copilot'))).to.contain('Shown: 0.0 % of 1 question.');
    expect(texts(await visitor.html('/brands/b?engine=chatgpt'))).not.to.contain('Shown:');
  });

  it('can be chosen: the chip names the surface, and the numbers are of its answers', async () => {
    const html = await visitor.html('/brands/b?surface=api');
    expect(texts(html)).to.contain('Surface: API').and.contain('of 2 answers');
    expect(html).to.match(/<input[^>]*name="surface"[^>]*value="serp"/);
    expect(texts(await visitor.html('/brands/b?surface=app'))).to.contain(
      'Unknown surface: app. Known surfaces: api, ui, serp',
    );
  });

  it('limit a link: an answer that was collected in another way is not behind it', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const made = await server.request('/shares?brand=b&surface=ui', key, { method: 'POST' });
    const { path } = (await made.json()) as { path: string };
    const open = (rest: string) => server.request(`${path}${rest}`, null, { redirect: 'manual' });
    const html = await (await open('')).text();
    expect(texts(html)).to.contain('of 1 answer');
    expect(html).not.to.match(/value="serp"/);
    expect(await (await open('?surface=api')).text()).to.equal(html);
    expect((await open('/answers/product')).status).to.equal(200);
    expect((await open('/answers/api')).status).to.equal(404);
  });
});
