import { startBrowser } from '../scripts/support/browser.js';
import { ruleServer } from './rules/support/rule-server.js';
import { authorizationOf, newVerifier, oauthSettings, Person, registered } from './server/web/oauth/support/person.js';
import { cookieIn, postForm } from './server/web/page/support/visitor.js';
describe('shot', function () {
  this.timeout(120000);
  const server = ruleServer({ ...oauthSettings, trustProxyHops: 0 });
  it('y', async () => {
    const clientId = await registered(server, { client_name: 'Helpful assistant', redirect_uris: ['http://127.0.0.1/callback'] });
    const key = await server.key({ workspace: 'w', kind: 'full', expires: '2026-12-01' });
    const person = new Person(server);
    await person.signIn(key);
    const consent = await person.begin(authorizationOf(clientId, newVerifier(), { redirect_uri: 'http://127.0.0.1:4999/callback', scope: 'svc:read svc:fact-check' }));
    const first = await (await person.open(consent.replace('/consent', ''))).text();
    const second = await (await person.open(consent)).text();
    const browser = await startBrowser();
    for (const width of [390, 1600]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      for (const [name, html] of [['first', first], ['second', second]] as const) {
        await page.route('**/connect/**', (route) => route.fulfill({ body: html, contentType: 'text/html' }));
        await page.goto(server.url + (name === 'first' ? consent.replace('/consent', '') : consent));
        await page.screenshot({ path: `/tmp/oauth/${name}-${width}.png`, fullPage: true });
        await page.unroute('**/connect/**');
      }
    }
    await browser.close();
    void cookieIn; void postForm;
  });
});
