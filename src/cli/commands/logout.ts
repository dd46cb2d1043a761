import { ApiCommand } from '../base/api-command.js';
import { CommandError } from '../command-error.js';
import { forget } from '../completion/cache.js';
import { cacheFolder } from '../connection/folders.js';
import {
  currentProfile,
  isDemoProfile,
  type Profiles,
  profileNamed,
  readProfiles,
  removeProfile,
} from '../connection/profiles.js';
import { profileName, serverAddress } from '../connection/settings.js';
import { print } from '../render/terminal.js';
import { suggestion } from '../suggestion.js';

export default class Logout extends ApiCommand {
  static override inHelp = { group: 'SETUP', place: 6 };
  static override summary = 'Delete a stored server and its key';
  static override description = 'Only the stored profile is deleted; the key itself stays valid.';
  static override examples = ['<%= config.bin %> logout', '<%= config.bin %> logout --profile work'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Logout);
    this.applyFlags(flags);
    const folder = this.config.configDir;
    const stored = readProfiles(folder);
    const name = profileName(flags, process.env, stored);
    const known = name === undefined ? undefined : profileNamed(stored, name);
    const removed = name !== undefined && removeProfile(folder, name);
    if (known) forget(cacheFolder(), serverAddress(known.url));
    if (!removed && flags.profile) {
      const near = suggestion(flags.profile, Object.keys(stored.profiles));
      throw new CommandError('usage', `No profile ${flags.profile} is stored.${near}`);
    }
    if (flags.json) await print(`${JSON.stringify({ profile: name ?? null, removed })}\n`);
    else this.note(removed ? `Forgot profile ${name}.` : 'Nothing was stored.');
    if (removed && currentProfile(stored) === name) this.#noteCurrent(readProfiles(folder));
    if (process.env.SVC_API_KEY) this.note('SVC_API_KEY is set and is still used.');
  }

  /** Which profile commands use after the one that they used is gone. */
  #noteCurrent(left: Profiles): void {
    const first = Object.keys(left.profiles).find((name) => !isDemoProfile(name));
    const current = currentProfile(left);
    if (current !== undefined)
      this.note(`Commands use profile ${current} (${left.profiles[current]!.url}) now.`);
    else if (first !== undefined)
      this.note(
        `No profile is the default now: \`${this.config.bin} profiles use ${first}\` makes it ${first}.`,
      );
  }
}
