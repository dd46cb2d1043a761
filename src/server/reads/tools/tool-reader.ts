/** What a reader of a tool without a REST twin is. */
import type {
  ParsedToolParamsOf,
  ToolResourceName,
  ToolResponseOf,
} from '../../../contract/tools/registry.js';
import type { ReadScope } from '../reader.js';

/** Computes a payload as the contract has it, in the contract's own names. */
export type ToolReader<N extends ToolResourceName> = (
  scope: ReadScope,
  params: ParsedToolParamsOf<N>,
) => Promise<ToolResponseOf<N>>;
