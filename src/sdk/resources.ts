/** The types of parameters and results, by the names of reads and tools. */
import type {
  ArgumentTypes,
  PageTypes,
  ParamTypes,
  PayloadTypes,
  ResponseTypes,
  RowTypes,
  TopParamTypes,
} from './types.js';

/** The reads that REST serves, by their path below /api/v1. */
export type ResourceName = keyof ResponseTypes;
/** The resources that can be read in pages. */
export type ListName = keyof PageTypes;
/** The tools of the server's MCP endpoint. */
export type ToolName = keyof PayloadTypes;

/** The result of a read. */
export type ResponseOf<N extends ResourceName> = ResponseTypes[N];
/** A page of a list: the envelope with the cursor of the next page. */
export type PageOf<N extends ListName> = PageTypes[N];
/** One row of a list. */
export type RowOf<N extends ListName> = RowTypes[N];
/** The parameters of a read, for a list with those of pages. */
export type ParamsOf<N extends ResourceName> = ParamTypes[N];
/** Parameters of the unpaged read. */
export type TopParamsOf<N extends ResourceName> = N extends ListName ? TopParamTypes[N] : ParamTypes[N];

/** The arguments of a tool. */
export type ToolArgumentsOf<N extends ToolName> = ArgumentTypes[N];
/** The payload of a tool. */
export type ToolPayloadOf<N extends ToolName> = PayloadTypes[N];
