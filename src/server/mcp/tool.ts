/** The interface of a tool: its entry in tools/list, and its call. */
import type { Access } from '../accounts/access.js';
import type { JsonSchema } from '../json-schema.js';

/** A call of a tool: the caller, and the arguments, not yet checked. */
export interface ToolCall {
  readonly access: Access;
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
  readonly arguments: unknown;
  /** The id of the HTTP request, for the log. */
  readonly requestId: string;
}

/** Hints for clients that ask their user before a call. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export const READS_ONLY: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Annotations;
  /**
   * Returns the payload as JSON text.
   * @throws RefusedError: the result has `isError` and the refusal's body.
   */
  call(call: ToolCall): Promise<string>;
}
