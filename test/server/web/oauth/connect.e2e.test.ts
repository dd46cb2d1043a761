import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../../../../scripts/support/browser.js';
import { rulesOf } from '../../../../src/server/accounts/identity-provider.js';
import { certificate } from '../../../cli/support/certificate.js';
import { NOW, records } from '../../../rules/support/records.js';
import { type TestServer, testServer } from '../../../support/server.js';
import { CLIENT_ID, CLIENT_SECRET, openIdProvider, type TestProvider } from '../oidc/support/provider.js';
import { callAt, challengeOf, newVerifier } from './support/person.js';

const WIDTHS = [390, 1440] as const;
const HOSTILE = [
  '<script>alert(1)</script>',
  'Claude\u202egro.liv\u0000\u001b[31m',
  'W'.repeat(400),
  'ما \u2066Assistant\u2069 \n\n of your bank',
  'https://claude.ai — verified ✓',
];
const { SCREENSHOTS_DIR } = process.env;

const opened = async (server: Server | TlsServer): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
};

describe('connecting an assistant in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let server: TestServer;
  let provider: TestProvider;
  let publicUrl: string;
  let callback: string;
  /** In front of the server, as the proxy of a deployment: browsers keep `Secure` cookies of https. */
  const proxy = createTlsServer(certificate, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request(new URL(url ?? '/', server.url), { method: method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  const assistant = createServer((_, response) => response.end('back at the assistant'));
  const faults: string[] = [];

  before(async function () {
    try {
      browser = await startBrowser();
    } catch (error) {
      console.log(`      ${(error as Error).message}`);
      return this.skip();
    }
    publicUrl = `https://localhost:${await opened(proxy)}`;
    callback = `http://127.0.0.1:${await opened(assistant)}/callback`;
    provider = await openIdProvider({ callback: `${publicUrl}/sign-in/callback` });
    provider.accounts.set('anna', { email: 'anna@example.com', email_verified: true, name: 'Anna' });
    provider.present = 'anna';
    const identityProvider = {
      ...{ issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
      ...{ rules: rulesOf('domain:example.com=w/full')!, scope: 'openid email', groupsClaim: 'groups' },
    };
    const settings = { publicUrl, oauth: true, oauthRegistration: true, identityProvider };
    server = await testServer({ now: NOW, ...settings });
    await server.load(records);
  });
  after(async () => {
    await browser?.close();
    for (const each of [proxy, assistant]) each.close().closeAllConnections();
    await Promise.all([server?.close(), provider?.close()]);
  });
  beforeEach(async () => {
    server.pass(60_000);
    faults.length = 0;
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
    page.on('console', (message) => {
      if (!message.text().startsWith('Failed to load resource')) faults.push(message.text());
    });
    page.on('pageerror', ({ message }) => faults.push(message));
  });
  afterEach(async () => {
    await context.close();
    expect(faults).to.deep.equal([]);
  });

  async function authorization(client_name: string, redirect: string): Promise<string> {
    const registered = await fetch(`${server.url}/oauth/reg`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name, redirect_uris: [redirect] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const verifier = newVerifier();
    const fields = {
      client_id,
      response_type: 'code',
      redirect_uri: redirect,
      scope: 'svc:read',
      state: 'x',
    };
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
    return `${publicUrl}/oauth/auth?${new URLSearchParams({ ...fields, ...pkce })}`;
  }

  /** Checks the page at both widths, keeps pictures, and returns its text. */
  async function look(name: string): Promise<string> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(wide, `${name} at ${width}`).to.equal(0);
      await page.evaluate(axe.source);
      const broken = await page.evaluate<string[]>(
        "axe.run(document, { rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
      );
      expect(broken, `${name} at ${width}`).to.deep.equal([]);
      if (SCREENSHOTS_DIR)
        await page.screenshot({ path: join(SCREENSHOTS_DIR, `${name}-${width}.png`), fullPage: true });
    }
    return page.innerText('main');
  }

  it('a person signs in by the account at the provider, decides, and leads back to the assistant', async () => {
    await page.goto(await authorization('Helpful assistant', callback));
    expect(await look('connect'))
      .to.contain('Helpful assistant')
      .and.contain('127.0.0.1');
    await page.click('text=Continue');
    await page.waitForURL(/\/sign-in\?to=/);
    await look('sign-in');
    await page.click('text=Sign in with your account at');
    await page.waitForURL(/\/consent\??$/);
    const asked = await look('consent');
    expect(asked).to.contain('as anna@example.com').and.contain('program on your own computer');
    await page.check('text=Only these:');
    await page.check('text=Brand first');
    await page.click('button:has-text("Allow") >> nth=0');
    await page.waitForURL(`${callback}?**`);
    expect(new URL(page.url()).searchParams.has('code')).to.equal(true);
    expect(new URL(page.url()).searchParams.get('state')).to.equal('x');
    // The code is not exchanged: an assistant without a token is not connected yet.
    await page.goto(`${publicUrl}/assistants`);
    expect(await look('assistants-none')).to.contain('None.');
  });

  it('a connected assistant is listed with its hostile name, and ended by its button', async () => {
    const name = HOSTILE[1]!.replace('\u0000', '');
    const verifier = newVerifier();
    const address = new URL(await authorization(name, callback));
    address.searchParams.set('code_challenge', challengeOf(verifier));
    await page.goto(`${publicUrl}/sign-in`);
    await page.click('text=Sign in with your account at');
    await page.waitForURL(/\/brands/);
    await page.goto(address.href);
    await page.click('text=Continue');
    await page.waitForURL(/\/consent\??$/);
    await page.click('button[value=allow]');
    await page.waitForURL(`${callback}?**`);
    const exchanged = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: address.searchParams.get('client_id')!,
        code: new URL(page.url()).searchParams.get('code')!,
        code_verifier: verifier,
        redirect_uri: callback,
      }),
    });
    const { access_token } = (await exchanged.json()) as { access_token: string };
    expect((await callAt(server, access_token, 'list_brands')).status).to.equal(200);
    await page.goto(`${publicUrl}/assistants`);
    expect(await look('assistants'))
      .to.contain('Claude\\u202egro.liv')
      .and.contain('last used');
    await page.click('button:has-text("End")');
    await page.waitForURL(/\/assistants$/);
    expect(await page.innerText('#connected')).to.contain('None.');
    server.pass();
    expect((await callAt(server, access_token, 'list_brands')).status).to.equal(401);
  });

  for (const [at, name] of HOSTILE.entries())
    it(`a hostile name changes nothing around it (${at + 1})`, async () => {
      const address = await authorization(name.replace('\u0000', ''), 'https://assistant.example/callback');
      await page.goto(`${publicUrl}/sign-in`);
      await page.click('text=Sign in with your account at');
      await page.waitForURL(/\/brands/);
      await page.goto(address);
      const first = await look(`hostile-${at}-first`);
      await page.click('text=Continue');
      await page.waitForURL(/\/consent\??$/);
      const text = await look(`hostile-${at}`);
      for (const each of [first, text]) {
        expect(each).to.contain('assistant.example');
        expect(each).to.not.match(/[\p{Cf}\p{Co}]/u);
      }
      expect(text).to.contain('its name is not verified');
    });
});
