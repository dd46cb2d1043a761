import { boolean, integer, string } from '@oclif/core/flags';
import type { ServerConfig } from '../../server/config.js';
import type { DatabaseLocation } from '../../server/database/database.js';
import type { WriteReport } from '../../server/delivery/digest.js';
import type { RunningServer } from '../../server/main.js';
import { databaseFlags, environmentWith, explained } from '../base/admin-command.js';
import { BaseCommand } from '../base/base-command.js';
import { endpointRows, listenFlags, type WelcomeRow, welcome } from '../base/listen.js';
import { sentence } from '../doctor/check.js';
import { checkModel, checkOperatorKey } from '../doctor/server.js';
import { print, wrapped } from '../render/terminal.js';

export default class Serve extends BaseCommand {
  static override inHelp = { group: 'SERVER', place: 2 };
  static override summary = 'Migrate the database and run the server';
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
    const { readConfig, maskedConfig, validateServeConfig } = await import('../../server/config.js');
    const { databaseLocation } = await import('../../server/database/database.js');
    const settings = {
      PORT: flags.port?.toString(),
      HOST: flags.host,
      WORKERS: flags.workers?.toString(),
      PAGE: flags.page,
    };
    const config = await explained(async () => readConfig(environmentWith(flags, settings)));
    if (flags['print-config']) return print(`${JSON.stringify(maskedConfig(config), null, 2)}\n`);
    await explained(async () => validateServeConfig(config));
    const location = databaseLocation(config);
    if (flags.check) return print(`${(await check(location, config)).join('\n')}\n`);
    const { isWorker, serve } = await import('../../server/serve.js');
    if (!isWorker()) {
      for (const each of apiState(config)) warn(sentence(each));
      if ('folder' in location)
        warn(`Embedded database in ${location.folder}; DATABASE_URL names a Postgres server instead.`);
    }
    const { PAGE_PATHS } = await import('../../server/page/paths.js');
    const onListening = ({ url }: Pick<RunningServer, 'url'>) =>
      print(welcome(url, rowsOf(config, config.publicUrl ?? url, PAGE_PATHS.brands)));
    const { workers, adminPort, adminHost } = config;
    const admin = adminPort === null ? undefined : { port: adminPort, host: adminHost };
    await explained(() => serve({ settings: config, location, workers, admin, writeReport, onListening }));
    return undefined;
  }
}

/** What `svc report` prints, read from the server itself. */
const writeReport: WriteReport = async ({ url, key, signal }, brand, { start, end }) => {
  const { SvcClient } = await import('../../sdk/client.js');
  const { writtenReport } = await import('../reports/weekly.js');
  const svc = new SvcClient({ baseUrl: url, apiKey: key, brand });
  return writtenReport(svc, { signal }, { from: start, to: end });
};

/** Where people find everything, and how they get a key; without the API there are only its documents. */
function rowsOf({ operatorKey, page }: ServerConfig, url: string, pagePath: string): WelcomeRow[] {
  if (operatorKey === null) return endpointRows(url).filter(([label]) => label === 'docs');
  return [
    ...(page ? [['page', url + pagePath] as const] : []),
    ...endpointRows(url),
    ['log in', `svc login --url ${url}`],
    ['', '(asks for a key of `svc admin keys create`, or for that of API_ACCESS_KEY)'],
  ];
}

/** What the checks of `svc doctor` find in the database and in the settings. */
const check = (location: DatabaseLocation, config: ServerConfig): Promise<string[]> =>
  explained(async () => {
    const { openDatabase } = await import('../../server/database/database.js');
    const { checkContent } = await import('../doctor/server.js');
    const database = await openDatabase(location);
    const sentences = ['The settings are fine and the database answers.'];
    try {
      for await (const each of checkContent(database, config, new Date())) sentences.push(sentence(each));
      return [...sentences, ...[checkModel(config), ...apiState(config)].map(sentence)];
    } finally {
      await database.close();
    }
  });

/** A warning if the API is off. */
const apiState = (config: ServerConfig) => [checkOperatorKey(config)].filter(({ status }) => status !== 'ok');

const warn = (text: string): void => {
  process.stderr.write(`${wrapped(text, process.stderr.columns).join('\n')}\n`);
};
