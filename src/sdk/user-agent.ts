/** The version of this package; a test compares it with package.json. */
export const SDK_VERSION = '0.1.0';

/**
 * The header that names the client, on Node, Bun and Deno. Browsers name themselves: there the header would be dropped,
 * or refused by CORS.
 */
export const userAgent = (): Readonly<Record<string, string>> =>
  globalThis.process?.versions?.node && !('document' in globalThis)
    ? { 'User-Agent': `answer-visibility-sdk/${SDK_VERSION}` }
    : {};
