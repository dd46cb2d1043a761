/** Addresses and ranges of addresses, of both versions, in every spelling. */

/**
 * An address as 32 hexadecimal digits, so that texts sort as addresses do. An address of version 4 is the one of version 6
 * that it is mapped to: both spellings are equal.
 */
export type AddressKey = string;

const MAPPED = '00000000000000000000ffff';
/** The well-known prefix of addresses that translate version 6 to version 4. */
const TRANSLATED = '0064ff9b0000000000000000';
const DIGITS = 32;

/** Null: the text is not an address, or one of an interface (`fe80::1%eth0`). */
export function addressKey(text: string): AddressKey | null {
  const v4 = v4Digits(text);
  if (v4 !== null) return MAPPED + v4;
  return text.includes(':') ? v6Digits(text) : null;
}

/** The 8 digits of `192.0.2.1`, null for any other text. Leading zeros are not read, because some read them as octal. */
function v4Digits(text: string): string | null {
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      if (octet === -1) return null;
      value = value * 256 + octet;
      octet = -1;
      dots++;
    } else {
      const digit = code - 48;
      if (!(digit >= 0 && digit <= 9) || octet === 0) return null;
      octet = octet === -1 ? digit : octet * 10 + digit;
      if (octet > 255) return null;
    }
  }
  if (dots !== 3 || octet === -1) return null;
  return (value * 256 + octet).toString(16).padStart(8, '0');
}

/** The groups of a part of an address as digits; null: one of them is not a group. */
function groupDigits(part: string): string | null {
  if (part === '') return '';
  const groups = part.split(':');
  return groups.every((group) => /^[\da-fA-F]{1,4}$/.test(group))
    ? groups.map((group) => group.toLowerCase().padStart(4, '0')).join('')
    : null;
}

/** The digits of `2001:db8::1`, also with a version 4 address at the end; null for any other text. */
function v6Digits(text: string): AddressKey | null {
  const colon = text.lastIndexOf(':');
  const tail = v4Digits(text.slice(colon + 1));
  const whole = tail === null ? text : `${text.slice(0, colon + 1)}${tail.slice(0, 4)}:${tail.slice(4)}`;
  const [head = '', rest, ...more] = whole.split('::');
  const [first, last] = [groupDigits(head), groupDigits(rest ?? '')];
  if (first === null || last === null || more.length > 0) return null;
  if (rest === undefined) return first.length === DIGITS ? first : null;
  // The double colon stands for one group at least.
  return first.length + last.length < DIGITS ? first.padEnd(DIGITS - last.length, '0') + last : null;
}

/** The address of a field of a log: also with a port, `192.0.2.1:443`, and in brackets, `[2001:db8::1]:443`. */
export function fieldKey(text: string): AddressKey | null {
  const field = text.trim();
  const key = addressKey(field);
  if (key !== null) return key;
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(field) ?? [];
  return addressKey(bracketed ?? plain ?? '');
}

/** A range as `192.0.2.0/24`, or one address. */
interface Range {
  readonly first: AddressKey;
  readonly last: AddressKey;
  readonly version: 4 | 6;
  /** The length of the prefix in bits. */
  readonly bits: number;
}

/** Null: the text is not a range. Bits behind the prefix are ignored. */
export function rangeOf(text: string): Range | null {
  const [address = '', length, ...more] = text.split('/');
  const key = addressKey(address);
  if (key === null || more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null;
  const version = address.includes(':') ? 6 : 4;
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (bits > most) return null;
  const rest = BigInt(most - bits);
  const first = (BigInt(`0x${key}`) >> rest) << rest;
  const last = first | ((1n << rest) - 1n);
  const digits = (value: bigint) => value.toString(16).padStart(DIGITS, '0');
  return { first: digits(first), last: digits(last), version, bits };
}

/** Finds an address among ranges in a number of steps that grows with the logarithm of their number. */
export class Ranges {
  readonly #firsts: AddressKey[] = [];
  readonly #lasts: AddressKey[] = [];

  /** Texts that are not ranges are left out. */
  constructor(texts: readonly string[]) {
    const ranges = texts.flatMap((text) => rangeOf(text) ?? []);
    ranges.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
    for (const { first, last } of ranges) {
      const end = this.#lasts.length - 1;
      // A range that is within another one, or overlaps it, continues it: searching needs disjoint ranges.
      if (end < 0 || first > this.#lasts[end]!) {
        this.#firsts.push(first);
        this.#lasts.push(last);
      } else if (last > this.#lasts[end]!) this.#lasts[end] = last;
    }
  }

  has(key: AddressKey): boolean {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#firsts[middle]! <= key) low = middle + 1;
      else high = middle;
    }
    return low > 0 && key <= this.#lasts[low - 1]!;
  }
}

/** The ranges that IANA lists as not globally reachable, and a cloud metadata address outside of them. */
const closedV4 = new Ranges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** Global unicast; `closedV6` excludes the parts for documentation, tunnels and other protocols. */
const openV6 = new Ranges(['2000::/3']);
const closedV6 = new Ranges(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an address is on the public internet. A mapped or translated one is public if its version 4 is. */
export function isPublicKey(key: AddressKey): boolean {
  if (key.startsWith(TRANSLATED)) return !closedV4.has(MAPPED + key.slice(-8));
  return key.startsWith(MAPPED) ? !closedV4.has(key) : openV6.has(key) && !closedV6.has(key);
}

/** Whether a text is an address on the public internet. */
export function isPublicAddress(text: string): boolean {
  const key = addressKey(text);
  return key !== null && isPublicKey(key);
}
