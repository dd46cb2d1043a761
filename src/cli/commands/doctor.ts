import { boolean } from '@oclif/core/flags';
import { exitCodes } from '../../contract/failure.js';
import { printableJson } from '../../contract/printable.js';
import { databaseFlags, environmentWith, explained } from '../base/admin-command.js';
import { ApiCommand } from '../base/api-command.js';
import { currentTime } from '../clock.js';
import { CommandError } from '../command-error.js';
import { type Check, checkLines, checksJson, summary, worst } from '../doctor/check.js';
import { checkConnection, checkSettings } from '../doctor/connection.js';
import { outputWidth, print } from '../render/terminal.js';

export default class Doctor extends ApiCommand {
  static override inHelp = { group: 'SETUP', place: 4 };
  static override summary =
    'Check the connection with the server, or with --server the server of this machine';
  static override description =
    'Checks address, certificate, version, clock, API, key, rate limit, brands with their data and the fetch of ' +
    'robots.txt, and says what to do about each fault. With --server it checks the settings in this environment, the ' +
    'database, its schema and disk, keys and nightly work instead. Exits with 1 after a failure; warnings exit with 0.';
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --profile work --json',
    '<%= config.bin %> doctor --server --database-url postgres://localhost/svc',
  ];
  static override flags = {
    server: boolean({ description: 'Check the server of this machine and its database' }),
    ...databaseFlags,
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    if (!flags.server && (flags['database-url'] ?? flags['data-dir']) !== undefined)
      throw new CommandError('usage', '--database-url and --data-dir need --server.');
    this.applyFlags(flags);
    const checks: Check[] = [];
    const running = flags.server
      ? ofMachine(environmentWith(flags), this.config.version)
      : this.#ofConnection(flags);
    for (;;) {
      const { value, done } = await this.progress.during('Checking …', running.next());
      if (done) break;
      checks.push(value);
      if (!flags.json) await print(checkLines(value, outputWidth()));
    }
    if (flags.json) await print(`${printableJson(checksJson(checks), 2)}\n`);
    else this.note(summary(checks));
    if (worst(checks) === 'failure') this.exit(exitCodes.unexpected);
  }

  async *#ofConnection(flags: Parameters<typeof checkSettings>[0]): AsyncGenerator<Check> {
    const { settings, checks } = checkSettings(flags, process.env, this.config.configDir);
    yield* checks;
    if (settings) yield* checkConnection(settings, this.userAgent, this.signal);
  }
}

/** The checks of a server with this environment. */
async function* ofMachine(
  env: Readonly<Record<string, string | undefined>>,
  version: string,
): AsyncGenerator<Check> {
  const { checkListening, checkServerSettings } = await import('../doctor/server.js');
  const { checkDatabase } = await import('../doctor/database.js');
  const { config, checks } = await explained(() => checkServerSettings(env));
  yield* checks;
  if (!config) return;
  yield await checkListening(config, version);
  yield* checkDatabase(config, currentTime(), version);
}
