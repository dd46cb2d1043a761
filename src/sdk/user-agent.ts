/** The version of this package; a test compares it with package.json. */
export const SDK_VERSION = '0.1.0';

/**
 * The User-Agent of requests on Node, Bun and Deno. Undefined in browsers, which name themselves: there the header would
 * be dropped, or refused by CORS.
 */
export const userAgent = (): string | undefined =>
  globalThis.process?.versions?.node && !('document' in globalThis)
    ? `answer-visibility-sdk/${SDK_VERSION}`
    : undefined;
