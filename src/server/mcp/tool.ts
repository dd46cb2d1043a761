/** What a tool is to the endpoint: how it presents itself, and what a call of it does. */
import type { Access } from '../accounts/access.js';
import type { JsonSchema } from '../schemas.js';

/** A call as it reaches a tool: who calls, and what came as its arguments, unchecked. */
export interface ToolCall {
  readonly access: Access;
  readonly arguments: unknown;
  /** Of the HTTP request, for the log. */
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
   * The payload as JSON text.
   * @throws RefusedError: the call is answered with `isError` and the refusal's body.
   */
  call(call: ToolCall): Promise<string>;
}
