import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import type { Knex } from 'knex';
import type { ReadPlan } from '../../../collect/plan/read-plan.js';
import type { Catalog, CatalogChange } from '../../../server/intake/dataset/apply-catalog.js';
import { AdminCommand, explained } from '../../base/admin-command.js';
import { confirm } from '../../base/prompt.js';
import { currentTime } from '../../clock.js';
import { changesText, searchedText } from '../../collect/catalog-view.js';
import { searchStoredAnswers } from '../../collect/search-names.js';
import { readPlan } from '../../collect/setup.js';
import { CommandError } from '../../command-error.js';
import { importFailure } from '../../failure/import-failure.js';
import { outputWidth, print } from '../../render/terminal.js';
import { counted } from '../../render/view.js';

export default class Apply extends AdminCommand {
  static override summary = 'Make brand, competitors, prompts and marks equal to svc.toml';
  static override description = [
    'Prints what would change, and asks. It adds, renames and retires, and removes marks that the file no longer has; runs are never deleted.',
    'An empty database is migrated first. docs/collecting.md describes the file.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> admin apply --dry-run',
    '<%= config.bin %> admin apply brands/shoes.toml --yes',
  ];
  static override args = {
    file: Args.string({ description: 'The file (default svc.toml)', ignoreStdin: true }),
  };
  static override flags = {
    'dry-run': boolean({ description: 'Print what would change, and write nothing' }),
    yes: boolean({ char: 'y', description: 'Do not ask before writing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Apply);
    await explained(async () => {
      const { catalog, plan } = await readPlan(args.file, false);
      if (catalog === null)
        throw new CommandError('usage', `${args.file ?? 'svc.toml'} has no [brand]: it is only a plan.`);
      const now = currentTime();
      const { changes, kept, likely, conflicts, lost, isSearched } = await this.withDatabase(
        flags,
        async (db) => {
          const { differenceIn } = await import('../../../collect/settings/difference.js');
          return differenceIn(db, catalog, now);
        },
        { migrated: false },
      );
      const { requireOneOwner } = await import('../../../server/intake/dataset/catalog-spellings.js');
      requireOneOwner(conflicts);
      const report = { brand: catalog.brand.id, dry_run: flags['dry-run'] === true };
      if (!flags.json) await print(changesText(catalog.brand.id, changes, outputWidth()));
      const { namesNote, notesOn } = await import('../../../collect/settings/change-words.js');
      const note = isSearched ? namesNote(changes) : null;
      if (note !== null && !flags.json) this.note(note);
      if (!flags.json) for (const each of notesOn({ likely, kept, lost })) this.note(each);
      const isWritten = changes.length > 0 && !flags['dry-run'];
      if (isWritten && !flags.yes) {
        await confirm({
          question: `Write ${counted(changes.length, 'change')}?`,
          refusal: 'Nothing was written.',
          hint: 'Add --yes to write without a question, or --dry-run to write nothing.',
        });
      }
      if (isWritten) {
        const isShown = !flags.json;
        const searched = await this.withDatabase(
          flags,
          async (db, _, isServed) => {
            await write(db, catalog, changes, now);
            return isServed ? null : searchStoredAnswers(db, { now, isShown });
          },
          { migrated: 'if empty', use: 'copy' },
        );
        if (isShown && note !== null) this.note(searchedText(searched));
      }
      if (flags.json)
        await print(
          `${JSON.stringify({ ...report, written: isWritten, changes, likely_renames: likely, kept, lost })}\n`,
        );
      else if (!flags['dry-run']) this.note(closing(isWritten, plan));
    });
  }
}

async function write(db: Knex, catalog: Catalog, expected: readonly CatalogChange[], now: Date) {
  const { applyCatalog } = await import('../../../server/intake/dataset/apply-catalog.js');
  const { retried } = await import('../../../server/database/connections.js');
  const { tellMovesOfRuns } = await import('../../../server/alerts/moves/tell.js');
  try {
    await retried(() => applyCatalog(db, catalog, { now, expected, afterDays: tellMovesOfRuns }));
  } catch (error) {
    throw await importFailure('the catalog', error, 'nothing was written');
  }
}

const closing = (isWritten: boolean, { targets }: ReadPlan['plan']): string =>
  [
    ...(isWritten ? ['Written.'] : []),
    targets.length > 0
      ? '`svc collect --dry-run` shows the calls of today and their cost; `svc collect` asks the engines.'
      : 'The file names no engine: `svc admin import` loads answers of other tools.',
  ].join(' ');
