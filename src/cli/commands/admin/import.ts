import { stat } from 'node:fs/promises';
import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import type { Knex } from 'knex';
import type { ImportProgress, ImportResult } from '../../../server/dataset/import.js';
import { AdminCommand } from '../../base/admin-command.js';
import { currentTime } from '../../clock.js';
import { bytesOf, importFailure, unreadable } from '../../failure/import-failure.js';
import { STDIN } from '../../ingest/input.js';
import { ImportBar } from '../../progress/bars.js';
import { print } from '../../render/terminal.js';
import { counted, grouped } from '../../render/view.js';

export default class Import extends AdminCommand {
  static override summary = 'Load dataset files; each is loaded whole or not at all';
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
    const { importDataset, rolledBack } = await import('../../../server/dataset/import.js');
    const { retried } = await import('../../../server/database/connections.js');
    const results: (ImportResult & { file: string })[] = [];
    let failure: unknown;
    // Before the database is opened, and before one of several files is imported.
    const inputs = await Promise.all(
      (argv as string[]).map(async (file) => ({ file, size: await sizeOf(file) })),
    );
    const dryRun = flags['dry-run'];
    let printed = 0;
    const report = async () => {
      for (const result of results.slice(printed)) if (!flags.json) await print(summary(result, dryRun));
      printed = results.length;
    };
    const loadAll = async (db: Knex, embedded: boolean): Promise<void> => {
      for (const [at, { file, size }] of inputs.entries()) {
        // What a file has is checked against those before it too, so all but the last are written, and taken back.
        const isLast = at === inputs.length - 1;
        const load = async (): Promise<ImportResult> => {
          const bar = new ImportBar(file, size, !flags.json && !flags.quiet);
          const onProgress = (progress: ImportProgress) => bar.update(progress);
          const options = { now: currentTime(), dryRun: dryRun && isLast, onProgress };
          try {
            return await importDataset(db, bar.counting(sourceOf(file)), options);
          } finally {
            bar.stop();
          }
        };
        try {
          // After a deadlock with another import a file can be read again, but standard input cannot.
          const result = { file, ...(await (file === STDIN ? load() : retried(load))) };
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
      { use: dryRun ? 'snapshot' : 'copy' },
    );
    await report();
    if (failure !== undefined) throw failure;
    if (flags.json) await print(`${JSON.stringify({ dry_run: dryRun, files: results })}\n`);
  }
}

async function sizeOf(file: string): Promise<number | null> {
  if (file === STDIN) return null;
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return found.size;
  } catch (error) {
    throw unreadable(file, (error as NodeJS.ErrnoException).code);
  }
}

const sourceOf = (file: string): AsyncIterable<Uint8Array> =>
  file === STDIN ? process.stdin : bytesOf(file);

function summary({ file, lines, records }: ImportResult & { file: string }, dryRun: boolean): string {
  const counts = Object.entries(records).map(([type, count]) => counted(count, type.replaceAll('_', ' ')));
  return `${file}: ${grouped(lines)} lines ${dryRun ? 'checked' : 'imported'} (${counts.join(', ')})\n`;
}
