import { expect } from 'chai';
import { ruleServer } from '../../rules/support/rule-server.js';
import { OPERATOR_KEY, testServer } from '../../support/server.js';
import { type Environment, Home, svc } from '../support/run.js';

describe('svc open', () => {
  const server = ruleServer();
  const home = new Home();
  after(() => home.remove());
  const env = (): Environment => ({ ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY });

  /** As a browser opens an address that a person typed. */
  const open = (link: string) => fetch(link, { redirect: 'manual', headers: { 'Sec-Fetch-Site': 'none' } });

  it('prints a link that signs in once, to the list, to a brand, by its id or its name, or to a prompt or answer of it', async () => {
    for (const [args, path] of [
      [[], '/brands'],
      [['second'], '/brands/second'],
      [['brand SECOND'], '/brands/second'],
      [['second', '--prompt', 'p/1'], '/brands/second/prompts/p%2F1'],
      [['second', '--answer', 'r 1'], '/brands/second/answers/r%201'],
      // Without a brand that of every command: the first of the key.
      [['--prompt', 'p1'], '/brands/foreign/prompts/p1'],
    ] as const) {
      const { stdout, stderr, code } = await svc(['open', ...args], env());
      expect(code, stderr).to.equal(0);
      const link = stdout.trim();
      expect(link)
        .to.match(new RegExp(`^${server.url}/sign-in/[\\w-]{43}(\\?to=\\S*)?$`))
        .and.not.contain(OPERATOR_KEY);
      const response = await open(link);
      expect(response.status).to.equal(303);
      expect(new URL(response.headers.get('location')!, link).pathname).to.equal(path);
      expect((await open(link)).status).to.equal(401);
    }
  });

  it('prints one object under --json', async () => {
    const { stdout } = await svc(['open', 'first', '--json'], env());
    expect(JSON.parse(stdout)).to.have.all.keys('url', 'expires_at');
  });

  it('fails as every command does: an unknown brand, a wrong key, a server without the page', async () => {
    const unknown = await svc(['open', 'nobody'], env());
    expect([unknown.code, unknown.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 5 && text.includes('Unknown brand: nobody'),
    );
    expect((await svc(['open'], { ...env(), SVC_API_KEY: 'svc_nobody' })).code).to.equal(3);
    const off = await testServer({ page: false, database: server.database });
    const without = await svc(['open'], { ...env(), SVC_URL: off.url });
    await off.close();
    expect(without.code).to.equal(5);
    expect(without.stderr).to.contain(
      'This server has no page: it is off (PAGE=off), or the server is older.',
    );
  });
});
