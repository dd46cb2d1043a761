import { existsSync } from 'node:fs';
import { boolean, integer, string } from '@oclif/core/flags';
import { PLAN_FILE } from '../../contract/paths.js';
import type { WriteReport } from '../../server/alerts/delivery/digest.js';
import type { Database, DatabaseLocation } from '../../server/database/database.js';
import type { ServerConfig } from '../../server/run/config.js';
import type { RoutineContext, RunningServer } from '../../server/run/main.js';
import { databaseFlags, environmentWith, explained } from '../base/admin-command.js';
import { BaseCommand } from '../base/base-command.js';
import { endpointRows, listenFlags, type WelcomeRow, welcome } from '../base/listen.js';
import { currentTime } from '../clock.js';
import { isOwnServer, PlannedServer, requireUsable, requireWritable } from '../collect/planned-server.js';
import { sentence } from '../doctor/check.js';
import { checkModel, checkOperatorKey, checkPlans } from '../doctor/server.js';
import { print, wrapped } from '../render/terminal.js';

export default class Serve extends BaseCommand {
  static override inHelp = { group: 'SERVER', place: 2 };
  static override alsoCalled = ['start', 'server'];
  static override summary = 'Migrate the database and run the server';
  static override description = [
    'Settings come from the environment; docs/server.md lists the variables.',
    'Without DATABASE_URL the server uses a Postgres embedded in its own process: fine for one machine, not for several servers.',
    'With --plan it asks the engines by itself; docs/collecting.md describes the file.',
  ].join(' ');
  static override examples = [
    'API_ACCESS_KEY=$(openssl rand -base64 32) <%= config.bin %> serve',
    '<%= config.bin %> serve --plan svc.toml',
    '<%= config.bin %> serve --plan shoes.toml --plan boots.toml',
    '<%= config.bin %> serve --database-url postgres://localhost/svc --port 0',
  ];
  static override flags = {
    ...listenFlags,
    ...databaseFlags,
    workers: integer({
      description: 'Processes that serve requests (default 1); several need a Postgres server',
      helpValue: 'N',
      min: 1,
    }),
    plan: string({
      description:
        'Collect by itself, as [schedule] of this svc.toml says; several: a plan for each brand; overrides SVC_PLAN',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    edit: boolean({
      description:
        'People with a full key change the plans on the page; without a plan the page asks for the first one; overrides SVC_EDIT',
    }),
    page: string({ description: 'The page for people: on or off (default on)', options: ['on', 'off'] }),
    check: boolean({ description: 'Check settings and database, then exit' }),
    'print-config': boolean({ description: 'Print the settings with secrets masked, then exit' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Serve);
    const { readConfig, maskedConfig, validateServeConfig } = await import('../../server/run/config.js');
    const { databaseLocation } = await import('../../server/database/database.js');
    const settings = {
      PORT: flags.port?.toString(),
      HOST: flags.host,
      WORKERS: flags.workers?.toString(),
      PAGE: flags.page,
      ...(flags.plan && { SVC_PLAN: '' }),
      ...(flags.edit && { SVC_EDIT: 'on' }),
    };
    const stated = await explained(async () => readConfig(environmentWith(flags, settings)));
    const read = { ...stated, plans: flags.plan ?? plansOf(stated) };
    if (flags['print-config']) return print(`${JSON.stringify(maskedConfig(read), null, 2)}\n`);
    await explained(async () => validateServeConfig(read));
    const location = databaseLocation(read);
    if (flags.check) return print(`${(await check(location, read, this.config.version)).join('\n')}\n`);
    const { isWorker, serve } = await import('../../server/run/serve.js');
    await explained(() => requireUsable(read.plans));
    if (flags.plan === undefined && read.plans !== stated.plans && !isWorker())
      warn(`This folder has ${PLAN_FILE}, which is served.`);
    const isOwn = isOwnServer(read);
    const { newSecret } = await import('../../server/accounts/keys.js');
    const config = isOwn ? { ...read, operatorKey: newSecret() } : read;
    if (!isWorker()) {
      for (const each of apiState(config)) warn(sentence(each));
      if ('folder' in location)
        warn(`Embedded database in ${location.folder}; DATABASE_URL names a Postgres server instead.`);
    }
    const { PAGE_PATHS } = await import('../../server/web/page/paths.js');
    const { plans, page, edit } = config;
    const isFirst = edit && plans.length === 0;
    const planned =
      plans.length === 0 && !isFirst
        ? null
        : new PlannedServer(plans, location, isOwn, this.config.configDir, warn);
    if (isFirst) requireWritable(process.cwd());
    const firstPlan = isFirst ? await planned!.firstPlan(process.cwd()) : null;
    const onListening = async ({ url }: Pick<RunningServer, 'url'>) => {
      const { operatorKey } = config;
      const own = isFirst
        ? await planned!.startRows(url, isOwn ? operatorKey : null)
        : ((await planned?.ownRows(url, page)) ?? null);
      const collects = planned?.collects ?? [];
      await print(
        welcome(url, rowsOf(config, config.publicUrl ?? url, { path: PAGE_PATHS.brands, own, collects })),
      );
    };
    const planSettings = planned && edit ? (database: Database) => planned.settings(database) : undefined;
    const routine = planned ? (context: RoutineContext) => planned.routine(context) : undefined;
    const { workers, adminPort, adminHost } = config;
    const admin = adminPort === null ? undefined : { port: adminPort, host: adminHost };
    const { version } = this.config;
    await explained(() =>
      serve({
        settings: config,
        location,
        version,
        workers,
        admin,
        routine,
        firstPlan,
        planSettings,
        writeReport: writeReport(page ? config.publicUrl : null),
        onListening,
      }),
    );
    return undefined;
  }
}

/** The plan of the folder, if its pages may be changed and no other plan is named. */
const plansOf = ({ plans, edit }: ServerConfig): readonly string[] =>
  edit && plans.length === 0 && existsSync(PLAN_FILE) ? [PLAN_FILE] : plans;

/** What `svc report` prints. @param page The address of the page for people; null: not known. */
const writeReport =
  (page: string | null): WriteReport =>
  async (reads, end) => {
    const { writtenReport } = await import('../reports/weekly-document.js');
    return writtenReport(reads, end, page);
  };

interface Found {
  /** The path of the page. */
  readonly path: string;
  /** The rows of a server that made a key for its user; null: it made none. */
  readonly own: Awaited<ReturnType<PlannedServer['ownRows']>>;
  readonly collects: readonly WelcomeRow[];
}

/** Where people find everything, and how they get a key; without the API there are only its documents. */
function rowsOf(
  { operatorKey, page }: ServerConfig,
  url: string,
  { path, own, collects }: Found,
): WelcomeRow[] {
  if (operatorKey === null) return [...endpointRows(url).filter(([label]) => label === 'docs'), ...collects];
  return [
    ...(own?.page ?? (page ? [['page', url + path] as const] : [])),
    ...endpointRows(url),
    ...(own?.login ?? [
      ['log in', `svc login --url ${url}`] as const,
      ['', '(asks for a key of `svc admin keys create`, or for that of API_ACCESS_KEY)'] as const,
    ]),
    ...collects,
  ];
}

/** What the checks of `svc doctor` find in the database and in the settings. */
const check = (location: DatabaseLocation, config: ServerConfig, version: string): Promise<string[]> =>
  explained(async () => {
    const { openDatabase } = await import('../../server/database/database.js');
    const { checkContent } = await import('../doctor/database.js');
    const database = await openDatabase(location, { beside: { use: 'session', version } });
    const sentences = ['The settings are fine and the database answers.'];
    try {
      for await (const each of checkContent(database, config, currentTime())) sentences.push(sentence(each));
      const plans = await checkPlans(config);
      return [...sentences, ...[checkModel(config), ...plans, ...apiState(config)].map(sentence)];
    } finally {
      await database.close();
    }
  });

/** A warning if the API is off. */
const apiState = (config: ServerConfig) => [checkOperatorKey(config)].filter(({ status }) => status !== 'ok');

const warn = (text: string): void => {
  process.stderr.write(`${wrapped(text, process.stderr.columns).join('\n')}\n`);
};
