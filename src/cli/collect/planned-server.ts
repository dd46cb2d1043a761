/** A server with a plan: what it collects and, on one's own machine, the key that it makes for its user. */

import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Routine as PlanRoutine, RoutineStatus } from '../../collect/routine.js';
import { ExpectedError, type FailureKind } from '../../contract/failure.js';
import { isLoopback, PLAN_FILE } from '../../contract/paths.js';
import { linkLife } from '../../contract/wording.js';
import type { Database, DatabaseLocation } from '../../server/database/database.js';
import type { FirstPlan } from '../../server/intake/first-plan.js';
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
export const isOwnServer = ({
  plans,
  edit,
  operatorKey,
  databaseUrl,
  host,
  publicUrl,
}: ServerConfig): boolean =>
  (plans.length > 0 || edit) &&
  operatorKey === null &&
  databaseUrl === null &&
  publicUrl === null &&
  isLoopback(host);

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

/** @throws CommandError `usage` if the page could not write the first plan at the end of its questions. */
export function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = `The page is to write ${PLAN_FILE} into ${folder}, which cannot be written (${code}).`;
    throw new CommandError('usage', what, {
      hint: 'Start it in another folder, or name a plan: --plan FILE.',
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
  readonly #files: string[];
  readonly #location: DatabaseLocation;
  readonly #isOwn: boolean;
  /** The configuration folder. */
  readonly #folder: string;
  readonly #warn: (text: string) => void;
  #routines: PlanRoutine[] = [];
  #keys: readonly OwnKey[] = [];
  /** Where it listens. */
  #url: string | null = null;
  /** Begins with a plan that was made after the start; null: the database is not open yet. */
  #join: ((file: string) => Promise<PlanRoutine>) | null = null;

  constructor(
    files: readonly string[],
    location: DatabaseLocation,
    isOwn: boolean,
    folder: string,
    warn: (text: string) => void,
  ) {
    this.#files = [...files];
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
      db: database.knex,
      location,
      env,
      log,
      clock: currentTime,
      report,
      afterDays,
      importFile,
    };
    const owners = new Map<string, string>();
    const join = async (file: string) => {
      const each = new Routine({ ...shared, file, owners });
      this.#routines.push(each);
      await each.prepare();
      return each;
    };
    // One after the other: two may add brands to one workspace.
    for (const file of this.#files) await join(file);
    for (const { fault } of this.#statuses) if (fault !== null) this.#warn(fault);
    if (this.#isOwn) this.#keys = await this.#ownKeys(database);
    return {
      start: () => {
        for (const each of this.#routines) each.start();
        this.#join = async (file) => {
          const each = await join(file);
          if (this.#isOwn) this.#keys = await this.#ownKeys(database);
          each.start();
          return each;
        };
        // Of several workers, one asks this process.
        cluster.on(
          'message',
          (_, { collect }: Partial<Wanted>) => collect !== undefined && this.#begin(collect),
        );
      },
      stop: async () => void (await Promise.all(this.#routines.map((each) => each.stop()))),
    };
  }

  get #statuses(): RoutineStatus[] {
    return this.#routines.map(({ status }) => status);
  }

  /** What makes the first plan of a folder, of a server without one. */
  async firstPlan(folder: string): Promise<FirstPlan> {
    const { NewPlan } = await import('../../collect/first-plan.js');
    const { env } = process;
    return new NewPlan({ folder, env, clock: currentTime, take: (file) => this.#take(file) });
  }

  async #take(file: string): Promise<{ fault: string | null; key: string | null }> {
    if (this.#join === null) return { fault: 'The server has not started yet.', key: null };
    this.#files.push(file);
    const { status } = await this.#join(file);
    if (status.brand === null) return { fault: status.fault ?? 'The database did not take it.', key: null };
    if (this.#url !== null) this.#saveKeys(this.#url);
    return { fault: null, key: this.#keys.find(({ brand }) => brand === status.brand!.id)?.key ?? null };
  }

  /** What the page of this process reads and changes. */
  async settings({ knex: db }: Database): Promise<PlanSettings> {
    const { planSettings } = await import('../../collect/settings/plan-host.js');
    const { tellMovesOfRuns: afterDays } = await import('../../server/alerts/moves/tell.js');
    return planSettings({
      db,
      location: this.#location,
      files: this.#files,
      env: process.env,
      clock: currentTime,
      afterDays,
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
    if (this.#files.length === 0) return [['collects', 'nothing yet: the page asks what, and begins']];
    return this.#statuses.map((status) => ['collects', scheduleText(status, currentTime())]);
  }

  /** Stores the keys that were made; how to use them. Null: none was made. */
  async ownRows(url: string, hasPage: boolean): Promise<OwnRows | null> {
    if (this.#keys.length === 0) return null;
    const page: WelcomeRow[] = [];
    const login: WelcomeRow[] = [];
    for (const { key, brand, name, isCurrent } of this.#saveKeys(url)) {
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

  /**
   * How to answer the questions for the first plan.
   * @param operatorKey That of a server that only its user reaches; null: they have it.
   */
  async startRows(url: string, operatorKey: string | null): Promise<OwnRows> {
    this.#url = url;
    const { PAGE_PATHS, withQuery } = await import('../../server/web/page/paths.js');
    const { start } = PAGE_PATHS;
    if (operatorKey === null)
      return {
        page: [
          ['page', url + start],
          ['', '(asks four questions; sign in with the key of API_ACCESS_KEY)'],
        ],
        login: [],
      };
    const link = await signInLink({ url, key: operatorKey, brand: undefined, fetch: globalThis.fetch });
    return {
      page: [
        ['page', url + withQuery(link.path, { to: start })],
        ['', `(signs in ${linkLife}, and asks four questions; a new start makes another link)`],
      ],
      login: [],
    };
  }

  /** Stores the keys that were made as profiles of the commands. */
  #saveKeys(url: string) {
    const first = nameForServer(readProfiles(this.#folder), url);
    return this.#keys.map(({ key, brand }, at) => {
      const stored = readProfiles(this.#folder);
      const name = at === 0 ? first : nameBeside(first, brand);
      const current = currentProfile(stored);
      const isCurrent =
        at === 0 && (current === undefined || current === name || stored.profiles[current]!.demo === true);
      saveProfile(this.#folder, name, { url, key, brand }, isCurrent);
      return { key, brand, name, isCurrent };
    });
  }
}

/** Rows of the welcome of a server that made a key for its user. */
interface OwnRows {
  readonly page: WelcomeRow[];
  readonly login: WelcomeRow[];
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
