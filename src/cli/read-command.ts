import type { ListName, ResourceName, ResponseOf } from '../contract/registry.js';
import { resources } from '../contract/registry.js';
import type { CallOptions } from '../sdk/call-options.js';
import type { SvcClient } from '../sdk/client.js';
import { ApiCommand, type ApiFlags } from './api-command.js';
import { formatFlag } from './flags.js';
import type { Format } from './format.js';
import { print } from './output.js';
import { scorecard } from './scorecard.js';
import type { ScorecardView } from './view.js';

export interface ReadFlags extends ApiFlags {
  readonly format?: Format;
}

/** The base of every command that prints one resource. */
export abstract class ReadCommand extends ApiCommand {
  static override baseFlags = { ...ApiCommand.baseFlags, ...formatFlag };

  protected formatOf({ json, format }: ReadFlags): Format {
    return json ? 'json' : (format ?? 'table');
  }

  /** The flags as typed on the command line; which there are follows from the contract. */
  protected async readFlags<F extends ReadFlags>(): Promise<F> {
    const { flags } = await this.parse(this.ctor);
    return flags as unknown as F;
  }

  protected footnotes(format: Format, notes: readonly string[]): void {
    if (format === 'json' || notes.length === 0) return;
    if (format === 'table' || format === 'md') this.note('');
    for (const note of notes) this.note(note);
  }
}

/** The base of reads that answer with one object: `read` gets it, `view` shows it. */
export abstract class ObjectCommand<N extends Exclude<ResourceName, ListName>> extends ReadCommand {
  protected abstract readonly resource: N;
  protected abstract readonly view: ScorecardView<ResponseOf<N>>;
  protected abstract read(svc: SvcClient, params: object, options: CallOptions): PromiseLike<ResponseOf<N>>;

  override async run(): Promise<ResponseOf<N>> {
    const flags = await this.readFlags<ReadFlags & Record<string, unknown>>();
    const format = this.formatOf(flags);
    const { params, response } = resources[this.resource];
    const svc = this.connect(this.settle(flags));
    const { brand: _, ...rest } = params;
    const given = Object.fromEntries(Object.keys(rest).map((name) => [name, flags[name]]));
    const options = { signal: this.signal };
    const data = await this.progress.during(`Reading ${this.resource} …`, this.read(svc, given, options));
    const { text, footnotes } = scorecard(format, this.view, response, data);
    await print(text);
    const { note } = data as { note?: string | null };
    this.footnotes(format, [...footnotes, ...(note ? [note] : [])]);
    return data;
  }
}
