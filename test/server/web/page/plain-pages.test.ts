import { expect } from 'chai';
import { definitionNamed } from '../../../../src/contract/explanations.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { OPERATOR_KEY, testServer } from '../../../support/server.js';
import { cookieIn, postForm, signIn, visitor } from './support/visitor.js';

const bare = { type: 'workspace', id: 'nothing', name: 'Nothing & Sons', plan: 'growth' };

describe('pages without numbers', () => {
  const server = ruleServer({ clock: 'refill' });
  before(() => server.load([bare]));
  const readKey = (workspace = 'w', more = {}) => server.key({ workspace, kind: 'read', ...more });

  /** What the frame says to somebody who is signed in, and to nobody. */
  const expectFrame = (html: string, who: string | null, of: string) => {
    if (who === null) expect(html, of).to.not.contain('Sign out');
    else expect(html, of).to.contain(`${who} · key that only reads`).and.contain('Sign out');
    expect(html.includes('>Sign in</a>'), of).to.equal(who === null);
    expect(html, of).to.contain('All brands</a>');
  };

  it('keep who is signed in, signing out and a way back on every error', async () => {
    const guest = await signIn(server, await readKey());
    for (const [path, status] of [
      ['/brands/nobody', 404],
      ['/brands/first/x', 404],
      ['/brands/first/prompts/nobody', 404],
      ['/brands/first?days=8', 400],
      ['/brands/first/visibility.csv?engine=bing', 400],
    ] as const) {
      const response = await guest.get(path);
      expect(response.status, path).to.equal(status);
      expectFrame(await response.text(), 'w', path);
    }
    const posted = await postForm(server, '/brands/first', {}, { Cookie: guest.cookie });
    expect(posted.status).to.equal(405);
    expectFrame(await posted.text(), 'w', 'POST');
    const bad = await (await guest.get('/brands/first?days=8')).text();
    expect(bad).to.contain('<a href="../brands/first">Show the page without them</a>');
    let limited = await guest.get('/brands/first');
    for (let spent = 0; spent < 130 && limited.status !== 429; spent++)
      limited = await guest.get('/brands/nobody');
    expect(limited.status).to.equal(429);
    expectFrame(await limited.text(), 'w', '429');
  });

  it('say nothing of a workspace to who is not signed in, or may not use the key from here', async () => {
    const stranger = await postForm(server, '/sign-out', {}, { Origin: 'https://evil.example' });
    expectFrame(await stranger.text(), null, 'not signed in');
    const proxied = await testServer({ now: server.now, database: server.database, trustProxyHops: 1 });
    const key = await readKey('nothing', { allow: ['192.0.2.7'] });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const cookie = cookieIn(await postForm(proxied, '/sign-in', { key }, from('192.0.2.7')));
    const away = await visitor(proxied, cookie).get('/brands', from('192.0.2.8'));
    await proxied.close();
    expect(away.status).to.equal(403);
    expect(await away.text()).to.not.contain('Sons');
  });

  it('an empty workspace says whose it is, and what makes brands appear', async () => {
    const guest = await signIn(server, await readKey('nothing'));
    const page = await guest.get('/brands');
    const html = await page.text();
    expect(page.status).to.equal(404);
    expect(html)
      .to.contain('<h1>No brands exist</h1>')
      .and.contain('>Nothing &amp; Sons · key that only reads')
      .and.contain('Sign out')
      .and.contain('A brand appears here once its data is imported');
    const operator = await testServer({ now: server.now });
    const none = await (await (await signIn(operator, OPERATOR_KEY)).get('/brands')).text();
    await operator.close();
    expect(none).to.contain('All workspaces · key of the operator').and.contain('No workspace has a brand.');
  });
});

describe('words for people', () => {
  const server = ruleServer();

  it('no page has a command of a shell, whichever key it was opened by', async () => {
    await server.load([bare]);
    const command = /\b(?:svc|npm|npx|curl) +[\w-]/;
    for (const key of [
      await server.key({ workspace: 'w', kind: 'read' }),
      await server.key({ workspace: 'w', kind: 'full' }),
      await server.key({ workspace: 'nothing', kind: 'read' }),
      OPERATOR_KEY,
    ]) {
      const guest = await signIn(server, key);
      for (const path of [
        '/brands',
        '/brands/first',
        '/brands/uncollected',
        '/brands/first/prompts/p1',
        '/brands/x',
      ])
        expect(await (await guest.get(path)).text(), path).to.not.match(command);
    }
    for (const path of ['/sign-in', '/sign-in/nobody'])
      expect(await (await server.request(path, null)).text(), path).to.not.match(command);
  });

  it('a definition begins with what the number tells, and its formula is beneath', async () => {
    const html = await (await signIn(server, OPERATOR_KEY)).html('/brands/first');
    const definitions = [...html.matchAll(/id="pop-define-(\w+)"[^>]*>(.*?)<\/div>/gs)].map(
      ([, name, each]) => {
        const texts = [...each!.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map(([, text]) => text);
        return [name, texts[0], texts.at(-1)];
      },
    );
    expect(definitions).to.have.length(4);
    for (const [name, what, formula] of definitions)
      expect([what, formula], name).to.deep.equal([
        definitionNamed(name!).what,
        definitionNamed(name!).formula,
      ]);
    expect(definitions.map(([name]) => name)).to.include.members(['presence_rate', 'visibility']);
  });
});
