import { boolean, integer } from '@oclif/core/flags';
import type { Knex } from 'knex';
import type { Distribution, Placement } from '../../../server/database/citus.js';
import { AdminCommand, type DatabaseFlags, environmentWith } from '../../base/admin-command.js';
import { CommandError } from '../../command-error.js';
import { type TableView, text } from '../../render/view.js';

interface Row {
  readonly table: string;
  readonly placement: Placement;
  /** Whether this run changes it, or under --dry-run would. */
  readonly changed: boolean;
}

const viewOf = (undo: boolean, done: boolean): TableView<Row> => ({
  noun: 'tables',
  columns: [
    text('table', (row) => row.table),
    text('placement', (row) => row.placement),
    text(undo ? (done ? 'brought back' : 'comes back') : done ? 'moved' : 'moves', (row) =>
      row.changed ? 'yes' : 'no',
    ),
  ],
});

export default class Distribute extends AdminCommand {
  static override summary = 'Distribute the data of brands over the nodes of a Citus cluster';
  static override description =
    `Every table of a brand's data is distributed by brand, so that a brand is on one node; the others stay on the coordinator, which DATABASE_URL names. Stop the servers first. Repeating it distributes what is missing.`;
  static override examples = [
    '<%= config.bin %> admin distribute --dry-run',
    '<%= config.bin %> admin distribute --shards 64',
    '<%= config.bin %> admin distribute --undo',
  ];
  static override flags = {
    'dry-run': boolean({ description: 'Only print what would be done' }),
    undo: boolean({ description: 'Bring every table back to the coordinator', exclusive: ['shards'] }),
    shards: integer({
      description: 'Parts of each table; more than there will ever be nodes (default 32)',
      helpValue: 'N',
      min: 1,
      max: 1024,
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Distribute);
    await requireServer(flags);
    await this.withDatabase(flags, async (db) => {
      const { 'dry-run': dryRun = false, undo = false, shards } = flags;
      const planned = await plannedTables(db, undo);
      if (!undo) await this.#refusePlan(db, flags, planned);
      const { changed, warnings } = dryRun
        ? { changed: planned, warnings: [] }
        : await carryOut(db, undo, shards);
      const rows = await rowsOf(changed);
      await this.show(flags, { dry_run: dryRun, undo, tables: rows, warnings }, viewOf(undo, !dryRun), rows);
      if (!flags.json) for (const warning of warnings) this.note(`${warning}.`);
    });
  }

  /** Prints the plan before the refusal, so that it can be read without a cluster. */
  async #refusePlan(
    db: Knex,
    flags: { json?: boolean; shards?: number | undefined },
    planned: readonly string[],
  ): Promise<void> {
    const { clusterOf } = await import('../../../server/database/citus.js');
    const { requireCluster } = await import('../../../server/database/citus.js');
    const cluster = await clusterOf(db);
    try {
      requireCluster(cluster, flags.shards);
    } catch (error) {
      if (!flags.json) await this.show(flags, {}, viewOf(false, false), await rowsOf(planned));
      throw error;
    }
  }
}

/** @throws CommandError for the embedded database. */
async function requireServer(flags: DatabaseFlags): Promise<void> {
  const { readConfig } = await import('../../../server/run/config.js');
  if (readConfig(environmentWith(flags)).databaseUrl !== null) return;
  throw new CommandError(
    'usage',
    'The embedded database cannot be distributed. Set DATABASE_URL to the coordinator of a Citus cluster.',
  );
}

/** The tables that a run would change. */
async function plannedTables(db: Knex, undo: boolean): Promise<string[]> {
  const { clusterOf } = await import('../../../server/database/citus.js');
  const { distributedTables } = await import('../../../server/database/citus.js');
  const distributed = (await clusterOf(db))?.distributed;
  return distributedTables.filter((name) => (distributed?.has(name) ?? false) === undo);
}

async function carryOut(db: Knex, undo: boolean, shards: number | undefined): Promise<Distribution> {
  const { distribute, undistribute } = await import('../../../server/database/citus.js');
  return undo ? undistribute(db) : distribute(db, shards);
}

async function rowsOf(changed: readonly string[]): Promise<Row[]> {
  const { tables } = await import('../../../server/database/citus.js');
  return Object.entries(tables).map(([table, placement]) => ({
    table,
    placement,
    changed: changed.includes(table),
  }));
}
