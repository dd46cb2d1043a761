/**
 * Where the tables, keys and values of a TOML text stand. The text is valid: a parser has read it before, which returns values
 * without their places.
 */
import { parse } from 'smol-toml';

/** Part of a text: from its first character to the one after its last. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface KeyPlace extends Place {
  /** Several where the key is dotted. */
  readonly names: readonly string[];
  readonly value: ValuePlace;
}

export interface ValuePlace extends Place {
  /** The elements of a list. */
  readonly items?: readonly ValuePlace[];
  /** The keys of a table in braces. */
  readonly keys?: readonly KeyPlace[];
}

export interface TablePlace extends Place {
  readonly names: readonly string[];
  /** Whether it is an element of a list: `[[names]]`. */
  readonly isElement: boolean;
  readonly keys: readonly KeyPlace[];
}

/** The tables in the order of the text. The first one has no name: the keys before all headers. */
export function placesOf(toml: string): TablePlace[] {
  const tables: (TablePlace & { end: number; keys: KeyPlace[] })[] = [
    { start: 0, end: 0, names: [], isElement: false, keys: [] },
  ];
  const scanner = new Scanner(toml);
  for (;;) {
    scanner.skip();
    if (scanner.isAtEnd) return tables;
    const start = scanner.at;
    if (toml[start] === '[') {
      const isElement = toml[start + 1] === '[';
      scanner.at += isElement ? 2 : 1;
      const names = scanner.names();
      scanner.at += isElement ? 2 : 1;
      tables.push({ start, end: scanner.at, names, isElement, keys: [] });
      continue;
    }
    const key = scanner.key();
    const table = tables.at(-1)!;
    table.keys.push(key);
    table.end = key.end;
  }
}

const WHITE = /[ \t\r\n]*/y;
const BLANK = /[ \t]*/y;
const BARE_KEY = /[\w-]+/y;
/** A number, a truth value or a date, which may have a space before its time. */
const BARE_VALUE = /[^,\]}#\r\n]+/y;
const COMMENT = /#[^\n]*/y;

class Scanner {
  at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  /** Skips white space, line breaks and comments. */
  skip(): void {
    do this.#take(WHITE);
    while (this.#take(COMMENT) !== '');
  }

  /** The names of a key or a header, with the white space around them. */
  names(): string[] {
    const names: string[] = [];
    for (;;) {
      this.#take(BLANK);
      const quote = this.#text[this.at];
      if (quote === '"' || quote === "'") {
        const { start, end } = this.#string();
        const written = this.#text.slice(start, end);
        names.push(quote === '"' ? unescaped(written) : written.slice(1, -1));
      } else names.push(this.#take(BARE_KEY));
      this.#take(BLANK);
      if (this.#text[this.at] !== '.') return names;
      this.at++;
    }
  }

  key(): KeyPlace {
    const start = this.at;
    const names = this.names();
    this.at++;
    this.#take(BLANK);
    const value = this.#value();
    return { start, end: value.end, names, value };
  }

  #value(): ValuePlace {
    const start = this.at;
    const first = this.#text[start];
    if (first === '"' || first === "'") return this.#string();
    if (first === '[') return { start, items: this.#listed(() => this.#value()), end: this.at };
    if (first === '{') return { start, keys: this.#listed(() => this.key()), end: this.at };
    const text = this.#take(BARE_VALUE);
    this.at = start + text.trimEnd().length;
    return { start, end: this.at };
  }

  /** What stands between brackets or braces, with commas. */
  #listed<T>(one: () => T): T[] {
    const all: T[] = [];
    this.at++;
    for (;;) {
      this.skip();
      const next = this.#text[this.at];
      if (next === ',') this.at++;
      else if (next === ']' || next === '}') {
        this.at++;
        return all;
      } else all.push(one());
    }
  }

  #string(): Place {
    const start = this.at;
    const quote = this.#text[start]!;
    const long = quote.repeat(3);
    const mark = this.#text.startsWith(long, start) ? long : quote;
    let at = start + mark.length;
    while (!this.#text.startsWith(mark, at)) at += quote === '"' && this.#text[at] === '\\' ? 2 : 1;
    at += mark.length;
    // Up to two quotation marks may stand before the three at the end.
    while (mark === long && this.#text[at] === quote) at++;
    this.at = at;
    return { start, end: at };
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.at += found.length;
    return found;
  }
}

const unescaped = (quoted: string): string => Object.keys(parse(`${quoted} = 1`))[0]!;
