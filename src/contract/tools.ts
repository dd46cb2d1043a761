/** Every MCP tool, by name, and its arguments. */
import type { InferParams, Params, paging } from './params.js';
import { runFactCheck } from './reads/run-fact-check.js';
import { tagGroups } from './reads/tag-groups.js';
import { type ReadName, type Reads, readNames, reads } from './registry.js';
import type { Infer } from './schema.js';

/** Tools in addition to those of the reads; `tools/list` has each after the tool of the read that it follows. */
const followers = [tagGroups, runFactCheck] as const;

type Definition = Reads[keyof Reads] | (typeof followers)[number];

export type Tools = { readonly [D in Definition as D['tool']]: D };
export type ToolName = keyof Tools;

/** The reads that an agent needs in its first minute: how the brand is, what moved, why, and what to do. `tools/list` begins with them. */
const firstReads: readonly ReadName[] = ['briefing', 'brands', 'overview', 'why', 'moves', 'gaps'];

/** A tool per read and the followers, in the order of `tools/list`. */
export const tools = Object.fromEntries(
  [...new Set([...firstReads, ...readNames])]
    .map((name) => [name, reads[name]] as const)
    .flatMap(([name, read]): readonly Definition[] => [
      read,
      ...followers.filter(({ follows }) => follows === name),
    ])
    .map((definition) => [definition.tool, definition]),
) as Tools;

/** The read of a tool: its own, or the read of whose body it returns a part. */
export const readOfTool = (definition: Definition): ReadName =>
  'follows' in definition
    ? definition.follows
    : readNames.find((name) => reads[name].tool === definition.tool)!;

export const toolNames = Object.keys(tools) as ToolName[];

/** The one parameter that has another name in tools than in query strings. */
export const BRAND_ARGUMENT = 'brand_id';
const BRAND = 'brand';
/** Tools return the unpaged body, never pages. */
const PAGING: readonly (keyof typeof paging)[] = ['cursor', 'limit'];

type PagingName<P> = P extends { readonly cursor: unknown } ? keyof typeof paging : never;
type ArgumentName<K, P> = K extends typeof BRAND ? typeof BRAND_ARGUMENT : Exclude<K, PagingName<P>>;
type InferArguments<P> = InferParams<{ [K in keyof P as ArgumentName<K, P>]: P[K] }>;

export type ToolArgumentsOf<N extends ToolName> = InferArguments<Tools[N]['params']>;
/** The result of a tool: the JSON of its text block. */
export type ToolPayloadOf<N extends ToolName> = Infer<Tools[N]['response']>;

/** The arguments that a tool declares, from the parameters of its read. */
export function toolArguments(params: Params): Params {
  const left = 'cursor' in params ? (PAGING as readonly string[]) : [];
  const entries = Object.entries(params).filter(([name]) => !left.includes(name));
  return Object.fromEntries(
    entries.map(([name, param]) => [name === BRAND ? BRAND_ARGUMENT : name, param] as const),
  );
}
