import { createReadStream, createWriteStream, openSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import type { Knex } from 'knex';
import type { ImportProgress, ImportResult } from '../../../server/intake/dataset/import.js';
import { AdminCommand, explained } from '../../base/admin-command.js';
import { currentTime } from '../../clock.js';
import { CommandError } from '../../command-error.js';
import { bytesOf, importFailure, unreadable } from '../../failure/import-failure.js';
import { STDIN, writeError } from '../../ingest/input.js';
import { ImportBar } from '../../progress/bars.js';
import { print } from '../../render/terminal.js';
import { counted, grouped } from '../../render/view.js';

export default class Import extends AdminCommand {
  static override summary = 'Load dataset files; each is loaded whole or not at all';
  static override description = 'An empty database is migrated first. docs/dataset.md describes the files.';
  static override examples = [
    '<%= config.bin %> admin import dataset.ndjson.gz',
    'zcat *.gz | <%= config.bin %> admin import -',
  ];
  static override strict = false;
  static override args = {
    file: Args.string({
      description: 'Dataset files, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    'dry-run': boolean({ description: 'Only check; write nothing', default: false }),
    quiet: boolean({ char: 'q', description: 'Show no progress' }),
  };

  override async run(): Promise<void> {
    const { argv, flags } = await this.parse(Import);
    const { importDataset, rolledBack } = await import('../../../server/intake/dataset/import.js');
    const { retried } = await import('../../../server/database/connections.js');
    const { tellMovesOfRuns } = await import('../../../server/alerts/moves/tell.js');
    const results: (ImportResult & { file: string })[] = [];
    let failure: unknown;
    // Before the database is opened, and before one of several files is imported.
    const inputs = await Promise.all((argv as string[]).map(inputOf));
    if ('folder' in (await explained(() => this.locationOf(flags))))
      for (const [at, input] of inputs.entries()) if (!input.canRepeat) inputs[at] = await kept(input);
    const dryRun = flags['dry-run'];
    let printed = 0;
    const report = async () => {
      for (const result of results.slice(printed)) {
        if (flags.json) continue;
        await print(summary(result, dryRun));
        const { lostText } = await import('../../../collect/settings/change-words.js');
        for (const each of result.lost ?? []) this.note(lostText(each));
      }
      printed = results.length;
    };
    const loadAll = async (db: Knex, embedded: boolean): Promise<void> => {
      for (const [at, { file, size, canRepeat, read }] of inputs.entries()) {
        // What a file has is checked against those before it too, so all but the last are written, and taken back.
        const isLast = at === inputs.length - 1;
        const load = async (): Promise<ImportResult> => {
          const bar = new ImportBar(file, size, !flags.json && !flags.quiet);
          const onProgress = (progress: ImportProgress) => bar.update(progress);
          const options = {
            now: currentTime(),
            dryRun: dryRun && isLast,
            onProgress,
            afterDays: tellMovesOfRuns,
          };
          try {
            return await importDataset(db, bar.counting(read()), options);
          } finally {
            bar.stop();
          }
        };
        try {
          // After a deadlock with another import a file can be read again, but a pipe cannot.
          const result = { file, ...(await (canRepeat ? retried(load) : load())) };
          results.push(result);
          // What is imported into a copy of an embedded database is stored when that is closed.
          if (!embedded) await report();
        } catch (error) {
          failure = await importFailure(file === STDIN ? 'standard input' : file, error);
          return;
        }
      }
    };
    await this.withDatabase(
      flags,
      (db, embedded) => (dryRun ? rolledBack(db, (trx) => loadAll(trx, embedded)) : loadAll(db, embedded)),
      dryRun ? { use: 'snapshot' } : { migrated: 'if empty', use: 'copy' },
    );
    await report();
    if (failure !== undefined) throw failure;
    if (flags.json) await print(`${JSON.stringify({ dry_run: dryRun, files: results })}\n`);
  }
}

interface Input {
  readonly file: string;
  /** Null: not known. */
  readonly size: number | null;
  readonly canRepeat: boolean;
  readonly read: () => AsyncIterable<Uint8Array>;
}

async function inputOf(file: string): Promise<Input> {
  if (file === STDIN) return { file, size: null, canRepeat: false, read: () => process.stdin };
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const isFile = found.isFile();
    return { file, size: isFile ? found.size : null, canRepeat: isFile, read: () => bytesOf(file) };
  } catch (error) {
    throw unreadable(file, (error as NodeJS.ErrnoException).code);
  }
}

/**
 * Reads a pipe to its end, into a file without a name. Whoever writes to the pipe may take long, and an embedded database is
 * not kept waiting for that.
 */
async function kept({ file, read }: Input): Promise<Input> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-import-'));
  try {
    const path = join(folder, 'input');
    const fd = openSync(path, 'wx+', 0o600);
    await pipeline(read(), createWriteStream(path, { fd, autoClose: false }));
    const options = { fd, start: 0, autoClose: false, highWaterMark: 1 << 20 };
    const { size } = await stat(path);
    return { file, size, canRepeat: true, read: () => createReadStream(path, options) };
  } catch (error) {
    throw error instanceof CommandError ? error : writeError(folder, error, 'unexpected');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function summary({ file, lines, records }: ImportResult & { file: string }, dryRun: boolean): string {
  const counts = Object.entries(records).map(([type, count]) => counted(count, type.replaceAll('_', ' ')));
  return `${file}: ${grouped(lines)} lines ${dryRun ? 'checked' : 'imported'} (${counts.join(', ')})\n`;
}
