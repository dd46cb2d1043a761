import { expect } from 'chai';
import { ruleServer } from '../../rules/support/rule-server.js';
import { OPERATOR_KEY, testServer } from '../../support/server.js';
import { type Environment, Home, svc } from '../support/run.js';

describe('svc share', () => {
  const server = ruleServer();
  const home = new Home();
  after(() => home.remove());
  const env = (): Environment => ({ ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY });

  it('prints a link that shows the brand, by its id or its name, within filters', async () => {
    for (const name of ['second', 'brand SECOND']) {
      const { stdout, stderr, code } = await svc(['share', '--brand', name, '--engine', 'chatgpt'], env());
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(new RegExp(`^${server.url}/shared/[\\w-]{43}\n$`));
      expect(stderr).to.contain('It shows second until 2027-02-18T12:00Z').and.contain('svc share revoke');
      const response = await fetch(stdout.trim());
      expect([response.status, (await response.text()).includes('Brand second')]).to.deep.equal([200, true]);
    }
  });

  it('lists the links that work, and revokes one by its id', async () => {
    const made = await svc(['share', '--brand', 'first', '--days', '7', '--expires', '30d', '--json'], env());
    const { id, url, ...rest } = JSON.parse(made.stdout);
    expect(rest).to.deep.equal({
      brand: 'first',
      slice: { days: 7 },
      key_id: 'operator',
      created_at: '2026-11-20T12:00:00.000Z',
      expires_at: '2026-12-20T12:00:00.000Z',
    });
    const list = await svc(['share', 'list'], env());
    expect(list.stdout).to.contain(id).and.contain('days 7').and.contain('2026-12-20T12:00Z');
    expect(list.stdout).to.not.contain(url.slice(-43));
    const { shares } = JSON.parse((await svc(['share', 'list', '--json'], env())).stdout);
    expect(shares.map((share: { id: string }) => share.id)).to.include(id);
    const revoked = await svc(['share', 'revoke', id], env());
    expect([revoked.code, revoked.stdout]).to.deep.equal([0, `Link ${id} is revoked.\n`]);
    expect((await fetch(url)).status).to.equal(404);
    expect((await svc(['share', 'revoke', id], env())).code).to.equal(5);
  });

  it('says what is wrong: a value, an expiry, a link in place of its id, a server without the page', async () => {
    for (const [args, code, words] of [
      [['share', '--brand', 'nobody'], 5, 'Unknown brand: nobody'],
      [['share', '--brand', 'first', '--tag', 'nobody'], 2, 'Unknown tag: nobody'],
      [['share', '--brand', 'first', '--expires', '400d'], 2, 'at most 366 days from now'],
      [['share', 'revoke', `${server.url}/shared/x`], 2, 'This is no id of a link'],
    ] as const) {
      const result = await svc(args, env());
      expect([result.code, result.stderr.replace(/\s+/g, ' ').includes(words)], result.stderr).to.deep.equal([
        code,
        true,
      ]);
    }
    const off = await testServer({ page: false, database: server.database });
    const without = await svc(['share', 'list'], { ...env(), SVC_URL: off.url });
    await off.close();
    expect([without.code, without.stderr.includes('This server has no page')]).to.deep.equal([5, true]);
  });
});
