/** The syntax of JavaScript's regular expressions, as far as the project uses it. */

export type Pattern =
  | { readonly kind: 'set'; readonly holds: (character: string) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly part: Pattern;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly kind: 'look'; readonly part: Pattern; readonly behind: boolean; readonly negated: boolean }
  | { readonly kind: 'assertion'; readonly holds: (text: string, at: number) => boolean };

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);

class Parser {
  #at = 0;
  readonly #source: string;
  readonly #flags: string;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, '');
  }

  whole(): Pattern {
    const pattern = this.#choice();
    if (this.#at < this.#source.length) throw new Error(`not understood: ${this.#source.slice(this.#at)}`);
    return pattern;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(sticky: RegExp): RegExpExecArray | null {
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  #choice(): Pattern {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!))
      parts.push(this.#term());
    return { kind: 'sequence', parts };
  }

  #term(): Pattern {
    const part = this.#atom();
    const quantifier = this.#match(/([*+?])(\??)|\{(\d+)(,?)(\d*)\}(\??)/y);
    if (quantifier === null) return part;
    const [, sign, lazy, least, comma, most, lazyToo] = quantifier;
    const min = least === undefined ? (sign === '+' ? 1 : 0) : Number(least);
    const bound = comma === '' ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    const max = least === undefined ? (sign === '?' ? 1 : Number.POSITIVE_INFINITY) : bound;
    return { kind: 'repeat', part, min, max, lazy: (lazy || lazyToo) === '?' };
  }

  #atom(): Pattern {
    const group = this.#match(/\((\?(?:[:=!]|<[=!]|<\w+>))?/y);
    if (group !== null) {
      const part = this.#choice();
      if (!this.#take(')')) throw new Error('an open group');
      const opening = group[1] ?? '';
      if (!/[=!]$/.test(opening)) return part;
      return { kind: 'look', part, behind: opening.includes('<'), negated: opening.endsWith('!') };
    }
    const multiline = this.#flags.includes('m');
    if (this.#take('^')) return assertion((text, at) => at === 0 || (multiline && text[at - 1] === '\n'));
    if (this.#take('$'))
      return assertion((text, at) => at === text.length || (multiline && text[at] === '\n'));
    const boundary = this.#match(/\\([bB])/y);
    if (boundary !== null)
      return assertion((text, at) => (isWord(text[at - 1]) !== isWord(text[at])) === (boundary[1] === 'b'));
    const atom = this.#match(
      /\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|c[A-Z]|\D)|[^\\]/suy,
    );
    if (atom === null) throw new Error(`not understood: ${this.#source.slice(this.#at)}`);
    const single = new RegExp(`^(?:${atom[0]})$`, this.#flags.replace('m', ''));
    const known = new Map<string, boolean>();
    return {
      kind: 'set',
      holds: (character) => {
        const held = known.get(character) ?? single.test(character);
        known.set(character, held);
        return held;
      },
    };
  }
}

const assertion = (holds: (text: string, at: number) => boolean): Pattern => ({ kind: 'assertion', holds });

/** The structure of a regular expression. Throws for syntax that it does not support, such as back references. */
export const patternOf = (source: string, flags: string): Pattern => new Parser(source, flags).whole();
