import { Args } from '@oclif/core';
import { option } from '@oclif/core/flags';
import type { Knex } from 'knex';
import { asideReasons } from '../../../../contract/reads/briefing.js';
import type { operatorReads } from '../../../../server/answers/reads/operator-reads.js';
import { AdminCommand, type DatabaseFlags, environmentWith } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../command-error.js';
import { print } from '../../../render/terminal.js';
import { brandFlag, onlyBrand } from '../marks/add.js';

type OperatorReads = Awaited<ReturnType<typeof operatorReads>>;

/** The base of the commands on the needs of one brand. */
export abstract class NeedsCommand extends AdminCommand {
  /** Opens the database and works on a brand. A refusal is reported as the API states it. */
  protected async ofBrand<T>(
    flags: DatabaseFlags & { readonly brand?: string | undefined },
    work: (db: Knex, of: OperatorReads, now: Date) => Promise<T>,
  ): Promise<T> {
    const { operatorReads } = await import('../../../../server/answers/reads/operator-reads.js');
    const { createRobotsChecks } = await import('../../../../server/base/robots/fetch.js');
    const { RefusedError } = await import('../../../../server/base/errors.js');
    const { readConfig } = await import('../../../../server/run/config.js');
    const { robotsAllowPrivate } = readConfig(environmentWith(flags));
    const now = currentTime();
    const clock = () => now;
    const robots = createRobotsChecks(clock, { allowPrivate: robotsAllowPrivate });
    return this.withDatabase(flags, async (db) => {
      try {
        const id = await onlyBrand(db, flags.brand);
        return await work(db, await operatorReads(db, id, { clock, robots }), now);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        const { status, message } = error.refusal;
        throw new CommandError(status === 404 ? 'not_found' : 'server_error', message);
      }
    });
  }
}

export const needArg = Args.string({
  description: 'Need id, as `needs list` shows it',
  required: true,
  ignoreStdin: true,
});

export default class NeedsAside extends NeedsCommand {
  static override summary = 'Set a need aside for everybody of the workspace, until its facts change';
  static override description =
    'It comes back when a fact changes that is a name, a day or a text, or when what it counts has tripled. With `done` it also comes back once all days of the window are later, and it is still there.';
  static override examples = [
    '<%= config.bin %> admin needs aside source_to_win:reddit.com --reason not_us',
    '<%= config.bin %> admin needs aside facts_stale --brand acme --reason done',
  ];
  static override args = { id: needArg };
  static override flags = {
    brand: brandFlag,
    reason: option({
      options: asideReasons,
      description: 'not_us: it is nothing for the brand; done: what it asks for was done',
      required: true,
    })(),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(NeedsAside);
    const { setNeedAside } = await import('../../../../server/answers/needs-aside.js');
    const aside = await this.ofBrand(flags, (db, of, now) =>
      setNeedAside(db, of, { id: args.id, reason: flags.reason }, now),
    );
    if (flags.json) await print(`${JSON.stringify(aside)}\n`);
    else await print(`Set aside: ${aside.need.text}\n`);
  }
}
