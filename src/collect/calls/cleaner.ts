/** Removes a key from texts of errors and logs, however it is written there. Answers are data, and stay as they are. */

/** Removes a key from a text. */
export type Clean = (text: string) => string;

/** A shorter key, such as the name of a local server, is no secret, and may be a word of the message. */
const SHORTEST_SECRET = 12;
const REMOVED = '[key]';
/** Backslashes before a character, in JSON inside JSON. */
const ESCAPES = String.raw`\\{0,8}`;
/** What breaks a long word, or is not seen in it. No key has such characters. */
const BREAK = String.raw`[\s\u00ad\u200b-\u200f\u2060-\u2064]{0,4}`;
/** Lines of base64, also as JSON writes them. */
const LINE_BREAK = String.raw`(?:\s|\\{1,8}[rn]){0,4}`;

/** @param key Null: there is none. */
export function cleanerOf(key: string | null): Clean {
  if (key === null || key === '') return (text) => text;
  const written = [...key].map(anyForm).join(BREAK);
  const patterns =
    key.length < SHORTEST_SECRET
      ? [new RegExp(String.raw`(?<=\b(?:bearer|basic)\s{1,8})${written}(?![\w-])`, 'gi')]
      : [new RegExp([written, hexForm(key), ...base64Forms(key)].join('|'), 'gi')];
  return (text) => patterns.reduce((cleaned, pattern) => cleaned.replace(pattern, REMOVED), text);
}

/** A pattern of one character as it is, or as JSON, addresses and HTML escape it. */
function anyForm(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  const forms = [
    ESCAPES + literal(character),
    String.raw`${ESCAPES}\\u0{0,4}${hex}`,
    String.raw`${ESCAPES}\\x${hex}`,
    `%(?:25)?${hex}`,
    `&#(?:0{0,4}${code}|x0{0,4}${hex});`,
    // By its name, as &sol; for a slash.
    ...(/\w/.test(character) && character !== '_' ? [] : ['&[a-z]{1,8};']),
  ];
  return `(?:${forms.join('|')})`;
}

const hexForm = (key: string): string => [...Buffer.from(key).toString('hex')].join(BREAK);

/** Patterns of the key in base64, for each place where it may begin in the three bytes of four characters. */
function base64Forms(key: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const whole = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [...whole]
      .map((each) => (each === '+' || each === '-' ? '[+-]' : each === '/' ? `${ESCAPES}[/_]` : each))
      .join(LINE_BREAK);
  });
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
