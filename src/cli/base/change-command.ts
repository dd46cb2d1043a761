import { Args } from '@oclif/core';
import type { Knex } from 'knex';
import { currentTime } from '../clock.js';
import { CommandError } from '../command-error.js';
import { print } from '../render/terminal.js';
import { AdminCommand, type DatabaseFlags } from './admin-command.js';

interface ChangeCommand<Changed> {
  readonly summary: string;
  /** What the argument is: `Key id, as …`. */
  readonly id: string;
  /** An id for the example. */
  readonly example: string;
  /** Changes it, and returns nothing if it does not exist. */
  readonly change: (db: Knex, id: string, now: Date) => Promise<Changed | undefined>;
  readonly missing: (id: string) => string;
  /** What has changed, for programs and for people. */
  readonly done: (id: string, now: Date, changed: NoInfer<Changed>) => { json: object; text: string };
}

/** The command that changes what an id names. */
export function changeCommand<Changed>(command: ChangeCommand<Changed>): typeof AdminCommand {
  const { summary, example, change, missing, done } = command;
  return class extends AdminCommand {
    static override summary = summary;
    static override examples = [`<%= config.bin %> <%= command.id %> ${example}`];
    static override args = {
      id: Args.string({ description: command.id, required: true, ignoreStdin: true }),
    };

    override async run(): Promise<void> {
      const parsed = await this.parse(this.ctor);
      const id = parsed.args.id as string;
      const flags = parsed.flags as DatabaseFlags & { json?: boolean };
      const now = currentTime();
      const changed = await this.withDatabase(flags, (db) => change(db, id, now));
      if (!changed) throw new CommandError('not_found', missing(id));
      const { json, text } = done(id, now, changed);
      await print(flags.json ? `${JSON.stringify(json)}\n` : `${text}\n`);
    }
  };
}
