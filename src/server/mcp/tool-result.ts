/** Calls a tool and writes its result, errors included. */
import { refusalOf } from '../errors.js';
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
      const request = { requestId: call.requestId, tool: tool.name };
      const { message, extra, status, code } = refusalOf(error, request, log);
      const text = JSON.stringify({ error: message, ...extra });
      const _meta = { status, code };
      return [JSON.stringify({ content: [{ type: 'text', text }], isError: true, _meta })];
    }
  };
}
