/** Commands of reads, as data: flags, examples, request and output derive from the definition of the read. */
import type { Interfaces } from '@oclif/core';
import type { Read } from '../../contract/read.js';
import type { MainRow } from '../../contract/rows.js';
import type { Infer } from '../../contract/schema.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import type { Drawing } from '../render/format.js';
import type { HelpPlace } from '../root-help.js';
import { ApiCommand } from './api-command.js';
import { listFlags, readFlags, watchFlag } from './flags.js';
import { type ListPrinting, type ListRead, printList } from './list.js';
import { type ParamsOf, printRead, type ReadFlags, type ReadPrinting } from './read.js';

/** What the help says of a command beside the summary of its read. */
interface Described {
  readonly inHelp: HelpPlace;
  readonly alsoCalled?: readonly string[];
  readonly description?: string;
  /** The arguments of each example. */
  readonly examples?: readonly string[];
}

interface ReadCommand<R extends Read> extends Described, Drawing<Infer<R['response']>, MainRow<R>> {
  readonly args?: Interfaces.ArgInput;
  /** Whether an argument may have several words; if omitted, not. */
  readonly strict?: boolean;
  /** Flags beside those of the read. */
  readonly flags?: Interfaces.FlagInput;
  /** Whether it takes --watch. */
  readonly isWatched?: boolean;
  /** The method of the client; if omitted, the tool: REST does not have the read. */
  readonly request?: (svc: SvcClient, flags: ReadFlags) => RequestOf<R>;
  /** The values of the flags, with what the arguments state. */
  readonly given?: (flags: ReadFlags, argv: readonly string[]) => ReadFlags;
  readonly notes?: PrintingOf<R>['notes'];
  readonly limited?: PrintingOf<R>['limited'];
}

type PrintingOf<R extends Read> = ReadPrinting<R['params'], Infer<R['response']>, MainRow<R>>;
type RequestOf<R extends Read> = (
  params: ParamsOf<R['params']>,
  options: CallOptions,
) => PromiseLike<Infer<R['response']>>;

/** The values of the flags and arguments, as oclif declares them where their names are not known. */
type Parsed = { readonly flags: ReadFlags & { readonly limit?: number }; readonly argv: string[] };

const helpOf = (
  { summary }: Read,
  { inHelp, alsoCalled, description }: Described,
  examples: readonly string[],
) => ({
  ...{ inHelp, summary, description },
  ...(alsoCalled && { alsoCalled }),
  examples: examples.map((args) => `<%= config.bin %> <%= command.id %> ${args}`.trimEnd()),
});

/** The command of a read with one object as its body. */
export function readCommand<R extends Read>(read: R, command: NoInfer<ReadCommand<R>>): typeof ApiCommand {
  const { examples = ['', '--format csv'], args = {}, strict, isWatched, flags: own, ...view } = command;
  const { request = toolOf(read), given, notes, limited } = command;
  const made = class extends ApiCommand {
    override async run(): Promise<void> {
      const { argv, flags } = (await this.parse(this.ctor)) as Parsed;
      return printRead(this, given?.(flags, argv) ?? flags, read, {
        request: (svc, ...sent) => request(svc, flags)(...sent),
        view,
        ...(notes && { notes }),
        ...(limited && { limited }),
      });
    }
  };
  const flags = { ...readFlags(read), ...(isWatched && watchFlag), ...own };
  return Object.assign(made, {
    ...helpOf(read, command, examples),
    ...(strict === false && { strict }),
    args,
    flags,
  });
}

const toolOf =
  ({ tool }: Read) =>
  ({ tools }: SvcClient) =>
    (tools.call as (...args: unknown[]) => never).bind(tools, tool);

interface ListCommand<Row> extends Described, ListPrinting<Row> {}

/** The command of a list, which is printed as its pages arrive. */
export function listCommand<R extends ListRead>(
  read: R,
  command: NoInfer<ListCommand<MainRow<R>>>,
): typeof ApiCommand {
  const made = class extends ApiCommand {
    override async run(): Promise<void> {
      const { flags } = (await this.parse(this.ctor)) as Parsed;
      return printList(this, flags, read, command);
    }
  };
  const { examples = ['', '--all --format csv'] } = command;
  return Object.assign(made, { ...helpOf(read, command, examples), flags: listFlags(read) });
}
