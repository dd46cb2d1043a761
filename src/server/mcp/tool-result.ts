/** Calls a tool and writes its result, errors included. */
import { bodyOf, refusalOf } from '../errors.js';
import type { Logger } from '../log.js';
import type { Chunks } from './framing.js';
import { createPayloads } from './payloads.js';
import type { Tool, ToolCall } from './tool.js';

/** Calls a tool and returns the result as it is sent. */
export type Calls = (tool: Tool, call: ToolCall, structured: boolean) => Promise<Chunks>;

/** The result contains the payload as a text block, and also as an object if the client supports that. */
export function createCalls(log: Logger): Calls {
  const payloads = createPayloads();
  return async (tool, call, structured) => {
    try {
      const { quoted, plain } = payloads.of(await tool.call(call));
      return structured ? [OPEN, quoted, STRUCTURED, plain, END] : [OPEN, quoted, TEXT_ONLY];
    } catch (error) {
      const refusal = refusalOf(error, { requestId: call.requestId, tool: tool.name }, log);
      const text = JSON.stringify(bodyOf(refusal));
      const _meta = { status: refusal.status };
      return [Buffer.from(JSON.stringify({ content: [{ type: 'text', text }], isError: true, _meta }))];
    }
  };
}

const OPEN = Buffer.from('{"content":[{"type":"text","text":');
const TEXT_ONLY = Buffer.from('}]}');
const STRUCTURED = Buffer.from('}],"structuredContent":');
const END = Buffer.from('}');
