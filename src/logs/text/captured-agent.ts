/** The user agent among headers that a proxy captured, of which only the values are logged. */
import { recogniseAgent } from '../agents/match.js';

/** `Mozilla/5.0 (…)`, `curl/8.5`: a product with its version. */
const product = /^[A-Za-z][\w.!+-]{0,63}\/v?\d/;
/** `text/html,…`, `gzip, br`, `/path`, `example.com:443`, `192.0.2.1`: what other headers hold. */
const foreign = /^(?:[a-z]+:\/\/|\/|[\d.:, ]+$|(?:application|audio|font|image|text|video|\*)\/)/i;

/** Whether a value has the form of a user agent: it begins with a product and its version, and is no protocol. */
export const isProduct = (value: string): boolean => product.test(value) && !value.startsWith('HTTP/');

/**
 * The value that is a user agent, empty where none is. Bots state an address (`+https://…`) within it; a referer or a
 * host begins with one.
 */
export function capturedAgent(values: readonly string[]): string {
  return (
    values.find((value) => value.startsWith('Mozilla/')) ??
    values.find(isProduct) ??
    values.find((value) => !foreign.test(value) && recogniseAgent(value) !== null) ??
    values.find((value) => !foreign.test(value) && value.includes('/')) ??
    ''
  );
}
