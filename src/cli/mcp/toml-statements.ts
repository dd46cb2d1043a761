/** Finds the statements of a TOML document with their places. */
import { ConfigSyntaxError } from './syntax-error.js';

/** A line `[a.b]`, or a line `a.b = …`. */
export interface Statement {
  readonly kind: 'header' | 'pair';
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

const BLANK = /[ \t]*/y;
const SPACE = /(?:\s|#[^\n]*)*/y;
const KEY = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const TEXT = /"""[\s\S]*?(?<!\\)"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
/** Numbers, booleans, dates and times. */
const BARE = /[\w+.:-]+(?: \d\d:[\d:.Z+-]+)?/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

/**
 * The statements of a TOML document, in order. Values are skipped.
 * @throws ConfigSyntaxError with the line of the first fault.
 */
export const tomlStatements = (text: string): Statement[] => new Scanner(text).statements();

/** Reads a document from its beginning to its end. */
class Scanner {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  statements(): Statement[] {
    const found: Statement[] = [];
    for (this.#match(SPACE); this.#at < this.#text.length; this.#match(SPACE)) {
      found.push(this.#statement());
      if (this.#match(LINE_END) === undefined) this.#fail('the end of the line is expected');
    }
    return found;
  }

  #statement(): Statement {
    const start = this.#at;
    const close = this.#takes('[[') ? ']]' : this.#takes('[') ? ']' : null;
    const path = this.#path();
    if (close === null) this.#assigned();
    else if (!this.#takes(close)) this.#fail(`${close} is expected`);
    return { kind: close === null ? 'pair' : 'header', path, start, end: this.#at };
  }

  #path(): string[] {
    const keys: string[] = [];
    do {
      this.#match(BLANK);
      const key = this.#match(KEY) ?? this.#fail('a key is expected');
      keys.push(key.startsWith('"') ? JSON.parse(key) : key.replace(/^'(.*)'$/, '$1'));
      this.#match(BLANK);
    } while (this.#takes('.'));
    return keys;
  }

  #assigned(): void {
    if (!this.#takes('=')) this.#fail('an equals sign is expected');
    this.#match(BLANK);
    this.#value();
  }

  #value(): void {
    if (this.#takes('[')) this.#list(']', () => this.#value());
    else if (this.#takes('{')) this.#list('}', () => this.#pair());
    else if (this.#match(TEXT) === undefined && this.#match(BARE) === undefined)
      this.#fail('a value is expected');
  }

  #pair(): void {
    this.#path();
    this.#assigned();
  }

  #list(close: string, element: () => void): void {
    for (;;) {
      this.#match(SPACE);
      if (this.#takes(close)) return;
      element();
      this.#match(SPACE);
      if (!this.#takes(',') && this.#text[this.#at] !== close) this.#fail(`a comma or ${close} is expected`);
    }
  }

  /** The text that the pattern matches here; undefined: it does not match. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #takes(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #fail(reason: string): never {
    throw new ConfigSyntaxError(this.#text, this.#at, reason);
  }
}
