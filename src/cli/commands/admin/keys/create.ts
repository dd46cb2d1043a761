import { option, string } from '@oclif/core/flags';
import { storedKeyKinds } from '../../../../contract/keys.js';
import { FEED_PATH } from '../../../../contract/paths.js';
import { AdminCommand, explained } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../command-error.js';
import { print } from '../../../render/terminal.js';

export default class KeysCreate extends AdminCommand {
  static override summary = 'Create an API key; the secret is shown only now';
  static override examples = [
    '<%= config.bin %> admin keys create --workspace acme --kind read --name dashboards',
    '<%= config.bin %> admin keys create --workspace acme --kind ingest --brand shoes --expires 2027-06-30 --allow 10.0.0.0/8',
    '<%= config.bin %> admin keys create --kind feed --brand shoes',
  ];
  static override flags = {
    workspace: string({
      description: 'Workspace it belongs to; default: that of --brand',
      helpValue: 'ID',
    }),
    kind: option({
      options: storedKeyKinds,
      description:
        'full: reads, MCP, ingest; read: reads and MCP; ingest: crawler logs only; feed: the Atom feed of one brand only',
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
    const { createKey, requireUsableKey, workspaceOfBrand } = await import(
      '../../../../server/accounts/keys.js'
    );
    const { kind, name, expires, brand: brands, allow } = flags;
    const wanted = { kind, name, brands, expires, allow };
    const now = currentTime();
    await explained(async () => requireUsableKey(wanted, now));
    const [first] = brands ?? [];
    if (flags.workspace === undefined && first === undefined)
      throw new CommandError('usage', 'Give --workspace ID, or --brand ID for the workspace of a brand.');
    const { id, key, workspace } = await this.withDatabase(flags, async (db) => {
      const workspace = flags.workspace ?? (await workspaceOfBrand(db, { brandId: first! }))[0]?.workspace;
      if (workspace === undefined) throw new CommandError('not_found', `No brand ${first} exists.`);
      return { workspace, ...(await createKey(db, { ...wanted, workspace }, now)) };
    });
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
    await print(`${key}\n`);
    if (kind === 'feed')
      this.note(`The address for a feed reader: ${FEED_PATH}?key=KEY, behind that of the server.`);
  }
}
