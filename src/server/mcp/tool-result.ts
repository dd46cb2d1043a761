/** From a call of a tool to its result: the one place of this surface where an error becomes words for the caller. */
import { errors, type Refusal } from '../../contract/errors.js';
import { bodyOf, isDatabaseUnavailable, RefusedError } from '../errors.js';
import type { Logger } from '../log.js';
import type { Tool, ToolCall } from './tool.js';

/** Exactly one text block with the payload; beside it the same as an object where the client knows what that is. */
export async function callTool(tool: Tool, call: ToolCall, structured: boolean, log: Logger) {
  try {
    const text = await tool.call(call);
    return { ...textResult(text), ...(structured && { structuredContent: JSON.parse(text) }) };
  } catch (error) {
    return { ...textResult(JSON.stringify(bodyOf(refusalFor(error, tool, call, log)))), isError: true };
  }
}

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function refusalFor(error: unknown, { name }: Tool, { requestId }: ToolCall, log: Logger): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (isDatabaseUnavailable(error)) {
    log.warn({ requestId, tool: name, err: error }, 'database unavailable');
    return errors.databaseUnavailable();
  }
  log.error({ requestId, tool: name, err: error }, 'tool failed');
  return errors.internal(requestId);
}
