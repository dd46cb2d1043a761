import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { CollectFolder } from './support/collecting.js';
import { type LoopbackEngine, loopbackEngine } from './support/engine.js';
import { USED } from './support/replies.js';

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

  const begin = (...more: string[]): ChildProcess =>
    spawn(
      process.execPath,
      [join(built, 'collect.mjs'), engine.base('openai-chat'), folder.out, String(PROMPTS), ...more],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );

  /** Kills the process a random while after it sent a random number of calls. */
  async function killedSomewhere(...more: string[]): Promise<void> {
    const child = begin(...more);
    const ended = once(child, 'exit');
    const from = engine.asked.length + 1 + Math.floor(Math.random() * 10);
    while (engine.asked.length < from && child.exitCode === null) await sleep(1);
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
    for (let kill = 0; kill < KILLS; kill++) await killedSomewhere(String(MAX_USD));
    await once(begin(String(MAX_USD)), 'exit');
    expect(charged).to.be.within(0.1, MAX_USD);
  });
});
