import type { Config, Interfaces } from '@oclif/core';
import type { InferParams } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import { type BodyOf, type ReadName, type Reads, reads } from '../../contract/registry.js';
import { type MainRowOf, mainRowSchema } from '../../contract/rows.js';
import type { Arguments } from '../../sdk/call-options.js';
import type { ToolArgumentsOf } from '../../sdk/resources.js';
import type { Format } from '../render/format.js';
import { type Drawing, formatObject, viewOfRead } from '../render/object-format.js';
import { paramFlags } from './flags.js';
import { objectOutputFlags, watchFlag } from './output-flags.js';
import { ReadCommand, type Request, type Show } from './read-command-base.js';

/** The reads with one object as their body; the others are lists, see `listCommand`. */
type ObjectName = { [N in ReadName]: Reads[N] extends { rows: string } ? never : N }[ReadName];

type RequestOf<N extends ObjectName> = Request<InferParams<Reads[N]['params']>, BodyOf<N>>;

interface ReadDefinition<N extends ObjectName, F> {
  /** Sends the request; absent: calls the tool of the read. */
  readonly request?: RequestOf<N>;
  /** Flags besides those of the contract. */
  readonly flags?: Interfaces.FlagInput<F & object>;
  /** Whether --watch is a flag: for reads that change while one looks at them. */
  readonly watch?: boolean;
  /** The notes below the output; absent: the note in the data. */
  readonly notes?: (data: BodyOf<N>, format: Format) => readonly string[];
}

/** A read with a REST path has a method of the client, which `request` must call. */
type Requesting<N extends ObjectName> = Reads[N] extends { path: string }
  ? { readonly request: RequestOf<N> }
  : unknown;

/** How to show a read: as an object around rows, or by a function of its own. */
type Showing<N extends ObjectName, F> =
  | { readonly view: Drawing<BodyOf<N>, MainRowOf<N>>; readonly show?: never }
  | { readonly show: Show<BodyOf<N>, F>; readonly view?: never };

/** An instance of a command class that a factory returns. */
interface RunnableRead extends ReadCommand {
  run(): Promise<void>;
}
/** An exported type, because a declaration file cannot describe a class expression with protected members. */
export type ReadCommandClass = Omit<typeof ReadCommand, 'prototype'> &
  (new (
    argv: string[],
    config: Config,
  ) => RunnableRead);

/**
 * The base class of a command that prints a read with one object as its body. Summary, flags, parameters and the text of
 * the spinner come from the contract.
 * @param name The read in the registry of the contract.
 */
export function readCommand<N extends ObjectName, F = object>(
  name: N,
  definition: ReadDefinition<N, F> & Requesting<N> & Showing<N, F>,
): ReadCommandClass {
  const { path, summary, params, response }: Read = reads[name];
  const { request = toolRequest(name), flags, watch, notes } = definition as ReadDefinition<N, F>;
  const { show, row } = showingOf<N, F>(name, definition);
  return class extends ReadCommand {
    // Accessors: with plain static properties here, the manifest of oclif lacks the flags of the base classes.
    static override get summary() {
      return summary;
    }
    static override get flags() {
      return {
        ...paramFlags(params),
        ...objectOutputFlags(response, row),
        ...(watch && watchFlag),
        ...flags,
      };
    }

    override run(): Promise<void> {
      return this.present<BodyOf<N> & object>({
        params,
        waiting: `Reading ${path ?? this.id} …`,
        request: request as Request<object, BodyOf<N> & object>,
        show: show as Show<BodyOf<N>>,
        row,
        response,
        ...(notes && { notes }),
      });
    }
  };
}

function showingOf<N extends ObjectName, F>(name: N, given: Showing<N, F>) {
  const { view, show } = given;
  if (show) return { show, row: mainRowSchema(reads[name]) };
  const whole = viewOfRead(name, view);
  const shown: Show<BodyOf<N>, F> = (format, data, { picked }) => formatObject(format, whole, data, picked);
  return { show: shown, row: whole.schema };
}

/** Calls the tool of the read. Its payload has the same type as the body of the read. */
const toolRequest =
  <N extends ObjectName>(name: N): RequestOf<N> =>
  (svc, params, options) => {
    type Given = Arguments<ToolArgumentsOf<Reads[N]['tool']>>;
    const payload = svc.tools.call<Reads[N]['tool']>(
      reads[name].tool,
      ...([params, options] as unknown as Given),
    );
    return payload as unknown as PromiseLike<BodyOf<N>>;
  };
