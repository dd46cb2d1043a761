import { boolean, string } from '@oclif/core/flags';
import type { BrandEntry } from '../../contract/reads/brands.js';
import { ApiCommand, type ApiFlags } from '../base/api-command.js';
import { ask, readKey } from '../base/prompt.js';
import { CommandError } from '../command-error.js';
import { type Identity, identify } from '../connection/identity.js';
import {
  checkName,
  currentProfile,
  isDemoProfile,
  nameForServer,
  type Profile,
  type Profiles,
  profileNamed,
  readProfiles,
  sameOrigin,
  saveProfile,
} from '../connection/profiles.js';
import {
  checkedAddress,
  DEFAULT_URL,
  keyOfFile,
  serverAddress,
  typedSettings,
} from '../connection/settings.js';
import { brandIdOf } from '../failure/refusal.js';
import { print } from '../render/terminal.js';

export default class Login extends ApiCommand {
  static override inHelp = { group: 'SETUP', place: 1 };
  static override summary = 'Store the address of a server and your key, after checking them';
  static override description =
    'Asks for the key without showing it, or reads it from standard input. The key is stored in a file that only you ' +
    'can read. A key is never taken from an argument, where other users of the machine could see it. Commands ' +
    'use this server from then on; `<%= config.bin %> profiles use NAME` chooses another.';
  static override examples = [
    '<%= config.bin %> login',
    '<%= config.bin %> login --url https://svc.example.com --profile work < key.txt',
  ];
  static override flags = {
    brand: string({ description: 'Default brand of later commands, by id or name' }),
    default: boolean({ description: 'The default profile is always the one stored last', hidden: true }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Login);
    this.applyFlags(flags);
    const folder = this.config.configDir;
    const stored = readProfiles(folder);
    const named = flags.profile || process.env.SVC_PROFILE;
    if (named) checkFree(named);
    const url = serverAddress(await this.#url(flags, storedUrl(stored, named)));
    checkedAddress(typedSettings(url, ''));
    const name = named || nameForServer(stored, url);
    const before = profileNamed(stored, name);
    const key = keyOfFile(flags['key-file']) ?? (await readKey(this.signal));
    const svc = this.connect(typedSettings(url, key));
    const identity = await this.progress.during('Checking the key …', identify(svc, this.signal));
    refuseUnusable(identity);
    const brand = brandOf(flags.brand, identity.brands, sameServer(before, url));
    const profile = { url: svc.baseUrl, key, ...(brand !== undefined && { brand }) };
    saveProfile(folder, name, profile, true);
    await this.#confirm(flags, { name, url: svc.baseUrl, identity, stored });
  }

  /** The stated address, else the one that is typed on a terminal. */
  async #url(flags: ApiFlags, proposed = DEFAULT_URL): Promise<string> {
    const stated = flags.url || process.env.SVC_URL;
    if (stated) return stated;
    return (process.stdin.isTTY && (await ask(`Server (${proposed}): `))) || proposed;
  }

  async #confirm(flags: ApiFlags, { name, url, identity, stored }: Confirmation): Promise<void> {
    if (flags.json) {
      const saved = { profile: name, default: true, server: url, key_kind: identity.keyKind };
      await print(`${JSON.stringify(saved)}\n`);
      return;
    }
    const kind = identity.keyKind ? ` (${identity.keyKind} key)` : '';
    this.note(`Logged in to ${url}${kind}, stored as profile ${name}.`);
    const before = currentProfile(stored);
    if (before !== undefined && before !== name)
      this.note(`Commands use it from now on, and profile ${before} with --profile ${before}.`);
    if (process.env.SVC_API_KEY) this.note('SVC_API_KEY is set and is used before the key of any profile.');
  }
}

interface Confirmation {
  readonly name: string;
  readonly url: string;
  readonly identity: Identity;
  /** The stored profiles before the login. */
  readonly stored: Profiles;
}

/** Makes sure that a key may be stored under that name. A profile of the demo is reserved for the demo's own key. */
function checkFree(name: string): void {
  checkName(name);
  if (!isDemoProfile(name)) return;
  throw new CommandError(
    'usage',
    `Profile ${name} is kept for the key of \`svc demo\`: choose another name.`,
  );
}

/** The address that `login` proposes: of the named profile, else of the current one unless it is the demo's. */
function storedUrl(stored: Profiles, named: string | undefined): string | undefined {
  const name = named || currentProfile(stored);
  return name === undefined || isDemoProfile(name) ? undefined : profileNamed(stored, name)?.url;
}

const sameServer = (before: Profile | undefined, url: string): Profile | undefined =>
  before && sameOrigin(before.url, url) ? before : undefined;

/** @throws CommandError `not_allowed` for a key that may neither read nor ship logs, for example by its allowlist. */
function refuseUnusable({ keyKind, brands, refusal }: Identity): void {
  if (brands === null && keyKind !== 'ingest') {
    throw new CommandError('not_allowed', refusal ?? 'The key may not read.', { status: 403 });
  }
}

/** The brand to store: the one of --brand, else the stored brand of the same server if the key may read it. */
function brandOf(
  named: string | undefined,
  brands: readonly BrandEntry[] | null,
  before: Profile | undefined,
): string | undefined {
  if (brands === null) return named ?? before?.brand;
  if (named !== undefined) return brandIdOf(named, brands, '--brand');
  return brands.find(({ id }) => id === before?.brand)?.id;
}
