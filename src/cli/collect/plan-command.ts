/** Commands that change svc.toml: they show what changes as `svc admin apply` does, ask, and write file and database. */
import { boolean, string } from '@oclif/core/flags';
import type { StatedChange } from '../../collect/plan/plan-change.js';
import type { PlanSource } from '../../collect/settings/plan-editor.js';
import type { ProposedChange } from '../../server/intake/plan-settings.js';
import { AdminCommand, type DatabaseFlags, explained } from '../base/admin-command.js';
import { confirm } from '../base/prompt.js';
import { currentTime } from '../clock.js';
import { CommandError } from '../command-error.js';
import { outputWidth, print } from '../render/terminal.js';
import { counted, usd } from '../render/view.js';
import { changesText } from './catalog-view.js';
import { searchStoredAnswers } from './search-names.js';
import { readPlan } from './setup.js';

export const planFlag = {
  plan: string({ description: 'The file (default svc.toml)', helpValue: 'FILE' }),
};

export const changeFlags = {
  ...planFlag,
  'dry-run': boolean({ description: 'Print what would change, and write nothing' }),
  yes: boolean({ char: 'y', description: 'Do not ask before writing' }),
};

interface ChangeFlags extends DatabaseFlags {
  readonly plan?: string | undefined;
  readonly 'dry-run'?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const PLAN_FILE = 'svc.toml';

export abstract class PlanCommand extends AdminCommand {
  protected async source(flags: { readonly plan?: string | undefined }): Promise<PlanSource> {
    return explained(async () => {
      // Says which file is missing, and how to make one.
      await readPlan(flags.plan, false);
      const { readSource } = await import('../../collect/settings/plan-editor.js');
      return readSource(flags.plan ?? PLAN_FILE);
    });
  }

  protected async change(flags: ChangeFlags, change: StatedChange): Promise<void> {
    const { file, read } = await this.source(flags);
    await explained(async () => {
      const { proposeChange, writeChange } = await import('../../collect/settings/plan-editor.js');
      const now = currentTime();
      const shown = await this.withDatabase(flags, (db) => proposeChange(db, file, change, now), {
        migrated: false,
      });
      const brand = read.catalog.brand.id;
      if (!flags.json) await print(proposalText(brand, shown));
      if (!flags.json) for (const each of shown.notes) this.note(each);
      const isWritten = !flags['dry-run'];
      if (isWritten && !flags.yes)
        await confirm({
          question: `Write ${shown.file}?`,
          refusal: 'Nothing was written.',
          hint: 'Add --yes to write without a question, or --dry-run to write nothing.',
        });
      if (isWritten) {
        const { tellMovesOfRuns: afterDays } = await import('../../server/alerts/moves/tell.js');
        const outcome = await this.withDatabase(
          flags,
          async (db, _, isServed) => {
            const written = await writeChange(db, file, change, shown.token, { now, afterDays, keyId: null });
            if (written.written && !isServed) await searchStoredAnswers(db, { now, isShown: !flags.json });
            return written;
          },
          { migrated: 'if empty', use: 'copy' },
        );
        if (!outcome.written)
          throw new CommandError(
            'unexpected',
            'The file or the database changed in the meantime, and nothing was written. Look at the changes again.',
          );
      }
      const { token: _, ...report } = shown;
      if (flags.json)
        await print(
          `${JSON.stringify({ brand, dry_run: flags['dry-run'] === true, written: isWritten, ...jsonOf(report) })}\n`,
        );
      else if (isWritten) this.note('Written.');
    });
  }
}

const jsonOf = ({ words, notes, changes, file, lines, moreLines, day }: Omit<ProposedChange, 'token'>) => ({
  file,
  what: words,
  changes,
  lines: lines.map(({ sign, text }) => sign + text),
  more_lines: moreLines,
  notes,
  calls_per_day: day.after.calls,
  cost_usd_per_day: day.after.usd,
});

function proposalText(brand: string, { file, lines, moreLines, changes, day }: ProposedChange): string {
  const shown = lines.map(({ sign, text }) => `  ${sign} ${text}`);
  const more = moreLines > 0 ? [`  and ${counted(moreLines, 'more line')}`] : [];
  const cost = (value: number | null) =>
    value === null ? 'a cost that is not known' : `about ${usd(value)}`;
  const isSame = day.before.calls === day.after.calls && day.before.usd === day.after.usd;
  const calls = `A day is ${counted(day.after.calls, 'call')} and ${cost(day.after.usd)}${isSame ? '' : `; it was ${counted(day.before.calls, 'call')} and ${cost(day.before.usd)}`}.`;
  const head = lines.length === 0 ? [] : [file, ...shown, ...more, ''];
  const table = changes.length === 0 ? '' : `${changesText(brand, changes, outputWidth()).trimEnd()}\n`;
  return `${head.join('\n')}${head.length > 0 ? '\n' : ''}${table}${calls}\n`;
}
