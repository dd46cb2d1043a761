/** Calls a tool and writes its result, errors included. */
import { bodyOf, refusalOf } from '../errors.js';
import type { Logger } from '../log.js';
import type { Chunks } from './framing.js';
import { createResults } from './results.js';
import type { Tool, ToolCall } from './tool.js';

/** Calls a tool and returns the result as it is sent. */
export type Calls = (tool: Tool, call: ToolCall, structured: boolean) => Promise<Chunks>;

/** The result contains the payload as a text block, and also as an object if the client supports that. */
export function createCalls(log: Logger): Calls {
  const resultOf = createResults();
  return async (tool, call, structured) => {
    try {
      return [resultOf(await tool.call(call), structured)];
    } catch (error) {
      const refusal = refusalOf(error, { requestId: call.requestId, tool: tool.name }, log);
      const text = JSON.stringify(bodyOf(refusal));
      const _meta = { status: refusal.status };
      return [JSON.stringify({ content: [{ type: 'text', text }], isError: true, _meta })];
    }
  };
}
