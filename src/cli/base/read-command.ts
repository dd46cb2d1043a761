/** Commands of reads, as data: flags, examples, request and output derive from the definition of the read. */
import type { Interfaces } from '@oclif/core';
import type { Params } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import type { MainRow } from '../../contract/rows.js';
import type { Infer } from '../../contract/schema.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import type { Document } from '../render/document.js';
import type { Drawing } from '../render/format.js';
import type { TableView } from '../render/view.js';
import type { HelpPlace } from '../root-help.js';
import { ApiCommand } from './api-command.js';
import { listFlags, readFlags, watchFlag } from './flags.js';
import { type ListPrinting, type ListRead, printList } from './list.js';
import { type ParamsOf, printRead, type ReadFlags, type ReadPrinting, type ReadShape } from './read.js';

/** What the help says of a command beside the summary of its read. */
interface Described {
  readonly inHelp: HelpPlace;
  readonly alsoCalled?: readonly string[];
  readonly description?: string;
  /** The arguments of each example. */
  readonly examples?: readonly string[];
}

/** A read with the sentence of its help. */
type DescribedRead = ReadShape & Pick<Read, 'summary'> & Partial<Pick<Read, 'tool'>>;

/** A drawing that may depend on the flags. */
interface FlaggedDrawing<Data, Row> extends Omit<Drawing<Data, Row>, 'table' | 'draw'> {
  readonly table: TableView<Row> | ((data: Data, flags: ReadFlags) => TableView<Row>);
  readonly draw?: (data: Data, document: Document, flags: ReadFlags) => void;
}

interface ReadCommand<P extends Params, Data, Row>
  extends Described,
    FlaggedDrawing<Data, Row>,
    Pick<ReadPrinting<P, Data, Row>, 'notes' | 'limited' | 'waiting'> {
  readonly args?: Interfaces.ArgInput;
  /** Whether an argument may have several words; if omitted, not. */
  readonly strict?: boolean;
  /** Flags beside those of the read. */
  readonly flags?: Interfaces.FlagInput;
  /** Whether it takes --watch. */
  readonly isWatched?: boolean;
  /** The method of the client; if omitted, the tool: REST does not have the read. */
  readonly request?: (
    svc: SvcClient,
    flags: ReadFlags,
  ) => (params: ParamsOf<P>, options: CallOptions) => PromiseLike<Data>;
  /** The values of the flags, with what the arguments state. */
  readonly given?: (flags: ReadFlags, argv: readonly string[]) => ReadFlags;
}

/** The values of the flags and arguments, as oclif declares them where their names are not known. */
type Parsed = { readonly flags: ReadFlags & { readonly limit?: number }; readonly argv: string[] };

const helpOf = (
  { summary }: Pick<Read, 'summary'>,
  { inHelp, alsoCalled, description }: Described,
  examples: readonly string[],
) => ({
  inHelp,
  summary,
  description,
  ...(alsoCalled && { alsoCalled }),
  examples: examples.map((args) => `<%= config.bin %> <%= command.id %> ${args}`.trimEnd()),
});

/** The command of a read with one object as its body. */
export const readCommand = <R extends DescribedRead>(
  read: R,
  command: NoInfer<ReadCommand<R['params'], Infer<R['response']>, MainRow<R>>>,
): typeof ApiCommand => commandOf<Params, object, object>(read, command as never);

function commandOf<P extends Params, Data extends object, Row>(
  read: DescribedRead & { readonly params: P },
  command: ReadCommand<P, Data, Row>,
): typeof ApiCommand {
  const { examples = ['', '--format csv'], args = {}, strict, isWatched, flags: own, table, draw } = command;
  const { request = toolOf(read), given } = command;
  const made = class extends ApiCommand {
    override async run(): Promise<void> {
      const { argv, flags: parsed } = (await this.parse(this.ctor)) as Parsed;
      const flags = given?.(parsed, argv) ?? parsed;
      const view: Drawing<Data, Row> = {
        ...command,
        table: (data) => (typeof table === 'function' ? table(data, flags) : table),
        draw: draw && ((data, document) => draw(data, document, flags)),
      };
      const send = (svc: SvcClient, ...sent: [ParamsOf<P>, CallOptions]) => request(svc, flags)(...sent);
      await printRead(this, flags, read, { ...command, request: send, view });
    }
  };
  const flags = { ...readFlags(read), ...(isWatched && watchFlag), ...own };
  const parsing = { ...(strict === false && { strict }), args, flags };
  return Object.assign(made, { ...helpOf(read, command, examples), ...parsing });
}

const toolOf =
  ({ tool }: DescribedRead) =>
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
