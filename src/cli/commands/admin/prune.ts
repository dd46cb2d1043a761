import { boolean, integer, string } from '@oclif/core/flags';
import { RUNS_NEEDED_DAYS } from '../../../contract/limits.js';
import type { PrunedBrand } from '../../../server/intake/storage/prune-runs.js';
import { AdminCommand, explained } from '../../base/admin-command.js';
import { currentTime } from '../../clock.js';
import { count, type TableView, text } from '../../render/view.js';

const view = (head: string): TableView<PrunedBrand> => ({
  noun: 'brands',
  columns: [text('brand', (row) => row.id), count(head, (row) => row.runs), count('days', (row) => row.days)],
});

export default class Prune extends AdminCommand {
  static override summary = 'Delete old runs; reads return the same as before';
  static override description = [
    `Roll-ups, daily statistics and ads are kept, and of each engine the last ${RUNS_NEEDED_DAYS} days and the newest answer.`,
    'Days whose runs were pruned accept no further runs. The command can be stopped and run again at any time.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> admin prune --runs-older-than 400 --dry-run',
    '<%= config.bin %> admin prune --runs-older-than 400 --brand acme',
  ];
  static override flags = {
    'runs-older-than': integer({
      description: `Delete runs of days before the last DAYS days; at least ${RUNS_NEEDED_DAYS}`,
      helpValue: 'DAYS',
      required: true,
    }),
    brand: string({ description: 'Id of the only brand to prune', helpValue: 'ID' }),
    'dry-run': boolean({ description: 'Count the runs and delete nothing' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Prune);
    const { keptSince, pruneRuns, requireEnoughDays, reuseSpace } = await import(
      '../../../server/intake/storage/prune-runs.js'
    );
    const { utcDay } = await import('../../../server/base/days.js');
    const dryRun = flags['dry-run'];
    const request = {
      today: utcDay(currentTime()),
      days: flags['runs-older-than'],
      brand: flags.brand,
      dryRun,
    };
    await explained(async () => requireEnoughDays(request.days));
    const brands = await this.withDatabase(
      flags,
      async (db, embedded) => {
        const pruned: PrunedBrand[] = [];
        for await (const brand of pruneRuns(db, request)) pruned.push(brand);
        if (embedded && !dryRun) await reuseSpace(db);
        return pruned;
      },
      { use: dryRun ? 'session' : 'copy' },
    );
    const payload = { before: keptSince(request), dry_run: dryRun, brands };
    await this.show(flags, payload, view(dryRun ? 'runs to delete' : 'runs deleted'), brands);
  }
}
