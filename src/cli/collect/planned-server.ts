/** A server with a plan: what it collects and, on one's own machine, the key that it makes for its user. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RoutineStatus } from '../../collect/routine.js';
import { ExpectedError, type FailureKind } from '../../contract/failure.js';
import { isLoopback } from '../../contract/paths.js';
import { linkLife } from '../../contract/wording.js';
import type { ServerConfig } from '../../server/config.js';
import type { Database, DatabaseLocation } from '../../server/database/database.js';
import type { Routine, RoutineContext } from '../../server/main.js';
import type { WelcomeRow } from '../base/listen.js';
import { currentTime } from '../clock.js';
import { currentProfile, nameForServer, readProfiles, saveProfile } from '../connection/profiles.js';
import { signInLink } from '../connection/sign-in-link.js';
import { CommandError } from '../failure/command-error.js';
import { scheduleText } from './routine-view.js';

/**
 * Whether nobody but the user of this machine reaches the server: it needs no operator key then, and makes a key for its
 * user as the demo does.
 */
export const isOwnServer = ({ plan, operatorKey, databaseUrl, host, publicUrl }: ServerConfig): boolean =>
  plan !== null && operatorKey === null && databaseUrl === null && publicUrl === null && isLoopback(host);

/** @throws CommandError `usage` */
export function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `The plan ${file} cannot be read (${code}).`, {
      hint: '`svc init` asks a few questions and writes svc.toml.',
    });
  }
}

export class PlannedServer {
  readonly #file: string;
  readonly #location: DatabaseLocation;
  readonly #isOwn: boolean;
  /** The configuration folder. */
  readonly #folder: string;
  readonly #warn: (text: string) => void;
  #status: RoutineStatus | undefined;
  #key: string | undefined;

  constructor(
    file: string,
    location: DatabaseLocation,
    isOwn: boolean,
    folder: string,
    warn: (text: string) => void,
  ) {
    this.#file = file;
    this.#location = location;
    this.#isOwn = isOwn;
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Reads the plan, and makes what collects when the server listens. */
  async routine({ database, log, report, isShared }: RoutineContext): Promise<Routine> {
    const { Routine } = await import('../../collect/routine.js');
    const { env } = process;
    const location = this.#location;
    const { folder } = { folder: undefined, ...location };
    const importFile =
      isShared && folder !== undefined ? (path: string) => importByCommand(path, folder) : undefined;
    const routine = new Routine({
      ...{ file: this.#file, db: database.knex, location, env, log, clock: currentTime, report, importFile },
    });
    this.#status = await routine.prepare();
    if (this.#status.fault !== null) this.#warn(this.#status.fault);
    if (this.#isOwn) this.#key = await this.#ownKey(database);
    return routine;
  }

  async #ownKey({ knex }: Database): Promise<string | undefined> {
    const workspace = this.#status?.brand?.workspaceId;
    if (workspace === undefined) return undefined;
    const { keyOfThisMachine } = await import('../../server/accounts/keys.js');
    const remembered = Object.values(readProfiles(this.#folder).profiles).flatMap(({ url, key }) =>
      key !== undefined && URL.canParse(url) && isLoopback(new URL(url).hostname) ? [key] : [],
    );
    return keyOfThisMachine(knex, remembered, { workspace, name: 'svc serve --plan' }, currentTime());
  }

  get collects(): WelcomeRow[] {
    return this.#status ? [['collects', scheduleText(this.#status, this.#file, currentTime())]] : [];
  }

  /** Stores the key that was made; how to use it. Null: none was made. */
  async ownRows(url: string, hasPage: boolean): Promise<{ page: WelcomeRow[]; login: WelcomeRow[] } | null> {
    if (this.#key === undefined) return null;
    const key = this.#key;
    const brand = this.#status!.brand!.id;
    const stored = readProfiles(this.#folder);
    const name = nameForServer(stored, url);
    const current = currentProfile(stored);
    const isCurrent = current === undefined || current === name || stored.profiles[current]!.demo === true;
    saveProfile(this.#folder, name, { url, key, brand }, isCurrent);
    const option = isCurrent ? '' : ` --profile ${name}`;
    const login: WelcomeRow[] = [
      ['profile', `${name} has a key: \`svc overview${option}\` shows the numbers`],
    ];
    if (!hasPage) return { page: [], login };
    const link = await signInLink({ url, key, brand, fetch: globalThis.fetch });
    const page: WelcomeRow[] = [
      ['page', url + link.path],
      ['', `(signs in ${linkLife}; \`svc open${option}\` makes another link)`],
    ];
    return { page, login };
  }
}

// An import by a process of its own, as `svc admin import` does beside a server: the server reads on meanwhile.

interface Failure {
  readonly code: FailureKind;
  readonly message: string;
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
