import type { Config, Interfaces } from '@oclif/core';
import type { InferParams } from '../../contract/params.js';
import type { Read } from '../../contract/read.js';
import { type BodyOf, type ReadName, type Reads, reads } from '../../contract/registry.js';
import type { Arguments } from '../../sdk/call-options.js';
import type { ToolArgumentsOf } from '../../sdk/resources.js';
import { formatObject, type ObjectView } from '../render/object-format.js';
import { paramFlags } from './flags.js';
import { ReadCommand, type Request, type Show } from './read-command-base.js';

/** The reads with one object as their body; the others are lists, see `listCommand`. */
type ObjectName = { [N in ReadName]: Reads[N] extends { rows: string } ? never : N }[ReadName];

type RequestOf<N extends ObjectName> = Request<InferParams<Reads[N]['params']>, BodyOf<N>>;

interface ReadDefinition<N extends ObjectName, F> {
  /** Sends the request; absent: calls the tool of the read. */
  readonly request?: RequestOf<N>;
  /** Flags besides those of the contract. */
  readonly flags?: Interfaces.FlagInput<F & object>;
}

/** A read with a REST path has a method of the client, which `request` must call. */
type Requesting<N extends ObjectName> = Reads[N] extends { path: string }
  ? { readonly request: RequestOf<N> }
  : unknown;

/** How to show a read: as an object around rows, or by a function of its own. */
type Showing<N extends ObjectName, Row, F> =
  | { readonly view: ObjectView<BodyOf<N>, Row>; readonly show?: never }
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
export function readCommand<N extends ObjectName, Row, F = object>(
  name: N,
  definition: ReadDefinition<N, F> & Requesting<N> & Showing<N, Row, F>,
): ReadCommandClass {
  const { path, summary, params }: Read = reads[name];
  const { request = toolRequest(name), flags } = definition as ReadDefinition<N, F>;
  const show = showOf<N, Row, F>(definition);
  return class extends ReadCommand {
    // Accessors: with plain static properties here, the manifest of oclif lacks the flags of the base classes.
    static override get summary() {
      return summary;
    }
    static override get flags() {
      return { ...paramFlags(params), ...flags };
    }

    override run(): Promise<void> {
      return this.present<BodyOf<N> & object>({
        params,
        waiting: `Reading ${path ?? this.id} …`,
        request: request as Request<object, BodyOf<N> & object>,
        show: show as Show<BodyOf<N>>,
      });
    }
  };
}

function showOf<N extends ObjectName, Row, F>({ view, show }: Showing<N, Row, F>): Show<BodyOf<N>, F> {
  return show ?? ((format, data) => formatObject(format, view, data));
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
