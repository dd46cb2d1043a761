import { boolean, integer, string } from '@oclif/core/flags';
import type { Knex } from 'knex';
import type { ServerConfig } from '../../server/config.js';
import type { DatabaseLocation } from '../../server/database/database.js';
import type { RunningServer } from '../../server/main.js';
import { databaseFlags, environmentWith, explained } from '../base/admin-command.js';
import { BaseCommand } from '../base/base-command.js';
import { listenFlags } from '../base/listen.js';
import { print } from '../render/output.js';
import { wrapped } from '../render/wrap.js';

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
    workers: integer({
      description: 'Processes that serve requests (default 1); several need a Postgres server',
      min: 1,
    }),
    page: string({ description: 'The page for people: on or off (default on)', options: ['on', 'off'] }),
    check: boolean({ description: 'Check settings and database, then exit' }),
    'print-config': boolean({ description: 'Print the settings with secrets masked, then exit' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const { readConfig, maskedConfig, requireServable } = await import('../../server/config.js');
    const { databaseLocation } = await import('../../server/database/location.js');
    const given = {
      PORT: flags.port?.toString(),
      HOST: flags.host,
      WORKERS: flags.workers?.toString(),
      PAGE: flags.page,
    };
    const config = await explained(async () => readConfig(environmentWith(flags, given)));
    if (flags['print-config']) return print(`${JSON.stringify(maskedConfig(config), null, 2)}\n`);
    await explained(async () => requireServable(config));
    const location = databaseLocation(config);
    if (flags.check) return print(`${[...(await check(location)), ...apiState(config)].join('\n')}\n`);
    const { isWorker, serve } = await import('../../server/serve.js');
    if (!isWorker()) {
      for (const line of apiState(config)) warn(line);
      if ('folder' in location)
        warn(`Embedded database in ${location.folder}; DATABASE_URL names a Postgres server instead.`);
    }
    const onListening = ({ url }: Pick<RunningServer, 'url'>) => print(`svc listening on ${url}\n`);
    await explained(() => serve({ settings: config, location, workers: config.workers, onListening }));
    return undefined;
  }
}

/** Warns if the API is disabled. */
const apiState = ({ operatorKey }: ServerConfig): string[] =>
  operatorKey === null
    ? ['API_ACCESS_KEY is not set: the API answers 503 until it is. Make one: openssl rand -base64 32']
    : [];

/** Describes the state of the database, in sentences. */
const check = (location: DatabaseLocation): Promise<string[]> =>
  explained(async () => {
    const { openDatabase } = await import('../../server/database/database.js');
    const { schemaState } = await import('../../server/database/schema-state.js');
    const { listBrands } = await import('../../server/queries/brands.js');
    const database = await openDatabase(location);
    try {
      const { applied, pending } = await schemaState(database.knex);
      const brands = pending.length === 0 ? (await listBrands(database.knex, {})).length : null;
      return [
        'The settings are fine and the database answers.',
        databaseState(applied, pending, brands),
        ...(database.replica && pending.length === 0
          ? [await replicaState(database.knex, database.replica)]
          : []),
      ];
    } finally {
      await database.close();
    }
  });

async function replicaState(primary: Knex, replica: Knex): Promise<string> {
  const { compareReplica } = await import('../../server/database/replica-watch.js');
  const { isDatabaseUnavailable } = await import('../../server/errors.js');
  const { unavailableMessage } = await import('../../server/database/failure-text.js');
  try {
    const { problem } = await compareReplica(primary, replica);
    return problem === null ? 'The replica answers.' : `The replica is left out: ${problem}.`;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return `The replica is left out. ${unavailableMessage(error as Error)}`;
  }
}

/** @param brands The number of stored brands; null: the schema is older than this version. */
function databaseState(
  applied: readonly string[],
  pending: readonly string[],
  brands: number | null,
): string {
  if (applied.length === 0) return 'The database is empty: `svc serve` makes its schema when it starts.';
  if (pending.length > 0)
    return `The schema is older than this version: \`svc serve\` applies ${pending.join(', ')} when it starts.`;
  const schema = `The schema is up to date (${applied.length} migrations, the last is ${applied.toSorted().at(-1)})`;
  if (brands === 0) return `${schema}. It holds no brand yet: \`svc admin import\` loads data.`;
  return `${schema}. It holds ${brands} ${brands === 1 ? 'brand' : 'brands'}.`;
}

const warn = (text: string): void => {
  process.stderr.write(`${wrapped(text, process.stderr.columns).join('\n')}\n`);
};
