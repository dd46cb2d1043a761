/** The User-Agent field as logs contain it. */

const encoded = /%(?:25)?(?:20|2F)/i;
const octet = /%([0-9A-Fa-f]{2})/g;

/** True when the value holds no user agent: empty, the dash of access logs, or a value that its proxy withheld. */
export function isMissingUserAgent(value: string): boolean {
  return value === '' || value === '-' || value === 'REDACTED';
}

/**
 * A user agent with the percent-encoding of CDN logs taken off, twice where it was put on twice. A value that holds a
 * space was never encoded. Octets become characters of the same number: tokens are ASCII, so nothing else matters.
 */
export function decodeUserAgent(value: string): string {
  let text = value;
  for (let round = 0; round < 2 && !text.includes(' ') && encoded.test(text); round++) {
    text = text
      .replaceAll('+', ' ')
      .replace(octet, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text;
}
