/** A server whose page changes a plan in a folder of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlanHostOptions, planSettings } from '../../../../../src/collect/settings/plan-host.js';
import { NOW } from '../../../../rules/support/records.js';
import { type TestServer, testServer } from '../../../../support/server.js';
import { postForm, signIn, type Visitor } from './visitor.js';

export const PLAN = `# the plan of ours
[workspace]
id = "w"

[brand]
name = "Fleetfoot" # the old spelling
domain = "fleetfoot.example"

# the only one
[[competitor]]
name = "Stride"
domain = "stride.example"

[[prompt]]
text = "Which shoes last longest?"
tags = ["durability"]

[[target]]
engine = "chatgpt"
protocol = "openai-responses"
base_url = "http://127.0.0.1:1/v1"
model = "m"
search = true
key_env = "SHOES_KEY"
input_usd_per_mtok = 1
output_usd_per_mtok = 10
call_usd = 0.01
`;

export const SETTINGS = '/brands/fleetfoot/settings';

export interface EditedPlan {
  readonly server: TestServer;
  readonly folder: string;
  readonly file: string;
  /** Variables of the server. */
  readonly env: Record<string, string>;
  /** Plans whose collection was begun. */
  readonly begun: string[];
  readonly key: string;
  /** Signed in with a full key. */
  readonly editor: Visitor;
  readonly toml: () => string;
  /** Another server on the same file and database. */
  beside(): Promise<TestServer>;
  post(step: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  /** What a form shows: its status, its page, and the fields of the form that writes it. */
  shown(fields: Record<string, string>): Promise<Shown>;
  write(shown: Shown): Promise<Response>;
  close(): Promise<void>;
}

export interface Shown {
  readonly status: number;
  readonly html: string;
  readonly change: string;
  readonly token: string;
}

const decoded = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** What a page shows, with the fields that it sends on. */
export async function shownIn(response: Response): Promise<Shown> {
  const html = await response.text();
  const field = (name: string) => decoded(new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '');
  return { status: response.status, html, change: field('change'), token: field('token') };
}

export async function editedPlan(plan = PLAN): Promise<EditedPlan> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-settings-'));
  const file = join(folder, 'svc.toml');
  writeFileSync(file, plan);
  const env: Record<string, string> = { XDG_STATE_HOME: folder };
  const begun: string[] = [];
  const clock = () => server.now;
  const options = (db: PlanHostOptions['db']): PlanHostOptions => ({
    ...{ db, files: [file], env, clock, location: { folder: join(folder, 'data') } },
    ...{ afterDays: async () => undefined, begin: (each) => begun.push(each) },
  });
  const server = await testServer({ now: NOW, planSettings: ({ knex }) => planSettings(options(knex)) });
  const host = (await planSettings(options(server.database.knex)).of('fleetfoot'))!;
  await host.write({ do: 'apply' }, (await host.propose({ do: 'apply' })).token, 'operator');
  server.pass();
  const key = await server.key({ workspace: 'w', kind: 'full', name: 'Ida' });
  const editor = await signIn(server, key);
  const beside = () =>
    testServer({
      now: NOW,
      database: server.database,
      planSettings: ({ knex }) => planSettings(options(knex)),
    });
  const post = (step: string, fields: Record<string, string>, headers = {}) =>
    postForm(server, `${SETTINGS}/${step}`, fields, { Cookie: editor.cookie, ...headers });
  return {
    ...{ server, folder, file, env, begun, key, editor, beside, post },
    toml: () => readFileSync(file, 'utf8'),
    shown: async (fields) => shownIn(await post('change', fields)),
    write: ({ change, token }) => post('write', { change, token }),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
