import { boolean, string } from '@oclif/core/flags';
import type { RunningServer } from '../../server/main.js';
import { databaseFlags, environmentWith, explained } from '../admin-command.js';
import { BaseCommand } from '../base-command.js';
import { listenFlags, portInUse } from '../listen.js';
import { print } from '../output.js';

export default class Serve extends BaseCommand {
  static override summary = 'Run the server: migrate the database, then answer';
  static override description = [
    'Settings come from the environment; docs/server.md lists the variables.',
    'Without DATABASE_URL the server uses a Postgres embedded in its own process: fine for one machine, not for several servers.',
  ].join(' ');
  static override examples = [
    'API_ACCESS_KEY=$(openssl rand -base64 32) <%= config.bin %> serve',
    '<%= config.bin %> serve --database-url postgres://localhost/svc --port 0',
  ];
  static override flags = {
    ...listenFlags,
    ...databaseFlags,
    host: string({ description: 'Address to listen on (default 127.0.0.1)', helpValue: 'ADDRESS' }),
    check: boolean({ description: 'Check settings and database, then exit' }),
    'print-config': boolean({ description: 'Print the settings with secrets masked, then exit' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const { readConfig, maskedConfig } = await import('../../server/config.js');
    const { databaseLocation } = await import('../../server/location.js');
    const port = flags.port?.toString();
    const config = await explained(async () =>
      readConfig(environmentWith(flags, { PORT: port, HOST: flags.host })),
    );
    if (flags['print-config']) return print(`${JSON.stringify(maskedConfig(config), null, 2)}\n`);
    const location = databaseLocation(config);
    if (flags.check) {
      await this.#check(location);
      return print('The settings are fine and the database answers.\n');
    }
    if (config.operatorKey === null)
      warn('API_ACCESS_KEY is not set: the API answers 503 until it is. Make one: openssl rand -base64 32');
    if ('folder' in location)
      warn(`Embedded database in ${location.folder}; DATABASE_URL names a Postgres server instead.`);
    const { serve } = await import('../../server/serve.js');
    const onListening = ({ url }: RunningServer) => print(`svc listening on ${url}\n`);
    await explained(() => portInUse(config.port, serve({ settings: config, location, onListening })));
    return undefined;
  }

  async #check(
    location: Parameters<typeof import('../../server/database.js').openDatabase>[0],
  ): Promise<void> {
    const { openDatabase } = await import('../../server/database.js');
    await explained(async () => {
      const database = await openDatabase(location);
      try {
        await database.knex.raw('select 1');
      } finally {
        await database.close();
      }
    });
  }
}

const warn = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
