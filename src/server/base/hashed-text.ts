import { hash } from 'node:crypto';

/** A UUID of version 8 (RFC 9562) that depends on a text only. */
export function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}

/** SHA-256 of the parts, as a bytea literal. */
export const digest = (...parts: unknown[]): string => `\\x${hash('sha256', JSON.stringify(parts), 'hex')}`;
