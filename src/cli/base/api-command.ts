import type { Interfaces } from '@oclif/core';
import { printable } from '../../contract/printable.js';
import { SvcClient } from '../../sdk/client.js';
import { isSvcError, type SvcError } from '../../sdk/errors.js';
import type { SvcClientOptions } from '../../sdk/options.js';
import { CommandError } from '../command-error.js';
import { describing, fetchAs, fromServer } from '../connection/fetch.js';
import {
  checkedAddress,
  requiredKey,
  type SettingFlags,
  type Settings,
  settingsOf,
  sourceText,
} from '../connection/settings.js';
import type { Token, TypedParameter } from '../failure/refusal.js';
import { NOTED_FROM_MS, Progress, waitText } from '../progress/progress.js';
import { styled, wrapped } from '../render/terminal.js';
import { BaseCommand } from './base-command.js';
import { serverFlags, withInterval } from './flags.js';

export interface ApiFlags extends SettingFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

/** The values of flags or arguments. `any`, because oclif declares them so. */
// biome-ignore lint/suspicious/noExplicitAny: the type parameters of oclif have this bound
type Values = { [name: string]: any };

const isFailure = (error: Error): boolean => isSvcError(error) || error instanceof CommandError;

/** The base of every command that connects to a server. */
export abstract class ApiCommand extends BaseCommand {
  static override baseFlags = serverFlags;

  readonly #aborter = new AbortController();
  readonly #interrupt = () => this.#aborter.abort(new CommandError('interrupted', 'Interrupted.'));
  #quiet = false;
  #debug = false;
  #settings: Settings | undefined;
  #tokens: readonly Token[] = [];
  /** The id of the brand that the settings name by its name. */
  #brandId: string | undefined;
  /** Whether the command may run a second time after the server refused its first request. */
  protected readonly repeatable: boolean = true;
  progress = new Progress(false);
  notes: { write(text: string): unknown } = process.stderr;

  /** Ends the requests of this command when the user presses Ctrl-C. */
  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** The address in use; undefined before the settings are known. */
  get server(): string | undefined {
    return this.#settings?.url;
  }

  /** The User-Agent header: `svc/0.1.0 (node v20.20.2; linux x64)`. */
  get userAgent(): string {
    return `svc/${this.config.version} (node ${process.version}; ${process.platform} ${process.arch})`;
  }

  protected override async init(): Promise<void> {
    await super.init();
    process.once('SIGINT', this.#interrupt);
  }

  /** Keeps what was typed, for the errors of the API. */
  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Interfaces.Input<F, B, A>,
    argv = this.argv,
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const output = await super.parse(options, options?.flags?.watch ? withInterval(argv) : argv);
    this.#tokens = output.raw;
    return output;
  }

  /**
   * Adds the source of the refused value to a failure. If the server does not know a brand, looks it up by its name, and runs
   * the command again with its id.
   */
  protected override async catch(error: Error): Promise<unknown> {
    const settings = this.#settings;
    if (settings === undefined || this.signal.aborted) return super.catch(error);
    const { isUnknownBrand, namedByName, typedParameters, withSource } = await import(
      '../failure/refusal.js'
    );
    const typed = typedParameters(this.#tokens);
    const id = isUnknownBrand(error) ? await this.#idOfBrand(error, settings, typed) : undefined;
    if (id === undefined) {
      const explained = isFailure(error) ? withSource(error, settings, typed) : error;
      return super.catch(explained);
    }
    if (!this.repeatable || this.#brandId !== undefined) throw namedByName(id);
    this.#brandId = id;
    try {
      return await this.run();
    } catch (again) {
      return this.catch(again as Error);
    }
  }

  /**
   * @returns Undefined if the key may not list brands, or the server does not respond.
   * @throws CommandError as `resolveBrand`.
   */
  async #idOfBrand(
    refusal: Error,
    settings: Settings,
    typed: readonly TypedParameter[],
  ): Promise<string | undefined> {
    const { resolveBrand } = await import('../failure/refusal.js');
    try {
      const { brands } = await this.connect(settings).brands.top(undefined, { signal: this.signal });
      return resolveBrand(refusal, settings, brands, typed);
    } catch (failure) {
      if (isSvcError(failure)) return undefined;
      throw failure;
    }
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    process.off('SIGINT', this.#interrupt);
    // Of several requests at once one may have failed while others wait for a retry: they would keep the process running.
    if (error) this.#aborter.abort(error);
    await super.finally(error);
  }

  applyFlags({ json, quiet, debug }: ApiFlags): void {
    this.#quiet = quiet ?? false;
    this.#debug = debug ?? false;
    this.progress = new Progress(!json && !quiet);
  }

  /** The settings from the flags, the environment and the stored profile. */
  settle(flags: ApiFlags): Settings {
    this.applyFlags(flags);
    const settings = settingsOf(flags, process.env, this.config.configDir);
    this.#settings = this.#brandId === undefined ? settings : { ...settings, brand: this.#brandId };
    return this.#settings;
  }

  /** @throws CommandError `usage` for an invalid address or key, `authentication` without a key. */
  connect(settings: Settings): SvcClient {
    return this.connectBy((options) => new SvcClient(options), settings);
  }

  /** The fetch of this command, which sends its User-Agent and, with --debug, describes every response. */
  fetch(): typeof globalThis.fetch {
    const plain = fetchAs(this.userAgent);
    return this.#debug ? describing(plain, (line) => process.stderr.write(`${printable(line)}\n`)) : plain;
  }

  /**
   * Calls `make` with the options of a client, which reports long waits.
   * @throws CommandError as `connect`.
   */
  connectBy<T>(make: (options: SvcClientOptions) => T, settings: Settings): T {
    this.#settings = settings;
    const baseUrl = checkedAddress(settings);
    const apiKey = requiredKey(settings);
    const onRetry = (error: SvcError, wait: number) => this.#onRetry(error, wait);
    try {
      return make({
        baseUrl,
        apiKey,
        brand: settings.brand,
        onRetry,
        fetch: fromServer(this.fetch()),
      });
    } catch (error) {
      if (!isSvcError(error)) throw error;
      throw new CommandError(
        'usage',
        `The key from ${sourceText(settings.sources.key ?? '', settings.sources)} contains invalid characters.`,
      );
    }
  }

  #onRetry(error: SvcError, wait: number): void {
    const text = waitText(error, wait);
    if (this.progress.isActive) this.progress.update(text);
    else if (wait >= NOTED_FROM_MS) this.note(text);
  }

  /** Prints a note on standard error, unless --quiet is set. */
  note(text: string): void {
    if (this.#quiet) return;
    const lines = wrapped(printable(text), process.stderr.columns);
    this.notes.write(lines.map((line) => `${styled(['dim'], line, process.stderr)}\n`).join(''));
  }
}
