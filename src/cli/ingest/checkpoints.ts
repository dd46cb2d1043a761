import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../failure/command-error.js';
import { writeError } from './input.js';

/** The position up to which a log was shipped and acknowledged. */
export interface Position {
  readonly dev: number;
  readonly inode: number;
  /** Bytes of the content, after decompression. */
  readonly offset: number;
  /** The hash of the first KiB, or of the first `offset` bytes if that is less. */
  readonly hash: string;
  /** The time of the latest line in seconds since the epoch; null: the line has no time. */
  readonly last_second: number | null;
  /**
   * The offset of the first line of that second. If more of its lines arrive, all are sent again and numbered together.
   */
  readonly second_offset: number;
  /** The newest directives of a W3C log. */
  readonly head: string;
}

interface Content {
  readonly version: 1;
  readonly files: { readonly [path: string]: Position };
}

/** The default path of the state of a log, by server, brand and absolute path. */
export function defaultStateFile(url: string, brand: string | undefined, path: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([url, brand ?? null, path]))
    .digest('hex');
  const folder = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  return join(folder, 'svc', `ingest-${hash.slice(0, 16)}.json`);
}

/** A file of positions, by absolute path of the log. */
export class StateFile {
  readonly #path: string;
  #files: { [path: string]: Position };

  /** @throws CommandError `usage` if the file is not a valid state file. */
  constructor(path: string) {
    this.#path = path;
    this.#files = { ...read(path).files };
  }

  position(log: string): Position | undefined {
    return Object.hasOwn(this.#files, log) ? this.#files[log] : undefined;
  }

  /** Writes a second file and renames it, so that the file is never incomplete. */
  save(log: string, position: Position): void {
    this.#files = { ...this.#files, [log]: position };
    const draft = `${this.#path}.${process.pid}`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const content: Content = { version: 1, files: this.#files };
      writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
      renameSync(draft, this.#path);
    } catch (error) {
      throw writeError(this.#path, error, 'unexpected');
    } finally {
      rmSync(draft, { force: true });
    }
  }
}

function read(path: string): Content {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<Content> | null;
    if (content?.version === 1 && typeof content.files === 'object') return content as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, files: {} };
  }
  throw new CommandError('usage', `${path} cannot be read as a state of svc ingest. Repair or delete it.`);
}
