import { SvcClient } from '../sdk/client.js';
import { isSvcError, type SvcError } from '../sdk/errors.js';
import type { SvcClientOptions } from '../sdk/options.js';
import { BaseCommand } from './base-command.js';
import { styled } from './colour.js';
import { CommandError } from './command-error.js';
import { serverFlags } from './flags.js';
import { nodeFetch } from './node-fetch.js';
import { Progress } from './progress.js';
import { type SettingFlags, type Settings, settingsOf } from './settings.js';
import { TOLD_FROM_MS, waitText } from './waiting.js';
import { wrapped } from './wrapped.js';

export interface ApiFlags extends SettingFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The base of every command that talks to a server. */
export abstract class ApiCommand extends BaseCommand {
  static override baseFlags = serverFlags;

  readonly #interruption = new AbortController();
  readonly #interrupt = () => this.#interruption.abort(new CommandError('interrupted', 'Interrupted.'));
  #quiet = false;
  protected progress = new Progress(false);
  /** Where notes go. */
  protected notes: { write(text: string): unknown } = process.stderr;

  /** Ends the requests of this command when the user presses Ctrl-C. */
  protected get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  protected override async init(): Promise<void> {
    await super.init();
    process.once('SIGINT', this.#interrupt);
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    process.off('SIGINT', this.#interrupt);
    await super.finally(error);
  }

  /** Takes over what the flags say about notes and progress. */
  protected applyFlags({ json, quiet }: ApiFlags): void {
    this.#quiet = quiet ?? false;
    this.progress = new Progress(!json && !quiet);
  }

  /** What the flags, the environment and the stored profile say. */
  protected settle(flags: ApiFlags): Settings {
    this.applyFlags(flags);
    return settingsOf(flags, process.env, this.config.configDir);
  }

  /** @throws CommandError `authentication` without a key, `usage` for what cannot be an address or a key. */
  protected connect(settings: Settings): SvcClient {
    return this.connectBy((options) => new SvcClient(options), settings);
  }

  /**
   * What `make` makes of the options of a client, which tells of long waits.
   * @throws CommandError as `connect`.
   */
  protected connectBy<T>(make: (options: SvcClientOptions) => T, { url, key, brand }: Settings): T {
    if (!key) {
      throw new CommandError('authentication', `No API key for ${url}.`, {
        hint: 'Store one with `svc login`, or set SVC_API_KEY.',
      });
    }
    const onRetry = (error: SvcError, wait: number) => this.#waits(error, wait);
    try {
      return make({ baseUrl: url, apiKey: key, brand, onRetry, fetch: nodeFetch });
    } catch (error) {
      if (!isSvcError(error)) throw error;
      throw new CommandError('usage', error.message, {
        hint: 'Address and key come from flags, the environment or the stored profile, in this order.',
      });
    }
  }

  #waits(error: SvcError, wait: number): void {
    const text = waitText(error, wait);
    if (this.progress.isActive) this.progress.says(text);
    else if (wait >= TOLD_FROM_MS) this.note(text);
  }

  /** Says something to people, beside the data. */
  protected note(text: string): void {
    if (this.#quiet) return;
    const lines = wrapped(text, process.stderr.columns);
    this.notes.write(lines.map((line) => `${styled(['dim'], line, process.stderr)}\n`).join(''));
  }
}
