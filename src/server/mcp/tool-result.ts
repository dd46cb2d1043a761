/** Calls a tool and writes its result, errors included. */
import { LRUCache } from 'lru-cache';
import { refusalOf } from '../errors.js';
import type { Logger } from '../log.js';
import type { Chunks } from './framing.js';
import type { Tool, ToolCall } from './tools.js';

// Caches the results of tool calls as they are sent. Quoting and encoding a long payload costs more than the rest of
// its call, and the cache of reads returns the same text until the data changes.

/** Bytes for each of the two forms. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Returns the result with this payload, a JSON text: as a text block, and if it is structured as an object too. */
type Results = (payload: string, structured: boolean) => Buffer;

function createResults(): Results {
  const texts = cached((payload) => `{"content":${blocks(payload)}}`);
  const objects = cached((payload) => `{"content":${blocks(payload)},"structuredContent":${payload}}`);
  return (payload, structured) => (structured ? objects : texts)(payload);
}

/** The payload as the only text block: JSON in a JSON string. */
const blocks = (payload: string): string => `[{"type":"text","text":${JSON.stringify(payload)}}]`;

function cached(write: (payload: string) => string): (payload: string) => Buffer {
  const kept = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes, payload) => bytes.length + payload.length,
  });
  const make = (payload: string): Buffer => {
    const bytes = Buffer.from(write(payload));
    kept.set(payload, bytes);
    return bytes;
  };
  return (payload) => kept.get(payload) ?? make(payload);
}

/** Calls a tool and returns the result as it is sent. */
type Calls = (tool: Tool, call: ToolCall, structured: boolean) => Promise<Chunks>;

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
