import { option, string } from '@oclif/core/flags';
import { storedKeyKinds } from '../../../../contract/keys.js';
import { AdminCommand, explained } from '../../../base/admin-command.js';
import { print } from '../../../render/terminal.js';

export default class KeysCreate extends AdminCommand {
  static override summary = 'Create an API key; the secret is shown only now';
  static override examples = [
    '<%= config.bin %> admin keys create --workspace acme --kind read --name dashboards',
    '<%= config.bin %> admin keys create --workspace acme --kind ingest --brand shoes --expires 2027-06-30 --allow 10.0.0.0/8',
  ];
  static override flags = {
    workspace: string({ description: 'Workspace it belongs to', required: true, helpValue: 'ID' }),
    kind: option({
      options: storedKeyKinds,
      description: 'full: reads, MCP, ingest; read: reads and MCP; ingest: crawler logs only',
      required: true,
    })(),
    name: string({ description: 'What it is for' }),
    brand: string({
      description: 'Limit it to this brand; may be repeated',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ID',
    }),
    expires: string({
      description: 'Last day (UTC) on which it works, or an RFC 3339 time',
      helpValue: 'DATE',
    }),
    allow: string({
      description: 'Address or CIDR range that may use it; may be repeated',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ADDRESS',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(KeysCreate);
    const { createKey, requireUsableKey } = await import('../../../../server/accounts/keys.js');
    const { kind, workspace, name, expires, brand: brands, allow } = flags;
    const wanted = { workspace, kind, name, brands, expires, allow };
    const now = new Date();
    await explained(async () => requireUsableKey(wanted, now));
    const { id, key } = await this.withDatabase(flags, (db) => createKey(db, wanted, now));
    const made = {
      id,
      key,
      kind,
      workspace,
      name: name ?? null,
      brands: brands ?? null,
      expires: expires ?? null,
      allow: allow ?? null,
    };
    if (flags.json) return print(`${JSON.stringify(made)}\n`);
    this.note(`A ${kind} key of workspace ${workspace}, id ${id}. It is shown this once:`);
    return print(`${key}\n`);
  }
}
