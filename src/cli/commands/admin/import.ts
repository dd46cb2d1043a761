import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import type { ImportProgress, ImportResult } from '../../../server/dataset/import.js';
import { AdminCommand } from '../../admin-command.js';
import { CommandError } from '../../command-error.js';
import { ImportBar } from '../../import-bar.js';
import { print } from '../../output.js';
import { grouped } from '../../view.js';

const STDIN = '-';

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
    const files = argv as string[];
    const { importDataset } = await import('../../../server/dataset/import.js');
    const results = await this.withDatabase(flags, async (db) => {
      const done: (ImportResult & { file: string })[] = [];
      for (const file of files) {
        const bar = new ImportBar(file, await sizeOf(file), !flags.json && !flags.quiet);
        const onProgress = (progress: ImportProgress) => bar.update(progress);
        const options = { now: new Date(), dryRun: flags['dry-run'], onProgress };
        try {
          done.push({ file, ...(await importDataset(db, bar.counting(bytesOf(file)), options)) });
        } catch (error) {
          throw ofFile(file, error);
        } finally {
          bar.stop();
        }
      }
      return done;
    });
    if (flags.json) await print(`${JSON.stringify({ dry_run: flags['dry-run'], files: results })}\n`);
    else for (const result of results) await print(summary(result, flags['dry-run']));
  }
}

async function sizeOf(file: string): Promise<number | null> {
  if (file === STDIN) return null;
  try {
    return (await stat(file)).size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `${file} cannot be read (${code ?? 'unknown reason'}).`);
  }
}

const bytesOf = (file: string): AsyncIterable<Uint8Array> =>
  file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });

/** Names the file in errors about its lines. */
function ofFile(file: string, error: unknown): unknown {
  const named =
    error instanceof Error && (error.name === 'DatasetError' || error.name === 'LineTooLongError');
  if (!named) return error;
  return new CommandError(
    'unexpected',
    `${file === STDIN ? 'standard input' : file}: nothing was imported\n${error.message}`,
  );
}

function summary({ file, lines, records }: ImportResult & { file: string }, dryRun: boolean): string {
  const counts = Object.entries(records).map(([type, count]) => `${grouped(count)} ${type}`);
  return `${file}: ${grouped(lines)} lines ${dryRun ? 'checked' : 'imported'} (${counts.join(', ')})\n`;
}
