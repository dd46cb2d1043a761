/** JSON with comments and commas at the end, as editors store their settings: parsed with places, so that it can be edited. */
import { ConfigSyntaxError } from './syntax-error.js';

export interface Member {
  readonly key: string;
  readonly value: Node;
}

export interface Node {
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  readonly value: unknown;
  /** Of an object; undefined: it is another value. */
  readonly members?: readonly Member[];
  /** Whether an object has a comma behind its last member. */
  readonly endsWithComma?: boolean;
}

const SPACE = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Deeper files are refused, because the parser calls itself. */
const DEEPEST = 200;

/** @throws ConfigSyntaxError with the line of the first fault. */
export function parseJsonc(text: string): Node {
  let at = 0;
  const fail = (reason: string): never => {
    throw new ConfigSyntaxError(text, at, reason);
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  /** Skips white space and comments; then whether this character follows, which is taken. */
  const takes = (character: string): boolean => {
    match(SPACE);
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const string = (): string => {
    const start = at;
    const found = match(STRING) ?? fail('a text in double quotes is expected');
    try {
      return JSON.parse(found);
    } catch {
      at = start;
      return fail('a text has an unknown escape, or a control character');
    }
  };

  /** The elements until a closing bracket; returns whether a comma precedes it. */
  const elements = (close: string, element: () => void): boolean => {
    for (let endsWithComma = false; ; ) {
      if (takes(close)) return endsWithComma;
      element();
      endsWithComma = takes(',');
      match(SPACE);
      if (!endsWithComma && text[at] !== close) fail(`a comma or ${close} is expected`);
    }
  };

  function value(depth: number): Node {
    match(SPACE);
    const start = at;
    if (depth > DEEPEST) fail('it is nested too deeply');
    if (takes('{')) {
      const members: Member[] = [];
      const endsWithComma = elements('}', () => {
        const key = string();
        if (!takes(':')) fail('a colon is expected');
        members.push({ key, value: value(depth + 1) });
      });
      const object = Object.fromEntries(members.map((member) => [member.key, member.value.value]));
      return { start, end: at, value: object, members, endsWithComma };
    }
    if (takes('[')) {
      const list: unknown[] = [];
      elements(']', () => list.push(value(depth + 1).value));
      return { start, end: at, value: list };
    }
    const found = text[at] === '"' ? string() : (match(LITERAL) ?? fail('a value is expected'));
    return { start, end: at, value: text[start] === '"' ? found : JSON.parse(found) };
  }

  const root = value(0);
  match(SPACE);
  if (at < text.length) fail('nothing is expected behind the value');
  return root;
}
