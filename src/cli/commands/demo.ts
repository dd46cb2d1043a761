import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import { MCP_PATH, mcpServer } from '../../contract/mcp.js';
import { linkLife } from '../../contract/wording.js';
import type { Database } from '../../server/database/database.js';
import type { RunningServer } from '../../server/run/main.js';
import { environmentWith, explained } from '../base/admin-command.js';
import { BaseCommand } from '../base/base-command.js';
import { endpointRows, listenFlags, type WelcomeRow, welcome } from '../base/listen.js';
import { currentTime } from '../clock.js';
import {
  currentProfile,
  DEMO_PROFILE,
  demoProfileName,
  profileNamed,
  readProfiles,
  rememberedKeys,
  saveProfile,
} from '../connection/profiles.js';
import { openInBrowser, signInLink } from '../connection/sign-in-link.js';
import { print } from '../render/terminal.js';

export default class Demo extends BaseCommand {
  static override inHelp = { group: 'SERVER', place: 1 };
  static override summary = 'Serve demo data from an embedded Postgres, and print how to read it';
  static override description = [
    'The data is made up and ends today; a start on a later day adds the days since. DATABASE_URL is not used.',
    'The key is made for this machine and kept as profile `demo`; a profile of that name for another server is not changed.',
  ].join(' ');
  static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --port 0 --reset'];
  static override flags = {
    ...listenFlags,
    'data-dir': string({
      description: 'Data folder; the demo uses its sub-folder `demo`',
      helpValue: 'FOLDER',
    }),
    reset: boolean({ description: 'Delete the data and make it again' }),
    open: boolean({ description: 'Open the page in the browser, signed in' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Demo);
    const { readConfig } = await import('../../server/run/config.js');
    const { embeddedFolder } = await import('../../server/database/database.js');
    const { newSecret } = await import('../../server/accounts/keys.js');
    const { claimDemoFolder, resetDemoFolder } = await import('../../demo/load-demo.js');
    const { demoRobots } = await import('../../demo/site-files.js');
    const { serve } = await import('../../server/run/serve.js');
    const { SchemaError } = await import('../../server/database/schema-state.js');
    await explained(async () => {
      const environment = environmentWith(
        { 'data-dir': flags['data-dir'] },
        {
          DATABASE_URL: '',
          PORT: flags.port?.toString(),
          HOST: flags.host,
          LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
        },
      );
      const config = readConfig(environment);
      const folder = embeddedFolder(config.dataDir, 'demo');
      if (flags.reset) await resetDemoFolder(folder);
      await claimDemoFolder(folder);
      let key = '';
      await serve({
        settings: { ...config, operatorKey: config.operatorKey ?? newSecret() },
        location: { folder },
        version: this.config.version,
        prepare: async (database) => {
          key = await this.#prepare(database, folder);
        },
        robots: demoRobots,
        onListening: (server) => this.#welcome(server, key, folder, flags.open),
      }).catch((error: unknown) => {
        if (!(error instanceof SchemaError)) throw error;
        throw new SchemaError(
          'Another version of svc made the data of the demo. `svc demo --reset` deletes it and makes it again.',
        );
      });
    });
  }

  /** Loads the data and makes sure that a key exists. */
  async #prepare({ knex }: Database, folder: string): Promise<string> {
    const { demoKey, loadDemo } = await import('../../demo/load-demo.js');
    const { DemoProgress } = await import('../progress/bars.js');
    const progress = new DemoProgress();
    await loadDemo(knex, folder, currentTime(), (records) => progress.update(records));
    progress.stop();
    return demoKey(knex, rememberedKeys(readProfiles(this.config.configDir)), currentTime());
  }

  async #welcome({ url }: Pick<RunningServer, 'url'>, key: string, dataFolder: string, open: boolean) {
    const folder = this.config.configDir;
    const stored = readProfiles(folder);
    const profile = { url, key, demo: true };
    const name = demoProfileName(stored, profile);
    saveProfile(folder, name, profile, false);
    const { writeAccessLog } = await import('../../demo/site-files.js');
    const log = shortest(await writeAccessLog(dataFolder, currentTime()));
    const example = join(this.config.root, 'examples', 'read-overview.mjs');
    const option = currentProfile(readProfiles(folder)) === name ? '' : ` --profile ${name}`;
    const mcp = url + MCP_PATH;
    const { demoBrandId } = await import('../../demo/data/index.js');
    const page = url + (await signInLink({ url, key, brand: demoBrandId, fetch: globalThis.fetch })).path;
    const note =
      name === DEMO_PROFILE ? '' : ` (${DEMO_PROFILE} is of ${profileNamed(stored, DEMO_PROFILE)?.url})`;
    const rows: WelcomeRow[] = [
      ['page', page],
      ['', `(signs in ${linkLife}; \`npx svc open${option}\` makes another link)`],
      ...endpointRows(url),
      ['API key', key],
      ['profile', name + note],
      ['data', `${dataFolder} (embedded Postgres)`],
    ];
    const lines = [
      'Paste into a second terminal:',
      '',
      `  npx svc overview${option}`,
      `  npx svc ingest ${log}${option}`,
      `  npx svc crawlers${option}`,
      '',
      'For other programs:',
      '',
      `  export SVC_URL=${url} SVC_API_KEY=${key}`,
      '  curl -H "Authorization: Bearer $SVC_API_KEY" $SVC_URL/api/v1/overview',
      ...(existsSync(example) ? [`  node ${shortest(example)}`] : []),
      `  claude mcp add --transport http ${mcpServer.name} ${mcp} --header "Authorization: Bearer ${key}"`,
      '',
      'Ctrl-C stops the server.',
      '',
    ];
    await print(welcome(url, rows) + lines.join('\n'));
    if (open && !(await openInBrowser(page))) process.stderr.write('No browser could be started.\n');
  }
}

/** The path from the current folder, if it is shorter. */
function shortest(path: string): string {
  const here = relative('', path);
  return here.length < path.length ? here : path;
}
