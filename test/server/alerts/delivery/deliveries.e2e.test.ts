import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { addDestination, listDestinations } from '../../../../src/server/alerts/delivery/destinations.js';
import { enqueue, eventId } from '../../../../src/server/alerts/delivery/outbox.js';
import { type Database, migrate, openDatabase } from '../../../../src/server/database/database.js';
import { createDatabaseUrl, serverUrl } from '../../../support/database.js';
import { load, market } from '../../intake/dataset/support/load.js';
import { eventOf, NOW } from './support/events.js';
import { type Receiver, receiver } from './support/receiver.js';

const script = join(import.meta.dirname, 'support/deliver-process.ts');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString();

describe('a server that is killed', () => {
  let folder: string;
  let location: string;
  let target: Receiver;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-deliver-'));
    location = serverUrl ? await createDatabaseUrl(serverUrl) : join(folder, 'data');
    target = await receiver();
    await withDatabase(async ({ knex }) => {
      await migrate(knex);
      await load(knex, market);
      const wanted = { workspace: 'w', kind: 'webhook', address: target.url } as const;
      await addDestination(knex, wanted, { allowPrivate: true, now: NOW });
    });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await killed(child);
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(
      location.startsWith('postgres') ? { url: location } : { folder: location },
    );
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /** Starts the process, and waits until it says that it runs. */
  async function begin(time: string, ...task: string[]): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      ['--import', './scripts/support/typescript.mjs', '--no-warnings', script, location, time, ...task],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    await once(child.stdout!, 'data');
    return child;
  }

  async function killed(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  const ids = () => target.received.map(({ headers }) => headers['webhook-id']);
  const id = eventId(eventOf('killed'));

  it('after the commit and before the message is sent loses nothing', async () => {
    await killed(await begin(NOW.toISOString(), 'enqueue'));
    expect(ids()).to.deep.equal([]);
    await begin(later(1));
    await target.until(1);
    expect(ids()).to.deep.equal([id]);
  });

  it('after the message is sent and before that is noted sends it again, with the same id', async () => {
    await killed(await begin(NOW.toISOString(), 'enqueue'));
    const first = await begin(later(1));
    let answer: (() => void) | undefined;
    target.answer = (response) => {
      answer = () => response.writeHead(200).end();
    };
    await target.until(1);
    await killed(first);
    answer?.();
    target.answer = (response) => response.writeHead(200).end();
    // The claim of the first one is over.
    const second = await begin(later(120));
    await target.until(2);
    expect(ids()).to.deep.equal([id, id]);
    expect(new Set(target.received.map(({ body }) => body)).size).to.equal(1);
    // The embedded database belongs to the process that runs.
    if (serverUrl) {
      const delivered = () =>
        withDatabase(async ({ knex }) => (await listDestinations(knex, {}))[0]!.deliveredAt !== null);
      while (!(await delivered())) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await killed(second);
  });

  it('leaves its work to another one; while both run, each message is sent once', async function () {
    if (!serverUrl) this.skip();
    const both = [await begin(later(1)), await begin(later(1))];
    const events = Array.from({ length: 30 }, (_, i) => eventOf(`event ${i}`));
    const pending = () => withDatabase(async ({ knex }) => (await listDestinations(knex, {}))[0]!.pending);
    await withDatabase(({ knex }) => enqueue(knex, events));
    while ((await pending()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...ids()].sort()).to.deep.equal(events.map(eventId).sort());
    await killed(both[0]!);
    await withDatabase(({ knex }) => enqueue(knex, [eventOf('killed')]));
    await target.until(31);
    expect(ids().at(-1)).to.equal(id);
  });
});
