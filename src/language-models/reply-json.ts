/**
 * The JSON in the text of a model's reply; undefined: the text is not JSON. Some models put a code fence around it, although
 * the request asks for JSON alone.
 */
export function replyJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/, '$1'));
  } catch {
    return undefined;
  }
}
