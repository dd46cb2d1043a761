/**
 * Changes a TOML text as a person would: what is not changed stays as it is written, with its comments. A comment belongs to
 * the entry whose lines it stands on, and those directly above an entry to this entry; above the first one of a list they
 * are the heading of the list, and stay.
 */
import { parse, stringify, TomlError } from 'smol-toml';
import { type KeyPlace, type Place, placesOf, type TablePlace, type ValuePlace } from './toml-places.js';

export type TomlValue = string | number | boolean | readonly string[];
export type TomlTable = Readonly<Record<string, TomlValue>>;

/** A change of a document. Entries are counted as they are before all changes. */
export type TomlEdit =
  /** @param table Empty: the keys before all tables. @param at Of a list of tables: which one. @param value Null: the key is removed. */
  | {
      readonly kind: 'set';
      readonly table: string;
      readonly at?: number;
      readonly key: string;
      readonly value: TomlValue | null;
    }
  /** Adds tables to the end of a list. */
  | { readonly kind: 'add'; readonly list: string; readonly entries: readonly TomlTable[] }
  /** @param at Of a list of tables: which one. */
  | { readonly kind: 'drop'; readonly table: string; readonly at?: number };

type Document = Readonly<Record<string, unknown>>;

/** The document with the changes, as an object. */
export function editedObject(document: Document, edits: readonly TomlEdit[]): Document {
  const changed: Record<string, unknown> = { ...document };
  const listOf = (name: string) => [...((changed[name] ?? []) as (TomlTable | undefined)[])];
  for (const edit of edits) {
    if (edit.kind === 'add') continue;
    const { table, at } = edit;
    const change = (before: object | undefined) =>
      edit.kind === 'drop' ? undefined : withKey(before ?? {}, edit.key, edit.value);
    if (table === '' && edit.kind === 'set') Object.assign(changed, withKey({}, edit.key, edit.value));
    else if (at === undefined) changed[table] = change(changed[table] as object | undefined);
    else changed[table] = listOf(table).map((entry, place) => (place === at ? change(entry) : entry));
    if (table === '' && edit.kind === 'set' && edit.value === null) delete changed[edit.key];
  }
  for (const edit of edits)
    if (edit.kind === 'add') changed[edit.list] = [...listOf(edit.list), ...edit.entries];
  for (const [name, value] of Object.entries(changed)) {
    const left = Array.isArray(value) ? value.filter((entry) => entry !== undefined) : value;
    if (left === undefined || (Array.isArray(left) && left.length === 0)) delete changed[name];
    else changed[name] = left;
  }
  return changed;
}

function withKey(table: object, key: string, value: TomlValue | null): TomlTable {
  const { [key]: _, ...others } = table as Record<string, TomlValue>;
  return value === null ? others : { ...table, [key]: value };
}

/** Documents are equal if these texts are. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

/** The text with the changes, or null: they cannot be written into it without touching what they do not concern. */
export function editedText(toml: string, edits: readonly TomlEdit[]): string | null {
  const document = parse(toml) as Document;
  try {
    const text = new TomlText(toml, document).with(edits);
    return canonical(parse(text)) === canonical(editedObject(document, edits)) ? text : null;
  } catch (error) {
    if (error instanceof UnwritableError || error instanceof TomlError) return null;
    throw error;
  }
}

class UnwritableError extends Error {}

interface Splice extends Place {
  readonly text: string;
}

/** The tables of a svc.toml in the order in which a new one is placed. */
const ORDER = ['', 'workspace', 'brand', 'competitor', 'prompt', 'mark', 'target', 'extraction', 'schedule'];

class TomlText {
  readonly #text: string;
  readonly #document: Document;
  readonly #tables: readonly TablePlace[];
  readonly #newline: string;
  #splices: Splice[] = [];
  /** The tables and keys that are dropped. */
  readonly #gone = new Set<Place>();

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
    this.#tables = placesOf(text);
    this.#newline = text.includes('\r\n') ? '\r\n' : '\n';
  }

  with(edits: readonly TomlEdit[]): string {
    this.#splices = [];
    const missing = new Map<string, Record<string, TomlValue>>();
    const drops = new Map<string, Set<number>>();
    const isRemoval = (edit: TomlEdit) => edit.kind === 'set' && edit.value === null;
    // A new key is placed after one that stays.
    for (const edit of [...edits].sort((a, b) => Number(isRemoval(b)) - Number(isRemoval(a)))) {
      if (edit.kind === 'set') this.#set(edit, missing);
      if (edit.kind === 'drop' && edit.at !== undefined)
        drops.set(edit.table, (drops.get(edit.table) ?? new Set()).add(edit.at));
      if (edit.kind === 'drop' && edit.at === undefined) this.#dropTable(edit.table);
    }
    for (const [list, gone] of drops) this.#dropEntries(list, gone);
    for (const [name, keys] of missing) this.#addTables(name, `[${name}]`, [keys]);
    for (const edit of edits) if (edit.kind === 'add') this.#add(edit.list, edit.entries);
    return this.#spliced();
  }

  /** From the last one to the first, so that the places of the others stay. Of equal places the first is written first. */
  #spliced(): string {
    const ordered = this.#splices.map((splice, at) => ({ ...splice, at }));
    ordered.sort((a, b) => a.start - b.start || a.end - b.end || a.at - b.at);
    let [done, text] = [0, ''];
    for (const { start, end, text: added } of ordered) {
      text += this.#text.slice(done, Math.max(done, start)) + added;
      done = Math.max(done, end);
    }
    return text + this.#text.slice(done);
  }

  #splice(start: number, end: number, text: string): undefined {
    this.#splices.push({ start, end, text });
  }

  #root(name: string): KeyPlace | undefined {
    return this.#tables[0]!.keys.find(({ names }) => names.length === 1 && names[0] === name);
  }

  #blocks(name: string): TablePlace[] {
    return this.#tables.filter(({ names }) => names.length === 1 && names[0] === name);
  }

  #set(
    { table, at, key, value }: Extract<TomlEdit, { kind: 'set' }>,
    missing: Map<string, Record<string, TomlValue>>,
  ): void {
    const block = table === '' ? this.#tables[0] : this.#blocks(table)[at ?? 0];
    const inline = this.#root(table)?.value;
    const braces = at === undefined ? inline : inline?.items?.[at];
    const keys = block?.keys ?? braces?.keys;
    const known = keys?.find(({ names }) => names.length === 1 && names[0] === key);
    if (known !== undefined) {
      const before = this.#valueOf(table, at, key);
      if (value !== null) this.#replace(known.value, before, value);
      else {
        this.#gone.add(known);
        if (block) this.#dropLines(known);
      }
      if (!block && keys && this.#gone.has(known)) {
        const gone = keys.flatMap((each, place) => (this.#gone.has(each) ? [place] : []));
        if (gone.length > 1) throw new UnwritableError();
        this.#dropItems(keys, new Set(gone));
      }
    } else if (value === null) return;
    else if (block) this.#addKey(block, key, value);
    else if (keys?.length) this.#splice(keys.at(-1)!.end, keys.at(-1)!.end, `, ${pair(key, value)}`);
    else if (at === undefined) missing.set(table, { ...missing.get(table), [key]: value });
  }

  #valueOf(table: string, at: number | undefined, key: string): unknown {
    const found = table === '' ? this.#document : this.#document[table];
    const entry = at === undefined ? found : (found as readonly unknown[] | undefined)?.[at];
    return (entry as Document | undefined)?.[key];
  }

  /** A list that only gains and loses elements keeps the others as they are written. */
  #replace(place: ValuePlace, before: unknown, value: TomlValue): undefined {
    const items = place.items;
    if (items?.length && Array.isArray(before) && Array.isArray(value)) {
      const gone = new Set(before.flatMap((each, at) => (value.includes(each) ? [] : [at])));
      const kept = before.filter((_, at) => !gone.has(at));
      const isPrefix = kept.every((each, at) => each === value[at]);
      if (isPrefix && kept.length > 0) {
        this.#dropItems(items, gone);
        return this.#addItems(place, value.slice(kept.length).map(literal));
      }
    }
    this.#splice(place.start, place.end, literal(value));
  }

  #addKey(table: TablePlace, key: string, value: TomlValue): undefined {
    const last = table.keys.findLast((each) => !this.#gone.has(each));
    if (last === undefined && table.names.length === 0) {
      const first = this.#tables[1];
      const at = first === undefined ? 0 : this.#withComments(first.start);
      return this.#splice(at, at, pair(key, value) + this.#newline.repeat(2));
    }
    const indent = last === undefined ? '' : this.#indentOf(last.start);
    const at = this.#endOf(table);
    this.#splice(at, at, `${this.#newline}${indent}${pair(key, value)}`);
  }

  /** The end of the last line that stays: what is added there is outside of the lines that are dropped. */
  #endOf(table: TablePlace): number {
    return this.#lineEnd(table.keys.findLast((key) => !this.#gone.has(key))?.end ?? table.start);
  }

  #add(list: string, entries: readonly TomlTable[]): undefined {
    if (entries.length === 0) return;
    const inline = this.#root(list)?.value;
    if (inline) return this.#addItems(inline, entries.map(braced));
    this.#addTables(list, `[[${list}]]`, entries);
  }

  #addTables(name: string, header: string, entries: readonly TomlTable[]): undefined {
    const before = ORDER.slice(0, ORDER.indexOf(name) + 1);
    const left = this.#tables.filter((table) => !this.#gone.has(table) && table.names.length === 1);
    const own = left.findLast(({ names }) => names[0] === name);
    const after = own ?? left.findLast(({ names }) => before.includes(names[0]!));
    const at = after === undefined ? this.#text.trimEnd().length : this.#endOf(after);
    const lines = entries.flatMap((entry) => [
      '',
      header,
      ...Object.entries(entry).map(([key, value]) => pair(key, value)),
    ]);
    const isLast = this.#text.slice(at).trim() === '' && !this.#text.slice(at).includes('\n');
    this.#splice(at, at, lines.map((line) => this.#newline + line).join('') + (isLast ? this.#newline : ''));
  }

  #addItems(list: ValuePlace, texts: readonly string[]): undefined {
    if (texts.length === 0) return;
    const last = list.items?.at(-1);
    if (last === undefined) return this.#splice(list.start + 1, list.start + 1, texts.join(', '));
    const isLong = this.#text.slice(list.start, list.end).includes('\n');
    const gap = isLong ? this.#newline + (this.#indentOf(last.start) || '  ') : ' ';
    this.#splice(last.end, last.end, texts.map((each) => `,${gap}${each}`).join(''));
  }

  #dropTable(name: string): void {
    const [block] = this.#blocks(name);
    const inline = this.#root(name);
    if (block) this.#dropBlock(block, this.#withComments(block.start));
    else if (inline) this.#dropLines(inline);
  }

  #dropEntries(list: string, gone: ReadonlySet<number>): void {
    const inline = this.#root(list);
    if (inline?.value.items) {
      if (gone.size >= inline.value.items.length) this.#dropLines(inline);
      else this.#dropItems(inline.value.items, gone);
    }
    for (const [at, block] of this.#blocks(list).entries())
      if (gone.has(at)) this.#dropBlock(block, at === 0 ? block.start : this.#withComments(block.start));
  }

  #dropBlock(block: TablePlace, start: number): void {
    this.#gone.add(block);
    const { start: header, end } = block;
    const from = start === header ? this.#lineStart(header) : start;
    const to = this.#nextLine(end);
    const [blanks] = /^(?:[ \t]*\r?\n)*/.exec(this.#text.slice(to))!;
    const before = this.#text.slice(0, from);
    const isApart = before.trim() === '' || /\n[ \t]*\r?\n$/.test(before);
    this.#splice(from, isApart ? to + blanks.length : to, '');
  }

  #dropLines({ start, end }: Place): void {
    this.#splice(this.#lineStart(start), this.#nextLine(end), '');
  }

  /** Elements with the commas that they no longer need. */
  #dropItems(items: readonly Place[], gone: ReadonlySet<number>): void {
    let hasKept = false;
    for (const [at, item] of items.entries()) {
      if (!gone.has(at)) hasKept = true;
      else if (hasKept) this.#splice(items[at - 1]!.end, item.end, '');
      else this.#splice(item.start, items[at + 1]?.start ?? item.end, '');
    }
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  /** Before the line break. */
  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at);
    if (end === -1) return this.#text.length;
    return this.#text[end - 1] === '\r' ? end - 1 : end;
  }

  #nextLine(at: number): number {
    const end = this.#text.indexOf('\n', at);
    return end === -1 ? this.#text.length : end + 1;
  }

  #indentOf(at: number): string {
    return /^[ \t]*/.exec(this.#text.slice(this.#lineStart(at), at))![0];
  }

  /** Where the comments directly above a line begin, or the line itself. */
  #withComments(at: number): number {
    let start = this.#lineStart(at);
    while (start > 0) {
      const above = this.#lineStart(start - 1);
      if (!/^[ \t]*#/.test(this.#text.slice(above, start))) break;
      start = above;
    }
    return start;
  }
}

const written = (value: TomlValue): string => stringify({ v: value }).trimEnd().slice('v = '.length);

const literal = (value: TomlValue): string =>
  Array.isArray(value) ? `[${value.map(written).join(', ')}]` : written(value);

const pair = (key: string, value: TomlValue): string => `${key} = ${literal(value)}`;
const braced = (table: TomlTable): string =>
  `{ ${Object.entries(table)
    .map(([key, value]) => pair(key, value))
    .join(', ')} }`;
