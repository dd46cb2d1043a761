/** Recognises page views of people whom an answer sent. */
import type { Verifier } from '../clients/verify.js';
import type { Entry } from '../entry.js';
import { canonicalPath, Ordinals } from '../hit.js';
import { isPage } from '../pages.js';
import { type Product, productOfHost, productOfReferer, productOfTarget } from './products.js';

export interface Referral {
  /** Key of the product. */
  readonly product: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Who came: the address of the client, null if the record does not have it, and the user agent. Never to be stored. */
  readonly address: string | null;
  readonly userAgent: string;
  /**
   * The text that identifies the record, for a key by which it counts once. It has nothing of the person: no address, no user
   * agent, no referrer, no query.
   */
  readonly identity: string;
}

/** Version of the identity, so that keys made by different rules never collide. */
const VERSION = 1;
const SEPARATOR = '\x1f';

/** Makes the referrals of one body, and numbers equal ones without an id. */
export class Referrals {
  readonly #ordinals = new Ordinals();
  readonly #verifier: Pick<Verifier, 'clientOf'> | undefined;

  /** @param verifier Finds the clients; without it, none is known. */
  constructor(verifier: Pick<Verifier, 'clientOf'> | undefined) {
    this.#verifier = verifier;
  }

  /** The page view of a request that no agent sent; null: no answer sent it, or it is no page view. */
  referralOf(entry: Entry): Referral | null {
    if (!isViewed(entry)) return null;
    // The referrer says where the click was; a link with utm_source may be passed on.
    const product = productOfReferer(entry.referer) ?? productOfTarget(entry.target);
    const path = product && canonicalPath(entry.target);
    if (path === null || !isPage(path)) return null;
    const { time, userAgent } = entry;
    const address = this.#verifier?.clientOf(entry) ?? null;
    const identity = this.#identityOf(entry, product!, path);
    return { product: product!.key, path, time, address, userAgent, identity };
  }

  #identityOf({ id, timeText, status, bytes, host }: Entry, { key }: Product, path: string): string {
    if (id !== '') return [VERSION, 'id', id, key, path].join(SEPARATOR);
    const tuple = [timeText, key, path, status ?? '', bytes, host].join(SEPARATOR);
    return [VERSION, 'tuple', this.#ordinals.next(tuple), tuple].join(SEPARATOR);
  }
}

/** Whether a page was shown: redirects, errors and requests of scripts are not views. */
const isViewed = ({ method, status }: Entry): boolean =>
  (method === '' || method === 'GET') &&
  (status === null || (status >= 200 && status < 300) || status === 304);

// Sorting out lines without making entries of them.

const MOST = 4096;

/** Whether the bytes of a line may be of a referral: nearly all others are told by the host of their referrer. */
export class ReferralSieve {
  /** Whether a host is of a product. A log repeats few hosts. */
  readonly #hosts = new Map<string, boolean>();

  mayRefer(bytes: Buffer, referer: Span, request: Span): boolean {
    return this.#isOfProduct(bytes, referer) || namesSource(bytes, request);
  }

  #isOfProduct(bytes: Buffer, { start, end }: Span): boolean {
    // After http:// or https://, whatever the letters are.
    const first = bytes[start + 7] === SLASH ? start + 8 : start + 7;
    if (first >= end || bytes[first - 1] !== SLASH || bytes[first - 2] !== SLASH) return false;
    let last = first;
    while (last < end && isOfHost(bytes[last]!)) last++;
    const host = bytes.toString('latin1', first, last);
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const isOfProduct = productOfHost(host) !== null;
    if (this.#hosts.size >= MOST) this.#hosts.clear();
    if (host.length <= 255) this.#hosts.set(host, isOfProduct);
    return isOfProduct;
  }
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const SLASH = 47;
const QUESTION = 63;

/** Letters, digits, dots and hyphens. */
const isOfHost = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) ||
  byte === 46 ||
  byte === 45 ||
  (byte >= 48 && byte <= 57) ||
  (byte >= 65 && byte <= 90);

function namesSource(bytes: Buffer, { start, end }: Span): boolean {
  for (let at = start; at < end; at++)
    if (bytes[at] === QUESTION) return bytes.toString('latin1', at, end).includes('utm_source=');
  return false;
}
