/** The cookie of a signed-in browser: the hash of the key and an expiry, encrypted and authenticated. The key is not in it. */
import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { Context } from '../../state.js';

const COOKIE = 'svc_session';
/** The name of the deployment's secret for cookies. */
export const SESSION_SECRET = 'page-sessions';
/** A session ends with its key, and at the latest after this time. */
export const SESSION_HOURS = 12;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HASH_BYTES = 32;
const TIME_BYTES = 8;

/** What a cookie holds. */
export interface Session {
  /** SHA-256 of the key. */
  readonly secretHash: Buffer;
  readonly expiresAt: Date;
}

/** A nonce, the encrypted session and its tag, as base64url. */
export function seal(secret: KeyObject, { secretHash, expiresAt }: Session): string {
  const nonce = randomBytes(NONCE_BYTES);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigInt64BE(BigInt(expiresAt.getTime()));
  const cipher = createCipheriv(CIPHER, secret, nonce);
  const sealed = [cipher.update(secretHash), cipher.update(time), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

/** A session with its id: the SHA-256 of the bytes of its cookie in hex, since several texts may stand for the same bytes. */
export interface OpenSession extends Session {
  readonly id: string;
}

/** The session in a cookie; null: it was not made with this secret, or was changed. */
export function unseal(secret: KeyObject, text: string): OpenSession | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== NONCE_BYTES + HASH_BYTES + TIME_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const sealed = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    const plain = Buffer.concat([decipher.update(sealed), decipher.final()]);
    const expiresAt = new Date(Number(plain.readBigInt64BE(HASH_BYTES)));
    const id = createHash('sha256').update(bytes).digest('hex');
    return { secretHash: plain.subarray(0, HASH_BYTES), expiresAt, id };
  } catch {
    return null;
  }
}

/** The cookie of the request; undefined: none. */
export const cookieOf = (ctx: Context): string | undefined => ctx.cookies.get(COOKIE);

/** Sets the cookie, for some seconds: the clock of the browser may differ from that of the server. */
export function setCookie(ctx: Context, value: string, seconds: number, publicUrl: string | null): void {
  ctx.append('Set-Cookie', `${COOKIE}=${value}; Max-Age=${seconds}${attributes(ctx, publicUrl)}`);
}

export function clearCookie(ctx: Context, publicUrl: string | null): void {
  ctx.append('Set-Cookie', `${COOKIE}=; Max-Age=0${attributes(ctx, publicUrl)}`);
}

function attributes(ctx: Context, publicUrl: string | null): string {
  const isSecure = ctx.secure || (publicUrl?.startsWith('https:') && new URL(publicUrl).host === ctx.host);
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
