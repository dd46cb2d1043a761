import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import type { Killed } from './support/collect-process.js';
import { CollectFolder } from './support/collecting.js';
import { type LoopbackEngine, loopbackEngine } from './support/engine.js';
import { USED } from './support/replies.js';
import { standIn } from './support/stand-in.js';

/** COLLECT_KILLS=50 for a longer test. */
const KILLS = Number(process.env.COLLECT_KILLS ?? 3);
const PROMPTS = 4 * KILLS;
/** Two endpoints with four calls each. */
const MAX_IN_FLIGHT = 8;

describe('a collection that is killed at any moment', () => {
  let engine: LoopbackEngine;
  let folder: CollectFolder;
  /** The program in one file, which starts in a fraction of the time that its sources take. */
  let built: string;
  before(() => {
    built = mkdtempSync(join(tmpdir(), 'svc-kill-'));
    buildSync({
      entryPoints: [join(import.meta.dirname, 'support/collect-process.ts')],
      outfile: join(built, 'collect.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    });
  });
  after(() => rmSync(built, { recursive: true, force: true }));
  beforeEach(async () => {
    engine = await loopbackEngine();
    folder = new CollectFolder();
  });
  afterEach(async () => {
    folder.remove();
    await engine.close();
  });

  const begin = (changed: Partial<Killed> = {}): ChildProcess => {
    const base = engine.base('openai-chat');
    const killed: Killed = { base, out: folder.out, prompts: PROMPTS, maxUsd: null, ...changed };
    return spawn(process.execPath, [join(built, 'collect.mjs'), JSON.stringify(killed)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };

  /** Kills the process a random while after a random number of requests. */
  async function killedSomewhere(
    changed: Partial<Killed> = {},
    requests: () => number = () => engine.asked.length,
  ): Promise<void> {
    const child = begin(changed);
    const ended = once(child, 'exit');
    const from = requests() + 1 + Math.floor(Math.random() * 10);
    while (requests() < from && child.exitCode === null) await sleep(1);
    await sleep(Math.random() * 20);
    child.kill('SIGKILL');
    await ended;
  }

  it('pays at most the calls in flight again, and every run is written once', async function () {
    this.timeout(20_000 * (KILLS + 1));
    engine.misbehave = async () => {
      await sleep(Math.random() * 15);
      return false;
    };
    for (let kill = 0; kill < KILLS; kill++) await killedSomewhere();
    const [code] = await once(begin(), 'exit');
    expect(code).to.equal(0);
    const ids = folder.runs().map(({ id }) => id);
    expect(ids).to.have.length(PROMPTS);
    expect(new Set(ids).size).to.equal(PROMPTS);
    expect(engine.asked.length).to.be.at.most(2 * PROMPTS + KILLS * MAX_IN_FLIGHT);
    // No call was sent that the journal does not have.
    const attempts = folder
      .lines(`${folder.out}.journal`)
      .filter((line) => line.includes('"event":"attempt"'));
    expect(engine.asked.length).to.be.at.most(attempts.length);
  });

  it('never costs more than --max-usd, by the account of the engine', async function () {
    this.timeout(20_000 * (KILLS + 1));
    const MAX_USD = 1.5;
    let charged = 0;
    engine.misbehave = async ({ isExtraction }) => {
      // The longest answer that the plan of the process allows, with a search; names as the engine of the tests states them.
      charged += isExtraction ? (USED.input * 1 + USED.output * 10) / 1e6 : (8192 * 10) / 1e6 + 0.01;
      await sleep(Math.random() * 15);
      return false;
    };
    engine.answer = () => ({ input: 0, output: 8192 });
    engine.extract = () => ({ mentions: [] });
    for (let kill = 0; kill < KILLS; kill++) await killedSomewhere({ maxUsd: MAX_USD });
    await once(begin({ maxUsd: MAX_USD }), 'exit');
    expect(charged).to.be.within(0.1, MAX_USD);
  });

  const shown = [
    ['cloro', 'chatgpt'],
    ['dataforseo', 'aimode'],
    ['serpapi', 'aio'],
    ['brightdata', 'perplexity'],
  ] as const;
  for (const [name, engineId] of shown) {
    it(`${name}: pays for each question once where its form allows that, and fetches what was paid`, async function () {
      this.timeout(20_000 * (KILLS + 1));
      const provider = await standIn(name);
      try {
        provider.before = async () => {
          await sleep(Math.random() * 10);
          return false;
        };
        // The response is on its way while the process may end.
        provider.after = async () => {
          await sleep(Math.random() * 10);
          return false;
        };
        provider.queued = 2;
        // Half of the overviews take a second search, which is paid too.
        provider.show = ({ prompt }) => ({
          text: `${prompt} Fine.`,
          cited: [],
          second: prompt.length % 2 === 0,
        });
        const searches = (prompt: string) => (name === 'serpapi' && prompt.length % 2 === 0 ? 2 : 1);
        const changed: Partial<Killed> = { base: provider.url, provider: [name, engineId] };
        for (let kill = 0; kill < KILLS; kill++)
          await killedSomewhere(changed, () => provider.exchanges.length);
        const [code] = await once(begin(changed), 'exit');
        expect(code).to.equal(0);
        const runs = folder.runs();
        expect(new Set(runs.map(({ id }) => id)).size).to.equal(runs.length);
        const outcomes = folder.lines(`${folder.out}.journal`).filter((line) => line.includes('"lost"'));
        // An answer that cloro does not name any more is paid and lost.
        expect(runs.length + outcomes.length).to.equal(PROMPTS);
        if (name !== 'cloro') expect(outcomes).to.deep.equal([]);
        const twice = [...provider.ledger].filter(([prompt, count]) => count > searches(prompt)).length;
        expect(twice).to.be.at.most(name === 'brightdata' ? KILLS * 4 : 0);
        expect(provider.ledger.size).to.equal(PROMPTS);
      } finally {
        await provider.close();
      }
    });
  }
});
