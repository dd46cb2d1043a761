import type { Config } from '@oclif/core';
import { type ToolName, tools } from '../../contract/tools.js';
import type { Arguments } from '../../sdk/call-options.js';
import type { ToolArgumentsOf, ToolPayloadOf } from '../../sdk/resources.js';
import { type SheetView, sheet } from '../render/object-format.js';
import { paramFlags } from './flags.js';
import { ReadCommand } from './read-command.js';

/** What such a class makes. */
export interface ToolCommand extends ReadCommand {
  run(): Promise<unknown>;
}
type ToolCommandClass = Omit<typeof ReadCommand, 'prototype'> &
  (new (
    argv: string[],
    config: Config,
  ) => ToolCommand);

/** The class of a command that prints what one tool gives; summary and flags come from the catalog. */
export function toolCommand<N extends ToolName, Row>(
  tool: N,
  view: SheetView<ToolPayloadOf<N>, Row>,
): ToolCommandClass {
  const { summary, params } = tools[tool];
  return class extends ReadCommand {
    // Accessors: where plain statics stand on a class between, oclif's manifest misses those of the classes above it.
    static override get summary() {
      return summary;
    }
    static override get flags() {
      return paramFlags(params);
    }

    override run(): Promise<ToolPayloadOf<N>> {
      return this.present<ToolPayloadOf<N>>({
        params,
        waiting: `Reading ${this.id} …`,
        ask: ({ svc, params: given, options }) =>
          svc.tools.call(tool, ...([given, options] as unknown as Arguments<ToolArgumentsOf<N>>)),
        show: (format, payload) => sheet(format, view, payload),
      });
    }
  };
}
