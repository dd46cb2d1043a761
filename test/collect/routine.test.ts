import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { REPEAT_MS } from '../../src/collect/due.js';
import { Routine, type RoutineStatus } from '../../src/collect/routine.js';
import { tellMovesOfRuns } from '../../src/server/alerts/moves/tell.js';
import {
  brandKeyOf,
  type Collection,
  recentCollections,
  stateOf,
} from '../../src/server/answers/collections.js';
import { addDays, DAY_MS, utcDay } from '../../src/server/base/days.js';
import type { Database } from '../../src/server/database/database.js';
import { backgroundMetrics } from '../../src/server/run/monitoring/metrics.js';
import { collectingLog } from '../rules/support/collecting-log.js';
import { emptyDatabase } from '../support/database.js';
import { type LoopbackEngine, loopbackEngine } from './support/engine.js';
import { timeWithoutWaits } from './support/time.js';

const HOUR_MS = 60 * 60_000;

describe('a server that collects by itself', () => {
  let engine: LoopbackEngine;
  let database: Database;
  let folder: string;
  /** The clock of the servers, as milliseconds after the one of the machine. */
  let offset: number;
  let logged: ReturnType<typeof collectingLog>;
  const reported: RoutineStatus[] = [];
  beforeEach(async () => {
    engine = await loopbackEngine();
    database = await emptyDatabase();
    folder = mkdtempSync(join(tmpdir(), 'svc-routine-'));
    offset = 0;
    logged = collectingLog();
    reported.length = 0;
    write();
  });
  afterEach(async () => {
    await database.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = () => join(folder, 'svc.toml');
  const write = ({
    schedule = 'every = "1d"\nat = "00:00"',
    prompts = ['Which shoes last?', 'Which shoes are wide?'],
    key = '',
  } = {}) =>
    writeFileSync(
      file(),
      `[brand]\nid = "shoes"\nname = "Fleetfoot"\ndomain = "fleetfoot.example"
${prompts.map((text) => `[[prompt]]\ntext = "${text}"`).join('\n')}
[[target]]\nengine = "perplexity"\nprotocol = "openai-responses"\nbase_url = "${engine.base('openai-responses')}"
model = "sonar"\nsearch = true\nregion = "us"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 10\ncall_usd = 0.01
${key}
[schedule]\n${schedule}\n`,
    );
  const many = Array.from({ length: 12 }, (_, at) => `Question ${at + 1}?`);
  const now = () => new Date(Date.now() + offset);
  /** A server; `machine` has its own journals. */
  const server = (machine = 'here', env: Record<string, string> = {}) =>
    new Routine({
      ...{
        file: file(),
        db: database.knex,
        location: { url: 'postgres://of-the-test' },
        log: logged.log,
        afterDays: tellMovesOfRuns,
      },
      env: { XDG_STATE_HOME: join(folder, machine), ...env },
      clock: now,
      time: { ...timeWithoutWaits(), clock: now },
      report: (status) => reported.push(status),
    });
  const rows = async (): Promise<Collection[]> => {
    const [brand] = await brandKeyOf(database.knex, { id: 'shoes' });
    return recentCollections(database.knex, brand!.brandKey);
  };
  const today = async () => (await rows()).find(({ day }) => day === utcDay(now()));
  const log = () => logged.lines.join('');

  it('adds the brand of its plan to an empty database, collects at once, and says when it does again', async () => {
    const routine = server();
    const { brand, nextAt } = await routine.prepare();
    expect(brand).to.deep.equal({ id: 'shoes', workspaceId: 'shoes' });
    expect(nextAt!.getTime()).to.be.at.most(now().getTime());
    expect(engine.asked).to.deep.equal([]);
    await routine.look();
    expect(engine.asked).to.have.length(2);
    expect(await today()).to.deep.include({ outcome: 'complete', answered: 2, missing: 0, calls: 2 });
    expect((await today())!.costUsd).to.be.greaterThan(0);
    const { nextAt: next } = stateOf(await rows());
    expect(next!.toISOString()).to.equal(`${addDays(utcDay(now()), 1)}T00:00:00.000Z`);
    await routine.look();
    expect(engine.asked).to.have.length(2);
  });

  it('collects when somebody wants it, once and within the limits of the day', async () => {
    write({ schedule: 'every = "28d"\nat = "00:00"\nmax_calls = 1' });
    const one = server();
    await Promise.all([one.collectNow(), one.collectNow(), one.look()]);
    expect(engine.asked.length).to.equal(1);
    write({ schedule: 'every = "28d"\nat = "00:00"' });
    await one.collectNow();
    expect(engine.asked.length).to.equal(2);
    expect([one.status.isRunning, one.status.last?.outcome]).to.deep.equal([false, 'complete']);
    await one.stop();
  });

  it('collects again on the next day, and once after days without a server, which it notes as missed', async () => {
    await server().look();
    const first = utcDay(now());
    offset += DAY_MS;
    await server().look();
    expect(engine.asked).to.have.length(4);
    offset += 3 * DAY_MS;
    await server().look();
    await server().look();
    expect(engine.asked).to.have.length(6);
    const missed = (await rows()).filter(({ outcome }) => outcome === 'missed').map(({ day }) => day);
    expect(missed).to.deep.equal([addDays(first, 3), addDays(first, 2)]);
    expect(log()).to.include('days without a collection');
  });

  it('pays once if the clock is set forward and back', async () => {
    await server().look();
    offset += 20 * DAY_MS;
    await server().look();
    expect(engine.asked).to.have.length(4);
    offset = 0;
    await server().look();
    expect(engine.asked).to.have.length(4);
    expect(log()).to.include('a clock was set back');
    // The days in between are collected, although they were noted as missed.
    offset = DAY_MS;
    await server().look();
    expect(engine.asked).to.have.length(6);
    expect((await today())!.outcome).to.equal('complete');
    offset = 20 * DAY_MS;
    await server().look();
    expect(engine.asked).to.have.length(6);
  });

  it('two servers with journals of their own ask each question once', async () => {
    const [one, other] = [server('one'), server('other')];
    await one.prepare();
    await Promise.all([one.look(), other.look()]);
    await Promise.all([one.look(), other.look()]);
    expect(engine.asked).to.have.length(2);
    expect(new Set(engine.asked.map(({ prompt }) => prompt)).size).to.equal(2);
  });

  it('that finds the day begun by another machine after it looked says who collects, and no failure', async () => {
    const [one, other] = [server('one'), server('other')];
    await Promise.all([one.prepare(), other.prepare()]);
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    engine.misbehave = async () => {
      begin();
      await held;
      return false;
    };
    // Both have looked before one of them begins.
    const looks = Promise.all([one.look(), other.look()]);
    await begun;
    while (!log().includes('another process collects'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    end();
    await looks;
    expect(log())
      .to.match(/"level":30,[^\n]*another process collects/)
      .and.not.include('collection failed');
  });

  it('leaves a day alone that another machine began and did not end', async () => {
    write({ prompts: many });
    const one = server('one');
    engine.misbehave = () => {
      void one.stop();
      return false;
    };
    await one.look();
    expect((await today())!.outcome).to.equal('stopped');
    const asked = engine.asked.length;
    engine.misbehave = undefined;
    await server('other').look();
    expect(engine.asked).to.have.length(asked);
    await server('one').look();
    expect(engine.asked.map(({ prompt }) => prompt).sort()).to.deep.equal([...many].sort());
    expect((await today())!.outcome).to.equal('complete');
  });

  it('ends the calls in flight when it stops, and goes on with the others at the next start', async () => {
    write({ prompts: many });
    const routine = server();
    engine.misbehave = (_, __, count) => {
      if (count === 3) void routine.stop();
      return false;
    };
    await routine.look();
    await routine.stop();
    const asked = engine.asked.length;
    expect(asked).to.be.within(3, 11);
    expect(await today()).to.deep.include({ outcome: 'stopped', answered: asked, missing: 12 - asked });
    await server().look();
    expect(engine.asked).to.have.length(12);
    expect(new Set(engine.asked.map(({ prompt }) => prompt)).size).to.equal(12);
  });

  it('does not know what a day cost after a kill before the import, if a call of it has no stated price', async () => {
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('call_usd = 0.01', ''));
    await new Promise<void>((reached) => {
      const killed = new Routine({
        ...{
          file: file(),
          db: database.knex,
          location: { url: 'postgres://of-the-test' },
          log: logged.log,
          afterDays: tellMovesOfRuns,
        },
        ...{ env: { XDG_STATE_HOME: join(folder, 'here') }, clock: now },
        importFile: () => {
          reached();
          return new Promise(() => {});
        },
      });
      void killed.look();
    });
    expect(engine.asked).to.have.length(2);
    await server().look();
    expect(engine.asked).to.have.length(2);
    expect(await today()).to.deep.include({ outcome: 'complete', answered: 2, calls: 2, costUsd: null });
    expect(log()).to.match(/"calls":2,"cost_usd":null,[^\n]*collection ended/);
  });

  it('tells of a plan with faults, goes on without collecting, and collects when it is corrected', async () => {
    const routine = server();
    await routine.look();
    offset += DAY_MS;
    const before = readFileSync(file(), 'utf8');
    writeFileSync(file(), before.replace('engine = "perplexity"', 'engine = "perplexed"'));
    await routine.look();
    await routine.look();
    expect(engine.asked).to.have.length(2);
    expect(reported.at(-1)!.fault).to.include('target[0].engine');
    expect(stateOf(await rows()).obstacle).to.include({ remedy: 'correct_plan' });
    expect(stateOf(await rows()).obstacle!.reason).to.include('target[0].engine');
    expect(log().match(/the plan cannot be used/g)).to.have.length(1);
    writeFileSync(file(), before);
    await routine.look();
    expect(engine.asked).to.have.length(4);
    expect(reported.at(-1)!.fault).to.equal(null);
    expect(stateOf(await rows()).obstacle).to.equal(null);
  });

  it('begins and pays no second brand where the name of a brand without id changes', async () => {
    const routine = server();
    await routine.look();
    const before = readFileSync(file(), 'utf8');
    writeFileSync(file(), before.replace('id = "shoes"\n', '').replace('"Fleetfoot"', '"Veloquay"'));
    await routine.look();
    expect(engine.asked).to.have.length(2);
    expect(reported.at(-1)!.fault).to.include('id = "shoes" in [brand] keeps it');
    expect(await brandKeyOf(database.knex, { id: 'veloquay' })).to.deep.equal([]);
    writeFileSync(file(), before.replace('"Fleetfoot"', '"Veloquay"'));
    await routine.look();
    expect(reported.at(-1)!.fault).to.equal(null);
  });

  it('notes each day on which the plan had a fault', async () => {
    await server().look();
    writeFileSync(file(), 'samples = 0');
    const routine = server();
    const first = utcDay(now());
    for (let days = 0; days < 3; days++) {
      offset += DAY_MS;
      await routine.look();
    }
    const other = server();
    write();
    await other.look();
    const missed = (await rows()).filter(({ outcome }) => outcome === 'missed').map(({ day }) => day);
    expect(missed).to.deep.equal([addDays(first, 2), addDays(first, 1)]);
    expect((await today())!.outcome).to.equal('complete');
  });

  it('reads a plan that changes while it runs: another time, other engines, no schedule', async () => {
    const routine = server();
    await routine.look();
    write({ schedule: 'every = "7d"\nat = "23:30"' });
    await routine.look();
    expect(stateOf(await rows()).nextAt!.toISOString()).to.equal(
      `${addDays(utcDay(now()), 7)}T23:30:00.000Z`,
    );
    write({ prompts: ['Which shoes last?', 'Which shoes are wide?', 'Which shoes are new?'] });
    await routine.look();
    expect(log()).to.include('has changes that are not in the database');
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/\[schedule\][\s\S]*/, ''));
    await routine.look();
    expect(stateOf(await rows()).nextAt).to.equal(null);
    expect(engine.asked).to.have.length(2);
  });

  it('keeps the limit of a day, also over restarts', async () => {
    write({ schedule: 'every = "1d"\nmax_calls = 1' });
    await server().look();
    expect(engine.asked).to.have.length(1);
    const { outcome, reason, missing } = (await today())!;
    expect([outcome, missing]).to.deep.equal(['incomplete', 1]);
    expect(reason).to.include('max_calls of [schedule] has no room');
    offset += 2 * HOUR_MS;
    if (utcDay(now()) === utcDay(new Date())) await server().look();
    expect(engine.asked.length).to.be.at.most(2);
  });

  it('goes on with an engine that failed on the same day, by one call, when it answers again', async () => {
    offset = Date.parse(`${utcDay(now())}T00:10:00Z`) - Date.now();
    write({ prompts: many });
    engine.misbehave = (_, response) => !!response.writeHead(500).end('{}');
    await server().look();
    const failed = engine.asked.length;
    // Three in a row, and those in flight with them; after a rest one more.
    expect(failed).to.be.within(4, 8);
    expect(await today()).to.deep.include({ outcome: 'incomplete', answered: 0, waiting: 12 - failed });
    offset += REPEAT_MS;
    await server().look();
    expect(engine.asked).to.have.length(failed + 1);
    engine.misbehave = undefined;
    offset += REPEAT_MS;
    await server().look();
    expect(await today()).to.deep.include({ answered: 12 - failed - 1, missing: failed + 1, waiting: 0 });
    expect(engine.asked).to.have.length(12);
  });

  it('tries a call again an hour after it was refused without a charge', async function () {
    if (utcDay(new Date(Date.now() + 2 * HOUR_MS)) !== utcDay(new Date())) this.skip();
    engine.misbehave = (_, response) => {
      response.writeHead(401).end('{}');
      return true;
    };
    await server().look();
    const asked = engine.asked.length;
    expect((await today())!.waiting).to.equal(2);
    engine.misbehave = undefined;
    await server().look();
    expect(engine.asked).to.have.length(asked);
    offset += REPEAT_MS + 1000;
    await server().look();
    expect((await today())!.outcome).to.equal('complete');
  });

  it('collects each of several plans by its own limits, and refuses one whose brand another has', async () => {
    write({ schedule: 'every = "1d"\nmax_calls = 1' });
    const other = join(folder, 'boots.toml');
    const boots = readFileSync(file(), 'utf8')
      .replaceAll('shoes', 'boots')
      .replaceAll('leetfoot', 'astboot')
      // Two products of one site.
      .replace('fastboot.example', 'fleetfoot.example')
      .replace('max_calls = 1', 'max_calls = 2');
    writeFileSync(other, boots);
    const owners = new Map<string, string>();
    const of = (plan: string) =>
      new Routine({
        ...{
          file: plan,
          owners,
          afterDays: tellMovesOfRuns,
          db: database.knex,
          location: { url: 'postgres://of-the-test' },
        },
        ...{ log: logged.log, env: { XDG_STATE_HOME: join(folder, 'here') } },
        ...{ clock: now, time: { ...timeWithoutWaits(), clock: now } },
      });
    const [one, two] = [of(file()), of(other)];
    await one.prepare();
    await two.prepare();
    await Promise.all([one.look(), two.look()]);
    expect(engine.asked).to.have.length(3);
    const brands = [one, two].map(({ status: { brand, last } }) => [brand?.id, last?.answered]);
    expect(brands).to.deep.equal([
      ['shoes', 1],
      ['boots', 2],
    ]);
    writeFileSync(other, boots.replace('id = "boots"', 'id = "shoes"'));
    await two.look();
    expect(two.status.fault).to.equal(
      `${other} has the brand shoes, as ${file()} has: expected one plan for each brand.`,
    );
    await one.look();
    expect(one.status.fault).to.equal(null);
    writeFileSync(other, boots);
    await two.look();
    expect(two.status).to.deep.include({ fault: null, brand: { id: 'boots', workspaceId: 'boots' } });
    expect(engine.asked).to.have.length(3);
  });

  it('says which variable of a key is missing, and goes on when the plan needs none', async () => {
    const [head, rest] = readFileSync(file(), 'utf8').split('model =') as [string, string];
    writeFileSync(file(), `${head}key_env = "NO_SUCH_KEY"\nmodel =${rest}`);
    const routine = server();
    const fault = { reason: 'NO_SUCH_KEY is not set.', remedy: 'restart' };
    // Before anything is sent: whoever starts a server sees it at once.
    expect((await routine.prepare()).obstacle).to.deep.equal(fault);
    await routine.look();
    await routine.look();
    offset += REPEAT_MS + 1000;
    await routine.look();
    expect(engine.asked).to.deep.equal([]);
    expect(stateOf(await rows()).obstacle).to.deep.equal(fault);
    if (utcDay(now()) === utcDay(new Date())) expect(log().match(/collection failed/g)).to.have.length(1);
    expect(log())
      .to.include('"reason":"NO_SUCH_KEY is not set."')
      .and.not.match(/"stack"|collection begins/);
    write();
    await routine.look();
    expect((await today())!.outcome).to.equal('complete');
    expect(log()).to.match(/"to":\["127\.0\.0\.1:\d+ without a key"\],"msg":"collection begins"/);
  });

  it('survives a database that is not there, and collects when it is', async () => {
    const routine = server();
    await routine.prepare();
    await database.knex.raw('alter table collections rename to elsewhere');
    await routine.look();
    await routine.look();
    expect(log().match(/the schedule could not be followed/g)).to.have.length(1);
    await database.knex.raw('alter table elsewhere rename to collections');
    await routine.look();
    expect((await today())!.outcome).to.equal('complete');
  });

  /** As while another process imports into a copy of the embedded database. */
  const acceptChanges = async (accepted: boolean) => {
    await database.knex.raw(`set default_transaction_read_only = ${accepted ? 'off' : 'on'}`);
  };

  it('waits while the database accepts no changes, also to note what a collection gave, and logs no error', async function () {
    if (!database.embedded) this.skip();
    const routine = server();
    await routine.prepare();
    await acceptChanges(false);
    await routine.look();
    expect(engine.asked).to.deep.equal([]);
    await acceptChanges(true);
    engine.misbehave = () => {
      void acceptChanges(false);
      return false;
    };
    const looking = routine.look();
    while (engine.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    engine.misbehave = undefined;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await today())!.outcome).to.equal(null);
    await acceptChanges(true);
    await looking;
    expect((await today())!.outcome).to.equal('complete');
    expect(log()).to.not.match(/"level":[45]0/);
    expect(log().match(/waits until the database accepts changes/g)).to.have.length(1);
  });

  it('has metrics of the last and the next collection, and none before a server reports', async () => {
    const registry = new Registry();
    const report = backgroundMetrics(registry).collections;
    expect(await registry.metrics()).to.not.include('svc_collection');
    const routine = server();
    await routine.look();
    report(reported.at(-1)!);
    const text = await registry.metrics();
    const value = (name: string) =>
      Number(new RegExp(`^svc_collection_${name}\\{plan="[^"]+svc.toml"\\} (.+)$`, 'm').exec(text)?.[1]);
    expect(value('last_answered_runs')).to.equal(2);
    expect(value('last_missing_runs')).to.equal(0);
    expect(value('last_calls')).to.equal(2);
    expect(value('last_cost_usd')).to.be.greaterThan(0);
    expect(value('plan_fault')).to.equal(0);
    expect(value('running')).to.equal(0);
    expect(value('next_timestamp_seconds') * 1000).to.equal(reported.at(-1)!.nextAt!.getTime());
    expect(text).to.not.include('shoes');
  });
});
