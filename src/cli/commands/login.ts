import { string } from '@oclif/core/flags';
import { ApiCommand, type ApiFlags } from '../api-command.js';
import { CommandError } from '../command-error.js';
import { type Identity, identify } from '../identity.js';
import { askUrl, readKey } from '../key-input.js';
import { print } from '../output.js';
import { checkName, profileNamed, readProfiles, saveProfile } from '../profiles.js';
import { DEFAULT_URL, keyOfFile, profileName } from '../settings.js';
import { suggestion } from '../suggestion.js';

export default class Login extends ApiCommand {
  static override summary = 'Store the address of a server and your key, after checking them';
  static override description =
    'Asks for the key without showing it, or reads it from standard input. The key is stored in a file that only you ' +
    'can read. A key is never taken from an argument, where other users of the machine could see it.';
  static override examples = [
    '<%= config.bin %> login',
    '<%= config.bin %> login --url https://svc.example.com --profile work < key.txt',
  ];
  static override flags = {
    brand: string({ description: 'Brand id that later commands mean when they name none' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Login);
    this.applyFlags(flags);
    const stored = readProfiles(this.config.configDir);
    const name = profileName(flags, process.env, stored);
    checkName(name);
    const url = await this.#url(flags, profileNamed(stored, name)?.url);
    const key = keyOfFile(flags['key-file']) ?? (await readKey(this.signal));
    const svc = this.connect({ url, key, brand: undefined, profile: undefined });
    const identity = await this.progress.during('Checking the key …', identify(svc, this.signal));
    refuseUnusable(identity, flags.brand);
    const profile = { url: svc.baseUrl, key, ...(flags.brand && { brand: flags.brand }) };
    const named = Boolean(flags.profile || process.env.SVC_PROFILE);
    const isDefault = saveProfile(this.config.configDir, name, profile, named ? 'if-none' : 'always');
    await this.#confirm(flags, { name, url: svc.baseUrl, isDefault, identity });
  }

  #url(flags: ApiFlags, storedUrl: string | undefined): string | Promise<string> {
    const stated = flags.url || process.env.SVC_URL;
    return stated || askUrl(storedUrl ?? DEFAULT_URL, this.signal);
  }

  async #confirm(
    flags: ApiFlags,
    { name, url, isDefault, identity }: { name: string; url: string; isDefault: boolean; identity: Identity },
  ): Promise<void> {
    if (flags.json) {
      const stored = { profile: name, default: isDefault, server: url, key_kind: identity.keyKind };
      await print(`${JSON.stringify(stored)}\n`);
      return;
    }
    const kind = identity.keyKind ? ` (${identity.keyKind} key)` : '';
    this.note(`Logged in to ${url}${kind}, stored as profile ${name}.`);
    if (!isDefault) this.note(`Use it with --profile ${name} or SVC_PROFILE=${name}.`);
  }
}

/** A key that may only ship logs is worth storing; one that is refused for where it comes from is not. */
function refuseUnusable({ keyKind, brands, refusal }: Identity, brand: string | undefined): void {
  if (brands === null && keyKind !== 'ingest') {
    throw new CommandError('not_allowed', refusal ?? 'The key may not read.', { status: 403 });
  }
  if (brand === undefined || brands === null || brands.some(({ id }) => id === brand)) return;
  const ids = brands.map(({ id }) => id);
  throw new CommandError('not_found', `The key sees no brand ${brand}.${suggestion(brand, ids)}`);
}
