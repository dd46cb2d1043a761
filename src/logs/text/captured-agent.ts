/** Finds the user agent among unlabelled values of a log. */
import { recogniseAgent } from '../agents/match.js';

/** `Mozilla/5.0 (…)`, `curl/8.5`: a product with its version. */
const product = /^[A-Za-z][\w.!+-]{0,63}\/v?\d/;
/** Values of other headers: `text/html,…`, `gzip, br`, `/path`, `example.com:443`, `192.0.2.1`. */
const foreign = /^(?:[a-z]+:\/\/|\/|[\d.:, ]+$|(?:application|audio|font|image|text|video|\*)\/)/i;

const isProduct = (value: string): boolean => product.test(value) && !value.startsWith('HTTP/');
const namesAgent = (value: string): boolean => !foreign.test(value) && recogniseAgent(value) !== null;

/** Whether a value can only be a user agent: it begins with a product and its version, or contains an agent. */
export const isAgentLike = (value: string): boolean => isProduct(value) || namesAgent(value);

/**
 * The value that is a user agent; empty: none. An address may be inside a user agent (`+https://…`), but a value that
 * begins with an address is a referer or a host.
 */
export function capturedAgent(values: readonly string[]): string {
  return (
    values.find((value) => value.startsWith('Mozilla/')) ??
    values.find(isProduct) ??
    values.find(namesAgent) ??
    values.find((value) => !foreign.test(value) && value.includes('/')) ??
    ''
  );
}
