/** A server that takes logs, a folder for logs and state, and svc processes that ship to it. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IngestServer, startIngestServer } from '../../sdk/support/ingest-server.js';
import { type Environment, Home, type Ran, start, svc } from './run.js';

export class ShippingSession {
  server!: IngestServer;
  home!: Home;

  get env(): Environment {
    const { url } = this.server;
    return {
      ...this.home.env,
      XDG_STATE_HOME: join(this.home.folder, 'state'),
      SVC_URL: url,
      SVC_API_KEY: 'svc_x',
    };
  }

  /** A path in the folder of the logs. */
  log(name = 'access.log'): string {
    return join(this.home.folder, 'logs', name);
  }

  /** Runs `svc ingest` in this process. */
  ingest(...args: string[]): Promise<Ran> {
    return svc(['ingest', ...args], this.env);
  }

  /** Runs `svc ingest` in this process with this standard input. */
  ingestInput(input: string | Buffer, ...args: string[]): Promise<Ran> {
    return svc(['ingest', ...args], this.env, input);
  }

  /** Starts `svc ingest` as a process. */
  start(...args: string[]): Started {
    return new Started(start(['ingest', ...args], this.env));
  }

  /** Paths of all requests in the lines that the server took. */
  get paths(): string[] {
    const text = Buffer.concat(this.server.bodies).toString();
    return [...text.matchAll(/"GET (\S+) HTTP/g)].map(([, path]) => path!);
  }
}

/** A process with what it has written. */
export class Started {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly ended: Promise<number>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout!.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr!.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ? -1 : code!)));
  }

  /** Sends the signal and returns the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** To be called inside `describe`; its values are there while a test runs. */
export function shippingSession(): ShippingSession {
  const session = new ShippingSession();
  beforeEach(async () => {
    session.server = await startIngestServer();
    session.home = new Home();
    mkdirSync(join(session.home.folder, 'logs'));
  });
  afterEach(async () => {
    session.home.remove();
    await session.server.close();
  });
  return session;
}

/** Waits until the condition holds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 120_000; !holds(); ) {
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}`);
    await sleep(20);
  }
}

export const fixture = (name: string): string =>
  new URL(`../../fixtures/logs/${name}`, import.meta.url).pathname;
