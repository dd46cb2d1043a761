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
  `${BRAND}/engines/chatgpt`,
  '/brands',
  '/brands/aerisvane',
  '/brands/slumbrook',
  '/brands/nobody',
  `/brands/${crowdedId}`,
  `/brands/${crowdedId}/prompts/p0`,
  `/brands/${crowdedId}/answers/r0`,
  `/brands/${crowdedId}/competitors/c0`,
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
      `axe.run(document, { rules: { 'color-contrast': { enabled: ${contrast} } } }).then(({ violations }) => violations)`,
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
    for (let presses = 0; presses < 120; presses++) {
      await page.keyboard.press('Tab');
      visited.add(await focused());
    }
    for (const control of [
      'Other brands',
      'Sign out',
      'days',
      'Show',
      'From – to',
      'Filters',
      '?',
      'The numbers of this chart',
      'JSON',
    ])
      expect([...visited], control).to.include(control);
    await page.locator('details.define summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details.define p').first().isVisible()).to.equal(true);
  });

  it('a link from another site opens the page of who is signed in', async () => {
    await page.route('https://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${server.url}${BRAND}">Report</a>` }),
    );
    await page.goto('https://elsewhere.example/');
    faults.length = 0;
    await page.click('a');
    await page.waitForURL(`**${BRAND}`);
    await page.waitForSelector('#scorecard');
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

  it('the form shows another window, and the address is that of the window', async () => {
    await goto(BRAND);
    await page.selectOption('#days', '14');
    await page.click('.controls form >> text=Show');
    await page.waitForURL('**?days=14');
    expect(await page.locator('#days').inputValue()).to.equal('14');
  });

  it('the form of filters takes several engines and a tag by keyboard, and each chip removes one', async () => {
    await goto(`${BRAND}?days=14`);
    await page.focus('.filters summary');
    await page.keyboard.press('Enter');
    for (const box of ['chatgpt', 'perplexity']) {
      await page.focus(`.filters input[value=${box}]`);
      await page.keyboard.press('Space');
    }
    await page.focus('.filters input[name=tag] >> nth=0');
    const tag = await page.locator('.filters input[name=tag]').first().inputValue();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForURL(/engine=chatgpt&engine=perplexity&tag=/);
    expect(await page.locator('.multiples li').count()).to.equal(2);
    expect(await page.locator('#quotes .about').textContent()).to.contain('of all tags');
    await page.click('.chip >> text=ChatGPT');
    await page.waitForURL(`**?days=14&engine=perplexity&tag=${encodeURIComponent(tag)}`);
    await page.click(`.chip >> text=Tag: ${tag}`);
    await page.waitForURL('**?days=14&engine=perplexity');
    await page.click('.chip >> text=Perplexity');
    await page.waitForURL('**?days=14');
    await page.click('.chip >> text=Last 14 days');
    await page.waitForURL(`**${BRAND}`);
    expect(await page.locator('.chip').count()).to.equal(0);
  });

  it('the form of a range keeps it when other engines are chosen, and the other form leads back to days', async () => {
    await goto(`${BRAND}?from=2026-11-10&to=2026-11-19`);
    await page.click('.filters summary');
    await page.check('.filters input[value=gemini]');
    await page.click('.filters >> text=Show');
    await page.waitForURL(/from=2026-11-10/);
    expect(new URL(page.url()).searchParams.toString()).to.equal(
      'engine=gemini&prompt=&from=2026-11-10&to=2026-11-19',
    );
    await page.click('.other-window summary');
    await page.click('.other-window >> text=Show');
    await page.waitForURL('**?days=7&engine=gemini');
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

  it('with everything opened nothing overflows', async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await goto(BRAND);
      for (const each of await page.locator('details > summary').all()) await each.click({ force: true });
      expect(await overflow(), String(width)).to.be.at.most(0);
    }
  });

  it('all blocks are there in the order of the questions, each chart with a title and its numbers as a table', async () => {
    await page.setViewportSize({ width: 1000, height: 900 });
    await goto(`${BRAND}?days=28`);
    const ids = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.cards > section')].map(({ id }) => id)",
    );
    expect(ids).to.deep.equal([
      'summary',
      'actions',
      'scorecard',
      'why',
      'visibility',
      'competitors',
      'engines',
      'domains',
      'pages',
      'quotes',
      'absent',
      'gaps',
      'searches',
      'shopping',
      'ads',
      'crawlers',
    ]);
    for (const id of ids) expect(await page.locator(`#${id}`).isVisible(), id).to.equal(true);
    for (const svg of await page.locator('svg.lines').all()) {
      const title = await svg.evaluate((element) => element.querySelector('title')?.textContent);
      expect(title).to.match(/^Visibility/);
    }
    expect(await page.locator('#visibility table tbody tr').count()).to.equal(28);
  });

  for (const [width, height] of [
    [390, 844],
    [1280, 900],
  ] as const)
    it(`at ${width} × ${height} the six questions have an answer on the first screen`, async () => {
      await page.setViewportSize({ width, height });
      await goto(`${BRAND}?days=7`);
      const answers = {
        'Are we visible?': [
          '#summary .sentence',
          /^Torvello is named in \d+ % of answers, \w+ of seven brands/,
        ],
        'What needs you': ['#actions li:first-child a >> nth=0', /\w{3}/],
        'Did it move?': [
          '#summary dd >> nth=0',
          /\d of 100, from [\d.]+ to [\d.]+: [+−±][\d.]+ points, no clear change/,
        ],
        'Against whom?': ['#summary dd >> nth=1', /behind .*\d %/],
        'Where?': ['#summary dd >> nth=2', /highest on .*\d, lowest on .*\d/],
        'Because of which sources?': ['#summary dd >> nth=3', /most cited: \S+ \d+/],
      } as const;
      for (const [question, [selector, words]] of Object.entries(answers)) {
        const answer = page.locator(selector);
        const { y, height: own } = (await answer.boundingBox())!;
        expect(y + own, question).to.be.at.most(height);
        expect(y, question).to.be.at.least(0);
        expect((await answer.innerText()).replaceAll(/\s+/g, ' '), question).to.match(words);
      }
      const [needs, summary] = await Promise.all(
        ['#actions', '#summary'].map((block) => page.locator(block).boundingBox()),
      );
      if (width === 390) expect(needs!.y).to.be.lessThan(summary!.y);
      const sizes = await page.evaluate<number[]>(
        "[...document.querySelectorAll('main *')].map((each) => parseFloat(getComputedStyle(each).fontSize))",
      );
      const largest = await page.evaluate<number>(
        "parseFloat(getComputedStyle(document.querySelector('.sentence')).fontSize)",
      );
      expect(Math.max(...sizes)).to.equal(largest);
    });

  it('the chart tells the values of a day to a pointer and to the keyboard, the same as its table', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await goto(`${BRAND}?days=28`);
    await page.locator('#visibility details > summary').click();
    const valuesOf = async (row: number) =>
      (await page.locator('#visibility tbody tr').nth(row).locator('td').allInnerTexts()).slice(0, -1);
    const days = page.locator('#visibility .days label');
    expect(await days.count()).to.equal(28);
    const told = (at: number) => days.nth(at).locator('span');
    const isSeen = (at: number) =>
      told(at).evaluate((each) => getComputedStyle(each).clipPath === 'none' && each.clientWidth > 60);
    const textOf = async (at: number) => (await told(at).innerText()).split('\n').slice(1);
    expect(await isSeen(20)).to.equal(false);
    await days.nth(20).hover();
    expect(await isSeen(20)).to.equal(true);
    const values = await valuesOf(20);
    expect(values).to.have.length(5);
    expect((await textOf(20)).slice(0, 5).map((line) => line.split(' ').at(-1))).to.deep.equal(values);
    await page.mouse.move(0, 0);
    await days.nth(0).locator('input').focus();
    for (const at of [1, 2]) {
      await page.keyboard.press('ArrowRight');
      expect([await isSeen(at - 1), await isSeen(at)]).to.deep.equal([false, true]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    for (const at of [3, 13, 14, 27]) {
      await days.nth(at).click();
      const { x, width } = (await told(at).boundingBox())!;
      expect([x >= 0, x + width <= 390]).to.deep.equal([true, true]);
    }
    expect(await overflow()).to.be.at.most(0);
  });

  it('a table that does not fit a telephone shows at its edge that it scrolls, and keeps the names of its rows', async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await goto(BRAND);
      const table = page.locator('#competitors .scroll').first();
      await table.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await table.boundingBox())!;
      const clip = { x: x + width - 6, y: y + height / 2, width: 6, height: 1 };
      const edge = () => page.screenshot({ clip });
      const [begun, nameAt] = [await edge(), await table.locator('tbody th').first().boundingBox()];
      expect(await table.evaluate((each) => each.scrollWidth > each.clientWidth)).to.equal(true);
      await table.evaluate((each) => each.scrollTo(each.scrollWidth, 0));
      expect((await edge()).equals(begun), colorScheme).to.equal(false);
      expect(await table.locator('tbody th').first().boundingBox()).to.deep.equal(nameAt);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('bars on paper differ without colours: an outline, and two lightnesses that are far apart', async () => {
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 800, height: 1100 });
    await goto(BRAND);
    const lightness = async (selector: string, property = 'fill') => {
      const fill = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}')).${property}`,
      );
      const [red = 0, green = 0, blue = 0] = fill.match(/[\d.]+/g)!.map(Number);
      return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    };
    const own = await lightness('#competitors .bar.own rect');
    const rival = await lightness('#competitors .bar:not(.own) rect');
    const track = await lightness('#competitors .bar', 'backgroundColor');
    expect(track - rival, 'rival on track').to.be.greaterThan(0.3);
    expect(rival - own, 'own beside rival').to.be.greaterThan(0.3);
    const border = "getComputedStyle(document.querySelector('#competitors .bar')).borderTopStyle";
    expect(await page.evaluate<string>(border)).to.equal('solid');
    await page.emulateMedia({ media: 'screen' });
  });

  it('on paper the controls are gone and the blocks stay', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await goto(BRAND);
    for (const hidden of ['.controls', '.files', '.days', '#visibility .slim'])
      expect(await page.locator(hidden).first().isVisible(), hidden).to.equal(false);
    expect(await page.locator('#visibility .broad').isVisible()).to.equal(true);
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
