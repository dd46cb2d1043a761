/** A content as it is sent, with its strong validator (RFC 9110, section 8.8.3). */
import { hash } from 'node:crypto';

export interface Validated {
  readonly bytes: Buffer;
  readonly etag: string;
}

export const etagOf = (bytes: Buffer): string => `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;

export function validated(content: string | Buffer): Validated {
  const bytes = Buffer.from(content);
  return { bytes, etag: etagOf(bytes) };
}
