/** The headers of revision 2026-07-28, in which a request repeats what its body says. The server checks them, the bridge writes them. */

export const METHOD_HEADER = 'Mcp-Method';
export const NAME_HEADER = 'Mcp-Name';

/** The methods whose header `Mcp-Name` repeats `params.name`. */
export const NAMED_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** The key of `params._meta` in which a request states its revision. */
export const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** The key in which a request states what its client can do. The server asks nothing of clients, but the revision requires it. */
export const CAPABILITIES_META = 'io.modelcontextprotocol/clientCapabilities';

/** The revision that the parameters of a request state, whatever its type; undefined if they state none. */
export function statedVersion(params: unknown): unknown {
  const meta: unknown = Object(params)._meta;
  return Object.hasOwn(Object(meta), VERSION_META) ? Object(meta)[VERSION_META] : undefined;
}

const BASE64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const PLAIN = /^[\x21-\x7e]+$/;
const PREFIX = '=?base64?';

/** A name as the value of a header: as it is if it has visible ASCII characters alone. */
export function encodeName(name: string): string {
  if (PLAIN.test(name) && !name.startsWith(PREFIX)) return name;
  const bytes = new TextEncoder().encode(name);
  return `${PREFIX}${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}

/** The name in the value of a header; undefined for an encoded one that is not base64 of UTF-8. */
export function decodeName(value: string): string | undefined {
  if (!value.startsWith(PREFIX)) return value;
  const [, base64] = BASE64.exec(value) ?? [];
  if (base64 === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
