import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../../scripts/support/browser.js';
import { readPlanFile } from '../../src/collect/plan/read-plan.js';
import { builtEntry, SHORT_LIVED } from '../cli/support/built.js';
import { type Environment, Home, svc } from '../cli/support/run.js';
import { type LoopbackEngine, loopbackEngine } from '../collect/support/engine.js';

const VENDORS = pathToFileURL(join(import.meta.dirname, '../collect/support/vendors-on-loopback.mjs')).href;
const PROMPTS = ['Which running shoes last longest?', 'Which running shoes suit wide feet?'];
/** Milliseconds between two keys: a person writes 40 words a minute. */
const TYPING_MS = Number(process.env.TYPING_MS ?? 0);
const { SCREENSHOTS_DIR } = process.env;

interface Served {
  readonly child: ChildProcess;
  readonly link: string;
  printed(): string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** The server in an empty folder, its questions in a browser, and the first number. */
describe('the way from an empty folder to the first number, without a terminal', () => {
  let engine: LoopbackEngine;
  let home: Home;
  let env: Environment;
  let work: string;
  let browser: Browser;
  let page: Page;
  const running = new Set<ChildProcess>();

  before(async function () {
    try {
      browser = await startBrowser();
    } catch (error) {
      console.log(`      ${(error as Error).message}`);
      return this.skip();
    }
  });
  after(() => browser?.close());
  beforeEach(async () => {
    engine = await loopbackEngine();
    engine.answer = () => ({ text: 'Fleetfoot lasts, then Stride.' });
    home = new Home();
    work = join(home.folder, 'work');
    mkdirSync(work);
    env = {
      ...home.env,
      XDG_STATE_HOME: join(home.folder, 'state'),
      SVC_DATA_DIR: join(home.folder, 'data'),
      NODE_OPTIONS: `--import ${VENDORS}`,
      TEST_ENGINE: engine.url,
      OPENAI_API_KEY: 'key-of-the-test-0123456789',
    };
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  });
  afterEach(async () => {
    await page.context().close();
    for (const child of running) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    running.clear();
    chmodSync(work, 0o755);
    home.remove();
    await engine.close();
  });

  async function served(more: Environment = {}, port = '0'): Promise<Served> {
    const given = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(SVC_|XDG_)|_API_KEY$|_KEY$/.test(name)),
    );
    const child = spawn(process.execPath, [...SHORT_LIVED, builtEntry(), 'serve', '--edit', '--port', port], {
      cwd: work,
      env: { ...given, ...env, ...more },
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for await (const line of createInterface({ input: child.stdout })) {
      printed += `${line}\n`;
      if (!/^ +collects /.test(line)) continue;
      return {
        child,
        link: /^ +page +(\S+)/m.exec(printed)![1]!,
        printed: () => printed,
        end: async (signal = 'SIGTERM') => {
          const closed = once(child, 'close');
          child.kill(signal);
          await closed;
        },
      };
    }
    throw new Error(`it ended: ${printed}`);
  }

  async function picture(name: string): Promise<void> {
    await page.evaluate(axe.source);
    const violations = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
      'axe.run(document).then(({ violations }) => violations)',
    );
    expect(
      violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
      name,
    ).to.deep.equal([]);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} ${width}`).to.be.at.most(
        width,
      );
      if (SCREENSHOTS_DIR)
        await page.screenshot({ path: join(SCREENSHOTS_DIR, `start-${name}-${width}.png`), fullPage: true });
    }
  }

  const type = (label: string, text: string) =>
    page.getByLabel(label, { exact: true }).pressSequentially(text, { delay: TYPING_MS });
  const press = (name: string) => page.getByRole('button', { name, exact: false }).click();
  const answer = async () => {
    await type('Name', 'Fleetfoot');
    await type('Site', 'https://www.fleetfoot.example/shop');
    await type('Rivals', 'Stride, stride.example\nRapid');
    await type('Questions', PROMPTS.join('\n'));
  };

  it('is four questions, a look at what they mean, and a page that waits for the answers by itself', async () => {
    const began = performance.now();
    const server = await served();
    const listening = performance.now();
    expect(server.printed()).to.include('collects   nothing yet: the page asks what, and begins');
    await page.goto(server.link);
    expect(new URL(page.url()).pathname).to.equal('/start');
    expect(await page.getByLabel('ChatGPT').isChecked()).to.equal(true);
    await picture('questions');
    await answer();
    await press('Look at it');
    await picture('review');
    expect(await page.locator('#understood').innerText())
      .to.match(/Fleetfoot, fleetfoot\.example/)
      .and.include('Stride (stride.example), Rapid');
    expect(await page.locator('#cost').innerText()).to.include('A day costs about $0.0693');
    expect(existsSync(join(work, 'svc.toml'))).to.equal(false);
    expect(engine.asked).to.deep.equal([]);
    await press('Write it and start');
    expect(new URL(page.url()).pathname).to.equal('/brands/fleetfoot');
    await page.locator('#scorecard').waitFor({ timeout: 60_000 });
    const done = performance.now();
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
    console.log(
      `      ${seconds(began, listening)} s to the address, ${seconds(listening, done)} s in the browser`,
    );
    expect(await page.locator('main').innerText()).to.include('100');
    if (SCREENSHOTS_DIR) await page.screenshot({ path: join(SCREENSHOTS_DIR, 'start-first.png') });
    // The plan that was made can be changed at once.
    await page.getByRole('link', { name: 'Settings' }).click();
    expect(await page.locator('main').innerText()).to.include(PROMPTS[0]);
    await page.goBack();
    expect(readdirSync(work)).to.deep.equal(['svc.toml']);
    const text = readFileSync(join(work, 'svc.toml'), 'utf8');
    expect(text).to.match(/^# What is measured, and how\./);
    const { catalog, plan } = await readPlanFile(join(work, 'svc.toml'), true);
    expect(catalog!.prompts.map((each) => each.text)).to.deep.equal(PROMPTS);
    expect(plan.targets.map((each) => each.engine)).to.deep.equal(['chatgpt']);
    const overview = JSON.parse((await svc(['overview', '--json'], env)).stdout);
    expect(overview).to.deep.include({ run_count: 2, presence_rate: 1 });
    await server.end();
    // The key of the workspace signs in after a restart too, on the same port.
    const again = await served({}, new URL(page.url()).port);
    expect(again.printed()).to.include('This folder has svc.toml, which is served.');
    await page.reload();
    await page.locator('#scorecard').waitFor();
    await again.end();
    expect(engine.asked.filter(({ isExtraction }) => !isExtraction)).to.have.length(2);
  });

  it('keeps what was typed when something is wrong, and on the way back', async () => {
    const server = await served();
    await page.goto(server.link);
    await answer();
    await page.getByLabel('Name', { exact: true }).fill('Fleetfoot "]\nx = 1');
    await page.getByLabel('Site', { exact: true }).fill('not a site');
    await press('Look at it');
    await picture('wrong');
    expect(await page.getByRole('alert').innerText()).to.include('Not understood: Site.');
    expect(await page.getByLabel('Questions', { exact: true }).inputValue()).to.equal(PROMPTS.join('\n'));
    await page.getByLabel('Site', { exact: true }).fill('fleetfoot.example');
    await press('Look at it');
    await press('Change something');
    expect(await page.getByLabel('Rivals', { exact: true }).inputValue()).to.equal(
      'Stride, stride.example\nRapid',
    );
    await press('Look at it');
    await page.goBack();
    expect(await page.getByLabel('Rivals', { exact: true }).inputValue()).to.equal(
      'Stride, stride.example\nRapid',
    );
    await server.end();
  });

  it('offers the proposals of a model if it is asked, and takes only what has a tick', async () => {
    engine.misbehave = async ({ protocol, body }, response) => {
      if (protocol !== 'openai-chat' || !JSON.stringify(body).includes('You prepare a measurement'))
        return false;
      const content = JSON.stringify({
        competitors: [
          { name: 'Stride', domain: 'stride.example' },
          { name: 'Rapid', domain: null },
        ],
        prompts: [
          { text: 'Which shoes are wide?', topic: 'Fit' },
          { text: 'Is Fleetfoot good?', topic: null },
        ],
      });
      const message = { role: 'assistant', content };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          choices: [{ message, finish_reason: 'stop' }],
          model: 'm',
          usage: { prompt_tokens: 1, completion_tokens: 1 },
        }),
      );
      return true;
    };
    const server = await served();
    await page.goto(server.link);
    await type('Name', 'Fleetfoot');
    await type('Site', 'fleetfoot.example');
    await press('for proposals');
    await picture('proposals');
    expect(await page.getByLabel('Stride, stride.example').isChecked()).to.equal(false);
    await page.getByLabel('Stride, stride.example').check();
    await page.getByLabel('Which shoes are wide? (Fit)').check();
    expect(await page.getByText('Is Fleetfoot good?').count()).to.equal(0);
    await press('Look at it');
    expect(await page.locator('#understood').innerText())
      .to.include('Stride (stride.example)')
      .and.not.include('Rapid');
    await press('Change something');
    expect(await page.getByLabel('Stride, stride.example').isChecked()).to.equal(true);
    await press('Look at it');
    await press('Write it and start');
    const { catalog } = await readPlanFile(join(work, 'svc.toml'), true);
    expect(catalog!.prompts).to.deep.equal([
      { text: 'Which shoes are wide?', topic: 'Fit', tags: [], was: [] },
    ]);
    await server.end();
  });

  it('without a key writes the file, says which variable to set, and asks after the next start', async () => {
    const server = await served({ OPENAI_API_KEY: '' });
    await page.goto(server.link);
    expect(await page.locator('#asked').innerText()).to.include('Keys are never typed into a page.');
    await picture('keyless');
    await answer();
    await page.getByLabel('ChatGPT').check();
    await press('Look at it');
    expect(await page.getByRole('status').innerText()).to.include('OPENAI_API_KEY is not set.');
    await press('Write it');
    expect(await page.locator('h1').innerText()).to.equal('Written, and not started');
    expect(await page.locator('#missing').innerText()).to.include(
      'export OPENAI_API_KEY=…\nsvc serve --edit',
    );
    await picture('missing');
    await page.getByRole('link', { name: 'The page of Fleetfoot' }).click();
    expect(await page.locator('#steps').innerText()).to.include('OPENAI_API_KEY is not set');
    expect(engine.asked).to.deep.equal([]);
    await server.end();
    const again = await served();
    await page.goto(again.link);
    await page.locator('#scorecard').waitFor({ timeout: 60_000 });
    await again.end();
  });

  it('overwrites nothing, says what a folder does not allow, and after kill -9 begins where it ended', async () => {
    const server = await served();
    await page.goto(server.link);
    await answer();
    await press('Look at it');
    writeFileSync(join(work, 'svc.toml'), 'mine');
    await press('Write it and start');
    expect(await page.locator('h1').innerText()).to.equal('There is a plan already');
    await picture('exists');
    expect(readFileSync(join(work, 'svc.toml'), 'utf8')).to.equal('mine');
    await server.end('SIGKILL');
    const toml = (await page.locator('pre').textContent())!;
    writeFileSync(join(work, 'svc.toml'), toml);
    // The file is there, and the database has nothing: as after a kill between both.
    const again = await served();
    await page.goto(again.link);
    await page.locator('#scorecard').waitFor({ timeout: 60_000 });
    await again.end();
  });
});
