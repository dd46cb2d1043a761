/** Changes the file with prompts that a plan names: lines of text, or rows of CSV. What is not changed stays as it is written. */
import type { CatalogPrompt } from '../../server/intake/dataset/apply-catalog.js';
import { foldText } from '../../server/intake/dataset/catalog-ids.js';
import { decoded, rowsOf, separatorOf } from './delimited.js';
import { canonical, type TomlEdit, type TomlTable } from './edit-toml.js';
import { HEADS, parsePrompts } from './prompt-files.js';

/** The file with edits of the list of prompts, as UTF-8; null: its form has no place for them. */
export function editedPrompts(
  bytes: Uint8Array,
  file: string,
  edits: readonly TomlEdit[],
  wanted: readonly CatalogPrompt[],
): string | null {
  const text = decoded(bytes);
  const before = parsePrompts(bytes, file);
  if (text === null || before.kind !== 'prompts') return null;
  const after =
    before.form === 'lines'
      ? editedLines(text, before.prompts, edits)
      : editedRows(text, before.prompts, edits);
  try {
    const read = parsePrompts(Buffer.from(after), file);
    return read.kind === 'prompts' && canonical(read.prompts) === canonical(wanted) ? after : null;
  } catch {
    return null;
  }
}

const added = (edits: readonly TomlEdit[]): TomlTable[] =>
  edits.flatMap((edit) => (edit.kind === 'add' && edit.list === 'prompt' ? edit.entries : []));

const dropped = (edits: readonly TomlEdit[]): Set<number> =>
  new Set(edits.flatMap((edit) => (edit.kind === 'drop' && edit.table === 'prompt' ? (edit.at ?? []) : [])));

function editedLines(text: string, prompts: readonly CatalogPrompt[], edits: readonly TomlEdit[]): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const gone = new Set([...dropped(edits)].map((at) => foldText(prompts[at]!.text)));
  const kept = text
    .split(/\r?\n|\r/)
    .filter((line) => line.trim().startsWith('#') || !gone.has(foldText(line.trim())));
  while (kept.at(-1)?.trim() === '') kept.pop();
  return [...kept, ...added(edits).map((each) => String(each.text)), ''].join(newline);
}

type Column = keyof typeof HEADS;
const COLUMNS = Object.keys(HEADS) as Column[];

function editedRows(text: string, prompts: readonly CatalogPrompt[], edits: readonly TomlEdit[]): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const separator = separatorOf(text) ?? ',';
  const lines = text.split(/\r?\n|\r/);
  const [head, ...rows] = rowsOf(text, separator);
  const columns = head!.cells.map(
    (cell) => COLUMNS.find((name) => (HEADS[name] as readonly string[]).includes(foldText(cell)))!,
  );
  const news: Column[] = [];
  const line = (cells: Readonly<Partial<Record<Column, string>>>) => {
    for (const name of COLUMNS) if (cells[name] && ![...columns, ...news].includes(name)) news.push(name);
    return [...columns, ...news].map((name) => quoted(cells[name] ?? '', separator)).join(separator);
  };
  const gone = dropped(edits);
  const sets = edits.flatMap((edit) => (edit.kind === 'set' && edit.table === 'prompt' ? [edit] : []));
  const written = rows.flatMap((row, at) => {
    if (gone.has(at)) return [];
    const own = sets.filter((edit) => edit.at === at);
    const next = rows[at + 1]?.line ?? lines.length + 1;
    if (own.length === 0) return lines.slice(row.line - 1, next - 1).filter((each) => each.trim() !== '');
    const { topic, ...rest } = prompts[at]!;
    const changed = Object.fromEntries(own.map(({ key, value }) => [key, value ?? undefined]));
    return [line(cellsOf({ ...rest, topic: topic ?? '', ...changed }))];
  });
  const more = added(edits).map((each) => line(cellsOf(each)));
  const heading = [
    lines
      .slice(0, (rows[0]?.line ?? lines.length + 1) - 1)
      .join(newline)
      .trimEnd(),
    ...news,
  ].join(separator);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return `${[mark + heading, ...written, ...more].join(newline)}${newline}`;
}

const cellsOf = (prompt: Readonly<Record<string, unknown>>): Partial<Record<Column, string>> =>
  Object.fromEntries(COLUMNS.map((name) => [name, [prompt[name] ?? ''].flat().join(';')]));

const quoted = (cell: string, separator: string): string =>
  /["\r\n]|^\s|\s$/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
