import { join } from 'node:path';
import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../../../scripts/support/browser.js';
import { demoBrandId } from '../../../../src/demo/data/index.js';
import { OPERATOR_KEY, type TestServer } from '../../../support/server.js';
import { demoWithOddMarket } from './support/demo.js';
import { crowdedId, newId } from './support/odd-market.js';

const WIDTHS = [390, 1000, 1600] as const;
const EVERY_VIEW = WIDTHS.flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const]);
const SOME_VIEWS = [[390, 'light'] as const, [1000, 'dark'] as const, [1600, 'light'] as const];
const BRAND = `/brands/${demoBrandId}`;
const PAGES = [
  BRAND,
  `${BRAND}?from=2026-11-07&to=2026-11-20&engine=chatgpt`,
  `${BRAND}?days=14&engine=chatgpt,grok&topic=compact&region=us`,
  `${BRAND}/prompts/p01`,
  `${BRAND}/answers/2026-11-20.perplexity.p22.us`,
  `${BRAND}/sources/youtube.com`,
  `${BRAND}/competitors/lanzaro`,
  `${BRAND}/marks/first-machine-2026-10-12`,
  `${BRAND}/marks/milk-2026-11-02`,
  `${BRAND}/page?url=${encodeURIComponent('https://www.seriouseats.com/best-espresso-machines-7373529')}`,
  ...[
    'prompts',
    'answers',
    'sources',
    'competitors',
    'facts',
    'needs',
    'moves',
    'crawlers',
    'shopping',
    'names',
  ].map((tab) => `${BRAND}/${tab}`),
  '/brands',
  '/brands/aerisvane',
  '/brands/slumbrook',
  '/brands/nobody',
  `/brands/${crowdedId}`,
  `/brands/${crowdedId}/prompts/p0`,
  `/brands/${crowdedId}/answers/r0`,
  `/brands/${crowdedId}/competitors/c0`,
  `/brands/${crowdedId}/page?url=${encodeURIComponent(`https://site8.example/${'path-of-many-words/'.repeat(8)}8`)}`,
  `/brands/${newId}`,
  `${BRAND}?days=1`,
  '/sign-in',
];

/** Where pictures of every page are kept; unset: nowhere. */
const { SCREENSHOTS_DIR } = process.env;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

describe('the page in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  /** What no page may do: requests to other origins, scripts, messages on the console, as for a violation of the policy. */
  const faults: string[] = [];

  before(async function () {
    try {
      browser = await startBrowser();
    } catch (error) {
      console.log(`      ${(error as Error).message}`);
      return this.skip();
    }
    server = await demoWithOddMarket();
    page = await browser.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(`${server.url}/`) && !request.url().startsWith('data:'))
        faults.push(`request to ${request.url()}`);
      if (request.resourceType() === 'script') faults.push(`script ${request.url()}`);
    });
    page.on('console', (message) => {
      // The browser reports the status of an error page itself.
      if (!message.text().startsWith('Failed to load resource: the server responded with a status of 4'))
        faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
    faults.length = 0;
  });
  afterEach(() => expect(faults).to.deep.equal([]));

  const goto = (path: string) => page.goto(server.url + path);

  /**
   * Breaches of accessibility rules, with the elements; needs the source of axe in the page.
   * @param contrast Whether colours are compared too, which takes most of the time.
   */
  async function breaches(contrast: boolean): Promise<string[]> {
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, { rules: { 'color-contrast': { enabled: ${contrast} }, 'target-size': { enabled: true } } }).then(({ violations }) => violations)`,
    );
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 200))
          .join(' | ')}`,
    );
  }

  const overflow = () =>
    page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  /** Keeps a picture of the whole page. */
  async function keep(name: string): Promise<void> {
    if (!SCREENSHOTS_DIR) return;
    const file = `${name.replaceAll(/[^\w=-]+/g, '_').replace(/^_/, '')}.jpeg`;
    await page.screenshot({ path: join(SCREENSHOTS_DIR, file), fullPage: true, type: 'jpeg', quality: 80 });
  }

  it('signs in with only the keyboard, and reaches every control', async () => {
    await goto(BRAND);
    expect(new URL(page.url()).pathname).to.equal('/sign-in');
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Skip to the content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('key');
    await page.keyboard.type(OPERATOR_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${BRAND}`);
    const visited = new Set<string>();
    for (let presses = 0; presses < 110; presses++) {
      await page.keyboard.press('Tab');
      visited.add(await focused());
    }
    for (const control of [
      '7 d',
      'From – to',
      '+ Engine',
      'Share',
      'Export',
      'Prompts 23',
      '?',
      'topic',
      'Sign out',
    ])
      expect([...visited], control).to.include(control);
    await page.locator('.define').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#pop-define-presence_rate p').first().isVisible()).to.equal(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('#pop-define-presence_rate p').first().isVisible()).to.equal(false);
  });

  it('a link from another site opens the page of who is signed in', async () => {
    await page.route('https://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${server.url}${BRAND}">Report</a>` }),
    );
    await page.goto('https://elsewhere.example/');
    faults.length = 0;
    await page.click('a');
    await page.waitForURL(`**${BRAND}`);
    await page.waitForSelector('#summary');
  });

  it('a link that signs in: at once for who typed it, by a button for who comes from another site', async () => {
    const newLink = async () => {
      const made = await server.request('/sign-in-links', OPERATOR_KEY, { method: 'POST' });
      return server.url + ((await made.json()) as { path: string }).path;
    };
    const context = await browser.newContext();
    const visitor = await context.newPage();
    await visitor.goto(await newLink());
    expect(new URL(visitor.url()).pathname).to.equal('/brands');
    await visitor.click('text=Sign out');
    await visitor.waitForURL('**/sign-in');
    const link = await newLink();
    await visitor.route('https://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${link}">Look</a>` }),
    );
    await visitor.goto('https://elsewhere.example/');
    await visitor.click('a');
    await visitor.waitForSelector('h1');
    expect([visitor.url(), await context.cookies()]).to.deep.equal([link, []]);
    await visitor.evaluate(axe.source);
    const found = await visitor.evaluate<Violation[]>(
      'axe.run(document).then(({ violations }) => violations)',
    );
    expect(found).to.deep.equal([]);
    if (SCREENSHOTS_DIR) await visitor.screenshot({ path: join(SCREENSHOTS_DIR, 'sign-in-link.png') });
    await visitor.click('button');
    await visitor.waitForURL('**/brands');
    await context.close();
  });

  it('another window is a link or a range, and the address is that of the window', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await goto(BRAND);
    await page.click('.windows >> text=14 d');
    await page.waitForURL('**?days=14');
    expect(await page.locator('.windows [aria-current]').textContent()).to.equal('14 d');
    await page.click('.windows button');
    await page.fill('#from', '2026-11-10');
    await page.fill('#to', '2026-11-19');
    await page.click('#pop-days button[type=submit]');
    await page.waitForURL('**?from=2026-11-10&to=2026-11-19');
    expect(await page.locator('.windows .current').textContent()).to.equal('10 Nov – 19 Nov');
  });

  it('what opens stands over the page: nothing below moves', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await goto(BRAND);
    const place = () => page.locator('#why').boundingBox();
    const before = await place();
    for (const id of ['filter-engine', 'share', 'export', 'define-visibility']) {
      await page.click(`[popovertarget=pop-${id}]`);
      const { x, y, width, height } = (await page.locator(`#pop-${id}`).boundingBox())!;
      expect([x >= 0, x + width <= 1280, y >= 0, y + height <= 900], id).to.deep.equal([
        true,
        true,
        true,
        true,
      ]);
      expect(await place(), id).to.deep.equal(before);
      await page.keyboard.press('Escape');
    }
  });

  it('the forms of filters take several engines and a tag by keyboard, and each chip removes one', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await goto(`${BRAND}?days=14`);
    const open = async (filter: string) => {
      await page.focus(`[popovertarget=pop-filter-${filter}]`);
      await page.keyboard.press('Enter');
    };
    await open('engine');
    for (const box of ['chatgpt', 'perplexity']) {
      await page.focus(`#pop-filter-engine input[value=${box}]`);
      await page.keyboard.press('Space');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/engine=chatgpt&engine=perplexity/);
    await open('tag');
    await page.focus('#pop-filter-tag input >> nth=0');
    const tag = await page.locator('#pop-filter-tag input').first().inputValue();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tag=/);
    await page.click('.chip >> text=ChatGPT');
    await page.waitForURL(`**?days=14&engine=perplexity&tag=${encodeURIComponent(tag)}`);
    await page.click(`.chip >> text=Tag: ${tag}`);
    await page.waitForURL('**?days=14&engine=perplexity');
    await page.click('.chip >> text=Perplexity');
    await page.waitForURL('**?days=14');
    expect(await page.locator('.chip').count()).to.equal(0);
  });

  for (const path of PAGES) {
    it(`${path}: at every width nothing overflows and the accessibility rules hold`, async () => {
      await goto(path);
      await page.evaluate(axe.source);
      for (const [width, colorScheme] of path === BRAND ? EVERY_VIEW : SOME_VIEWS) {
        // The colours of a wide page are those of a narrow one.
        const contrast = path === BRAND || width < 1600;
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await keep(`${path} ${width} ${colorScheme}`);
        expect(await overflow(), `${width} ${colorScheme}`).to.be.at.most(0);
        expect(await breaches(contrast), `${width} ${colorScheme}`).to.deep.equal([]);
      }
      expect(await page.locator('script').count()).to.equal(0);
    });
  }

  it('the first screen is at most 1,100 px high at 1440, and three screens on a telephone', async () => {
    for (const [width, most] of [
      [1440, 1100],
      [390, 3 * 844],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      for (const query of ['?days=7', '?days=28']) {
        await goto(BRAND + query);
        expect(
          await page.evaluate<number>('document.documentElement.scrollHeight'),
          width + query,
        ).to.be.at.most(most);
      }
    }
  });

  it('the blocks are there in the order of the questions, on a telephone what to do comes second', async () => {
    const order = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      await goto(`${BRAND}?days=7`);
      return page.evaluate<string[]>(
        "[...document.querySelectorAll('.screen section')].map((each) => [each.getBoundingClientRect().top, each.id]).sort(([a], [b]) => a - b).map(([, id]) => id)",
      );
    };
    expect(await order(390)).to.deep.equal(['summary', 'actions', 'line', 'why', 'competitors']);
    expect([...(await order(1280))].sort()).to.deep.equal([
      'actions',
      'competitors',
      'line',
      'summary',
      'why',
    ]);
    for (const svg of await page.locator('svg.lines').all())
      expect(await svg.evaluate((element) => element.querySelector('title')?.textContent)).to.match(/\w{4}/);
  });

  it('at 1280 × 900 the questions have an answer on the first screen', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await goto(`${BRAND}?days=7`);
    const answers = {
      'Are we visible?': ['.sentence', /^Named in \d+ % of answers, \w+ of seven brands\. \w+/],
      'Did it move?': ['.tile >> nth=0', /\d.*(before|from)/],
      'What do we do?': ['#actions li:first-child a >> nth=0', /\w{3}/],
      'Against whom?': ['#competitors tbody tr >> nth=0', /\d %/],
      'Which engine?': ['#why h2', /engine/],
    } as const;
    for (const [question, [selector, words]] of Object.entries(answers)) {
      const answer = page.locator(selector);
      const { y, height: own } = (await answer.boundingBox())!;
      expect(y + own, question).to.be.at.most(900);
      expect((await answer.innerText()).replaceAll(/\s+/g, ' '), question).to.match(words);
    }
    const sizes = await page.evaluate<number[]>(
      "[...new Set([...document.querySelectorAll('body *')].map((each) => parseFloat(getComputedStyle(each).fontSize)))]",
    );
    expect(sizes.filter((size) => ![12, 14, 16, 20, 28].includes(size))).to.deep.equal([]);
  });

  it('on paper the controls are gone and the blocks stay', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await goto(BRAND);
    for (const hidden of ['.windows', '.tools', '.tabs', '#line .slim'])
      expect(await page.locator(hidden).first().isVisible(), hidden).to.equal(false);
    expect(await page.locator('#line .broad').isVisible()).to.equal(true);
    expect(await page.locator('.paper').innerText()).to.match(/2026 · printed on \d+ \w+ 2026/);
    const card = "getComputedStyle(document.querySelector('.card')).backgroundColor";
    expect(await page.evaluate<string>(card)).to.equal('rgb(255, 255, 255)');
    expect(await page.locator('#scorecard').isVisible()).to.equal(true);
    if (SCREENSHOTS_DIR) await page.pdf({ path: join(SCREENSHOTS_DIR, 'brand.pdf'), format: 'A4' });
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  it('signs out', async () => {
    await goto('/brands');
    await page.click('text=Sign out');
    await page.waitForURL('**/sign-in');
    await goto(BRAND);
    expect(new URL(page.url()).pathname).to.equal('/sign-in');
  });
});
