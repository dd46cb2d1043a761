/** Reads the User-Agent field of a log. */

const encoded = /%(?:25)?(?:20|2F)/i;
const octet = /%([0-9A-Fa-f]{2})/g;

/** Whether the value is not a user agent: empty, the dash of access logs, or the placeholder of a proxy. */
export function isMissingUserAgent(value: string): boolean {
  return value === '' || value === '-' || value === 'REDACTED';
}

/**
 * Decodes the percent-encoding of a user agent in CDN logs, twice if it was encoded twice. A value with a space was not
 * encoded. Each octet becomes the character with its number, which is enough because tokens are ASCII.
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
