/** Quoted fields of access logs, from bytes to text. */

const BACKSLASH = 92;
const X = 120;

/** The character after a backslash, and the character that both represent. */
const single: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', t: '\t', n: '\n', r: '\r', b: '\b', v: '\v', f: '\f' }).map(
    ([sign, character]) => [sign.charCodeAt(0), character.charCodeAt(0)],
  ),
);

/**
 * Returns the text of the bytes `start` to `end`: replaces `\xHH`, `\"`, `\\` and `\t \n \r \b \v \f` by their bytes,
 * then decodes UTF-8 with U+FFFD for invalid bytes. Any other escaped character is kept with its backslash.
 */
export function unescapeField(bytes: Buffer, start: number, end: number): string {
  if (!bytes.subarray(start, end).includes(BACKSLASH)) return bytes.toString('utf8', start, end);
  const plain = Buffer.allocUnsafe(end - start);
  let length = 0;
  for (let at = start; at < end; at++) {
    const next = at + 1 < end ? (bytes[at + 1] as number) : -1;
    let byte = bytes[at] as number;
    if (byte === BACKSLASH && next === X && at + 3 < end) {
      const code = hexDigit(bytes[at + 2] as number) * 16 + hexDigit(bytes[at + 3] as number);
      if (code >= 0) {
        byte = code;
        at += 3;
      }
    } else if (byte === BACKSLASH) {
      const code = single.get(next);
      if (code !== undefined) {
        byte = code;
        at++;
      }
    }
    plain[length++] = byte;
  }
  return plain.toString('utf8', 0, length);
}

/** The same for a field that is text already. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  const bytes = Buffer.from(text);
  return unescapeField(bytes, 0, bytes.length);
}

/**
 * The value of a hexadecimal digit. For any other byte it is so far below 0 that a sum with a digit is negative too.
 */
function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1000;
}
