/** A server with a plan: what it collects and, on one's own machine, the key that it makes for its user. */

import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Routine as PlanRoutine, RoutineStatus } from '../../collect/routine.js';
import { ExpectedError, type FailureKind } from '../../contract/failure.js';
import { isLoopback } from '../../contract/paths.js';
import { linkLife } from '../../contract/wording.js';
import type { Database, DatabaseLocation } from '../../server/database/database.js';
import type { PlanSettings } from '../../server/intake/plan-settings.js';
import type { ServerConfig } from '../../server/run/config.js';
import type { Routine, RoutineContext } from '../../server/run/main.js';
import type { WelcomeRow } from '../base/listen.js';
import { currentTime } from '../clock.js';
import { CommandError } from '../command-error.js';
import {
  currentProfile,
  nameBeside,
  nameForServer,
  readProfiles,
  saveProfile,
} from '../connection/profiles.js';
import { signInLink } from '../connection/sign-in-link.js';
import { scheduleText } from './routine-view.js';

/**
 * Whether nobody but the user of this machine reaches the server: it needs no operator key then, and makes a key for its
 * user as the demo does.
 */
export const isOwnServer = ({ plans, operatorKey, databaseUrl, host, publicUrl }: ServerConfig): boolean =>
  plans.length > 0 && operatorKey === null && databaseUrl === null && publicUrl === null && isLoopback(host);

/** @throws CommandError `usage` if one cannot be read, ExpectedError `usage` if two have one brand. */
export async function requireUsable(files: readonly string[]): Promise<void> {
  for (const file of files) requireReadable(file);
  const twice = files.find((file, at) => files.indexOf(file) < at);
  if (twice !== undefined) throw new CommandError('usage', `The plan ${twice} is named twice.`);
  if (files.length < 2) return;
  const { requireBrandsApart } = await import('../../collect/plan/read-plan.js');
  await requireBrandsApart(files);
}

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `The plan ${file} cannot be read (${code}).`, {
      hint: '`svc init` asks a few questions and writes svc.toml.',
    });
  }
}

/** What a worker wants of the process that collects: the collection of a plan. */
interface Wanted {
  readonly collect: string;
}

/** A key that was made for the user of this machine, of the workspace of a plan. */
interface OwnKey {
  readonly workspace: string;
  readonly brand: string;
  readonly key: string;
}

export class PlannedServer {
  readonly #files: readonly string[];
  readonly #location: DatabaseLocation;
  readonly #isOwn: boolean;
  /** The configuration folder. */
  readonly #folder: string;
  readonly #warn: (text: string) => void;
  #routines: readonly PlanRoutine[] = [];
  #keys: readonly OwnKey[] = [];

  constructor(
    files: readonly string[],
    location: DatabaseLocation,
    isOwn: boolean,
    folder: string,
    warn: (text: string) => void,
  ) {
    this.#files = files;
    this.#location = location;
    this.#isOwn = isOwn;
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Reads the plans, and makes what collects when the server listens: each plan by itself. */
  async routine({ database, log, report, isShared }: RoutineContext): Promise<Routine> {
    const { Routine } = await import('../../collect/routine.js');
    const { tellMovesOfRuns: afterDays } = await import('../../server/alerts/moves/tell.js');
    const { env } = process;
    const location = this.#location;
    const { folder } = { folder: undefined, ...location };
    const importFile = isShared && folder !== undefined ? importsInto(folder) : undefined;
    const shared = {
      ...{ db: database.knex, location, env, log, clock: currentTime, report, afterDays, importFile },
    };
    const owners = new Map<string, string>();
    const routines = this.#files.map((file) => new Routine({ ...shared, file, owners }));
    // One after the other: two may add brands to one workspace.
    for (const each of routines) await each.prepare();
    this.#routines = routines;
    for (const { fault } of this.#statuses) if (fault !== null) this.#warn(fault);
    if (this.#isOwn) this.#keys = await this.#ownKeys(database);
    return {
      start: () => {
        for (const each of routines) each.start();
        // Of several workers, one asks this process.
        cluster.on(
          'message',
          (_, { collect }: Partial<Wanted>) => collect !== undefined && this.#begin(collect),
        );
      },
      stop: async () => void (await Promise.all(routines.map((each) => each.stop()))),
    };
  }

  get #statuses(): RoutineStatus[] {
    return this.#routines.map(({ status }) => status);
  }

  /** What the page of this process reads and changes. */
  async settings({ knex: db }: Database): Promise<PlanSettings> {
    const { planSettings } = await import('../../collect/settings/plan-host.js');
    const { tellMovesOfRuns: afterDays } = await import('../../server/alerts/moves/tell.js');
    return planSettings({
      ...{
        db,
        location: this.#location,
        files: this.#files,
        env: process.env,
        clock: currentTime,
        afterDays,
      },
      begin: (file) => {
        if (cluster.isWorker) process.send!({ collect: file } satisfies Wanted);
        else this.#begin(file);
      },
    });
  }

  /** An error of it is that of the routine, which logs it. */
  #begin(file: string): void {
    void this.#routines.find(({ status }) => status.file === file)?.collectNow();
  }

  async #ownKeys({ knex }: Database): Promise<OwnKey[]> {
    const { keyOfThisMachine } = await import('../../server/accounts/keys.js');
    const remembered = Object.values(readProfiles(this.#folder).profiles).flatMap(({ url, key }) =>
      key !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname) ? [key] : [],
    );
    const keys: OwnKey[] = [];
    for (const { brand } of this.#statuses) {
      const workspace = brand?.workspaceId;
      if (workspace === undefined || keys.some((each) => each.workspace === workspace)) continue;
      const made = { workspace, name: 'svc serve --plan' };
      const key = await keyOfThisMachine(knex, remembered, made, currentTime());
      keys.push({ workspace, brand: brand!.id, key });
    }
    return keys;
  }

  get collects(): WelcomeRow[] {
    return this.#statuses.map((status) => ['collects', scheduleText(status, currentTime())]);
  }

  /** Stores the keys that were made; how to use them. Null: none was made. */
  async ownRows(url: string, hasPage: boolean): Promise<{ page: WelcomeRow[]; login: WelcomeRow[] } | null> {
    if (this.#keys.length === 0) return null;
    const page: WelcomeRow[] = [];
    const login: WelcomeRow[] = [];
    const first = nameForServer(readProfiles(this.#folder), url);
    for (const [at, { key, brand }] of this.#keys.entries()) {
      const stored = readProfiles(this.#folder);
      const name = at === 0 ? first : nameBeside(first, brand);
      const current = currentProfile(stored);
      const isCurrent =
        at === 0 && (current === undefined || current === name || stored.profiles[current]!.demo === true);
      saveProfile(this.#folder, name, { url, key, brand }, isCurrent);
      const option = isCurrent ? '' : ` --profile ${name}`;
      login.push(['profile', `${name} has a key: \`svc overview${option}\` shows the numbers`]);
      if (!hasPage) continue;
      const link = await signInLink({ url, key, brand, fetch: globalThis.fetch });
      page.push(
        ['page', url + link.path],
        ['', `(signs in ${linkLife}; \`svc open${option}\` makes another link)`],
      );
    }
    return { page, login };
  }
}

// An import by a process of its own, as `svc admin import` does beside a server: the server reads on meanwhile.

interface Failure {
  readonly code: FailureKind;
  readonly message: string;
}

/** Imports of several plans, one after the other: each of them replaces the files of the database. */
function importsInto(folder: string): (file: string) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (file) => {
    const own = last.then(() => importByCommand(file, folder));
    last = own.catch(() => undefined);
    return own;
  };
}

/**
 * Imports a dataset file into the embedded database of `folder`, which this process has open and shares.
 * @throws ExpectedError with what the command says.
 */
export async function importByCommand(file: string, folder: string): Promise<void> {
  const command = ['admin', 'import', '--json', '--data-dir', dirname(folder), file];
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...command], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A signal of the terminal is for the server, which waits for the import.
    detached: true,
  });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw failureOf(printed, signal ?? `exit code ${code}`);
}

function failureOf(printed: string, end: string): ExpectedError {
  try {
    const { code, message } = (JSON.parse(printed) as { error: Failure }).error;
    return new ExpectedError(code, message);
  } catch {
    return new ExpectedError('unexpected', `The process that imports ended by ${end}.`);
  }
}
