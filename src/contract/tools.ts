/** Every MCP tool, by name. A tool that is not here does not exist. */

import { runFactCheck } from './reads/run-fact-check.js';
import { tagGroups } from './reads/tag-groups.js';
import { type Resources, resources } from './registry.js';
import type { Infer } from './schema.js';
import type { InferArguments } from './tools/arguments.js';
import { type ToolResources, toolResources } from './tools/registry.js';

/** Tools that belong to a read of another name, and stand behind it. */
const followers = [tagGroups, runFactCheck] as const;

type Definition =
  | Resources[keyof Resources]
  | ToolResources[keyof ToolResources]
  | (typeof followers)[number];

export type Tools = { readonly [D in Definition as D['tool']]: D };
export type ToolName = keyof Tools;

/** A tool per read, first those with a REST twin, in the order of `tools/list`. */
export const tools = Object.fromEntries(
  [...Object.values(resources), ...Object.values(toolResources)]
    .flatMap((read): readonly Definition[] => [
      read,
      ...followers.filter(({ follows }) => follows === read.name),
    ])
    .map((definition) => [definition.tool, definition]),
) as Tools;

export const toolNames = Object.keys(tools) as ToolName[];

/** What a caller may give a tool. */
export type ToolArgumentsOf<N extends ToolName> = InferArguments<Tools[N]['params']>;
/** What a tool gives: the JSON of its text block. */
export type ToolPayloadOf<N extends ToolName> = Infer<Tools[N]['response']>;
