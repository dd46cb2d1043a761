/** Finds the lines of keys in TOML text. The parser returns values without their places. */

/** A place in the parsed document, such as `['target', 0, 'engine']`. */
export type KeyPath = readonly (string | number)[];

const NAME = String.raw`(?:[\w-]+|"[^"]*"|'[^']*')`;
const HEADER = new RegExp(String.raw`^\s*(\[\[?)\s*(${NAME}(?:\s*\.\s*${NAME})*)\s*\]\]?\s*(?:#.*)?$`);
const KEY = new RegExp(String.raw`^\s*(${NAME}(?:\s*\.\s*${NAME})*)\s*=(.*)$`);
const LONG_STRING = /^("""|''')/;

const namesOf = (dotted: string): string[] =>
  [...dotted.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name.replace(/^["']|["']$/g, ''));

/** The lines of every table and key, by their path. */
export class KeyLines {
  readonly #lines = new Map<string, number>();

  constructor(toml: string) {
    const counts = new Map<string, number>();
    let table: KeyPath = [];
    let longString: string | null = null;
    for (const [at, line] of toml.split('\n').entries()) {
      const text = line.trimEnd();
      if (longString !== null) {
        if (text.includes(longString)) longString = null;
        continue;
      }
      const [, bracket, header] = HEADER.exec(text) ?? [];
      if (header !== undefined) {
        table = pathOf(namesOf(header), bracket === '[[', counts);
        this.#note(table, at + 1);
        continue;
      }
      const [, key, value = ''] = KEY.exec(text) ?? [];
      if (key === undefined) continue;
      this.#note([...table, ...namesOf(key)], at + 1);
      const [, mark] = LONG_STRING.exec(value.trimStart()) ?? [];
      if (mark !== undefined && value.split(mark).length === 2) longString = mark;
    }
  }

  /** Whether the text has this key or table. */
  has(path: KeyPath): boolean {
    return this.#lines.has(idOf(path));
  }

  /** The line of the key, else of the nearest table around it, else the first line. */
  of(path: KeyPath): number {
    for (let length = path.length; length > 0; length--) {
      const line = this.#lines.get(idOf(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  }

  /** Notes the path and those above it, each at its first line. */
  #note(path: KeyPath, line: number): void {
    for (let length = 1; length <= path.length; length++) {
      const id = idOf(path.slice(0, length));
      if (!this.#lines.has(id)) this.#lines.set(id, line);
    }
  }
}

const idOf = (path: KeyPath): string => JSON.stringify(path);

/**
 * The path of a header: in a list of tables, the names below it are those of its newest table.
 * @param counts The number of tables of each list, by its path.
 */
function pathOf(names: readonly string[], isList: boolean, counts: Map<string, number>): KeyPath {
  const path: (string | number)[] = [];
  for (const [at, name] of names.entries()) {
    path.push(name);
    const id = idOf(path);
    const count = counts.get(id) ?? 0;
    const isNew = isList && at === names.length - 1;
    if (isNew) counts.set(id, count + 1);
    if (isNew || count > 0) path.push(isNew ? count : count - 1);
  }
  return path;
}
