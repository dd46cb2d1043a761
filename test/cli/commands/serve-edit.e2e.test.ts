import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type LoopbackEngine, loopbackEngine } from '../../collect/support/engine.js';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { type Environment, Home, svc } from '../support/run.js';
import { serving } from '../support/serving.js';

const OPERATOR_KEY = 'an-operator-key-that-is-long-enough';
const PATH = '/brands/fleetfoot/settings';
const words = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
const fieldIn = (html: string, name: string) =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"');

describe('svc serve --edit', () => {
  let engine: LoopbackEngine;
  let home: Home;
  let env: Environment;
  let plan: string;
  const file = () => join(home.folder, 'svc.toml');
  const toml = () => readFileSync(file(), 'utf8');
  const begin = async () => {
    engine = await loopbackEngine();
    engine.answer = () => ({ text: 'Fleetfoot lasts, then Stride.' });
    home = new Home();
    plan = `# ours
[brand]
name = "Fleetfoot"
domain = "fleetfoot.example"

[[prompt]]
text = "Which last longest?"

[[target]]
engine = "perplexity"
protocol = "openai-responses"
base_url = "${engine.base('openai-responses')}"
model = "sonar"
search = true
region = "us"
key_env = "TEST_KEY"
input_usd_per_mtok = 1
output_usd_per_mtok = 10
call_usd = 0.01
`;
    writeFileSync(file(), plan);
    env = {
      ...home.env,
      API_ACCESS_KEY: OPERATOR_KEY,
      XDG_STATE_HOME: join(home.folder, 'state'),
      SVC_DATA_DIR: join(home.folder, 'data'),
      TEST_KEY: 'key-of-the-test-0123456789',
      LOG_LEVEL: 'silent',
    };
  };
  const end = async () => {
    home.remove();
    await engine.close();
  };

  async function served(more: Environment = {}, ...args: string[]) {
    const server = await serving(['serve', '--plan', file(), '--edit', '--port', '0', ...args], {
      ...env,
      ...more,
    });
    const post = (path: string, fields: Record<string, string>, cookie = '') =>
      fetch(server.url + path, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { Origin: server.url, Cookie: cookie },
        redirect: 'manual',
      });
    const signedIn = await post('/sign-in', { key: OPERATOR_KEY });
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    return {
      ...server,
      post: (step: string, fields: Record<string, string>) => post(`${PATH}/${step}`, fields, cookie),
      page: async (path = PATH) => (await fetch(server.url + path, { headers: { Cookie: cookie } })).text(),
    };
  }
  type Served = Awaited<ReturnType<typeof served>>;

  /** Shows a change, and sends what confirms it. */
  async function change(server: Served, fields: Record<string, string>): Promise<number | null> {
    const html = await (await server.post('change', fields)).text();
    const confirmed = { change: fieldIn(html, 'change'), token: fieldIn(html, 'token') };
    return server.post('write', confirmed).then(
      ({ status }) => status,
      () => null,
    );
  }

  const adding = (text: string) => ({ do: 'add_prompts', pasted: text });
  const preload = `--import ${new URL('../support/killed-while-writing.mjs', import.meta.url)}`;

  describe('that is killed while it writes', () => {
    before(begin);
    after(end);
    for (const [step, isFileNew, isDatabaseNew] of [
      ['drafting', false, false],
      ['renaming', false, false],
      ['renamed', true, false],
      ['committing', true, false],
      ['listing', true, true],
    ] as const)
      it(`keeps the file whole while ${step}, and the next change completes it`, async function () {
        this.timeout(120_000);
        const text = `Which are best for ${step}?`;
        const before = toml();
        const killed = await served({ KILL_AT: step, NODE_OPTIONS: preload });
        expect(await change(killed, adding(text))).to.equal(null);
        await killed.stop('SIGKILL');
        const added = before.replace('\n[[target]]', `\n[[prompt]]\ntext = "${text}"\n\n[[target]]`);
        expect(toml()).to.equal(isFileNew ? added : before);
        const again = await served();
        try {
          const page = words(await again.page());
          expect(page.includes(text)).to.equal(isFileNew);
          expect(page.includes('that this server does not use yet')).to.equal(isFileNew && !isDatabaseNew);
          expect(await change(again, isFileNew ? { do: 'apply' } : adding(text))).to.equal(303);
          expect(toml()).to.equal(added);
          expect(words(await again.page())).to.not.contain('does not use yet');
          expect(readdirSync(home.folder).filter((name) => name.startsWith('.svc'))).to.deep.equal([]);
        } finally {
          await again.stop();
        }
      });
  });

  /** Waits until the answer to the only prompt is stored. */
  async function collected(server: Served): Promise<string> {
    for (;;) {
      const page = words(await server.page());
      if (page.includes('1 of 1 answer')) return page;
      await sleep(100);
    }
  }

  const collectNow = async (server: Served) => {
    const offer = await server.page(`${PATH}/collect`);
    expect(words(offer)).to.contain('1 call, about $').and.contain('TEST_KEY');
    expect((await server.post('collect', { token: fieldIn(offer, 'token') })).status).to.equal(303);
    expect(await collected(server)).to.contain('Last collection:');
    expect(engine.asked.length).to.equal(1);
    expect(words(await server.page(`${PATH}/collect`))).to.contain('Nothing is left to ask');
  };

  describe('that serves', () => {
    beforeEach(begin);
    afterEach(end);

    it('collects now, without a schedule, and asks once', async function () {
      this.timeout(120_000);
      const server = await served();
      try {
        await collectNow(server);
      } finally {
        await server.stop();
      }
    });

    it('changes and collects from each of several workers', async function () {
      if (!serverUrl) return this.skip();
      this.timeout(120_000);
      const server = await served({ DATABASE_URL: await createDatabaseUrl(serverUrl) }, '--workers', '2');
      try {
        await collectNow(server);
        expect(await change(server, adding('Which are wide?'))).to.equal(303);
        expect(toml()).to.contain('Which are wide?');
      } finally {
        await server.stop();
      }
      return undefined;
    });

    it('is refused without the page', async () => {
      const { code, stderr } = await svc(['serve', '--edit', '--plan', file(), '--page', 'off'], env);
      expect([code, stderr.replaceAll(/\s+/g, ' ').includes('SVC_EDIT: expected PAGE=on')]).to.deep.equal([
        2,
        true,
      ]);
    });
  });
});
