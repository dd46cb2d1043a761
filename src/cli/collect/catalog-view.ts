/** How `svc admin apply` shows what would change. */
import type { CatalogChange } from '../../server/intake/dataset/apply-catalog.js';
import { Document } from '../render/document.js';
import { counted, type TableView, text } from '../render/view.js';

const view: TableView<CatalogChange> = {
  noun: 'changes',
  columns: [
    text('', (row) => row.action),
    text('what', (row) => row.type),
    text('name', (row) => row.name, { room: 'filling' }),
    text('change', fieldsText, { room: 'flexible' }),
    text('id', (row) => row.id, { room: 'spare' }),
  ],
};

function fieldsText({ type, fields }: CatalogChange): string {
  return fields
    .flatMap(({ field, before, after }) => {
      // The name of a new row has a column of its own.
      if (before === null && field === (type === 'prompt' || type === 'mark' ? 'text' : 'name')) return [];
      const to = after ?? 'none';
      return [`${field} ${before === null ? to : `${before} → ${to}`}`];
    })
    .join('; ');
}

const COUNTS: Readonly<Record<CatalogChange['action'], string>> = {
  add: 'to add',
  rename: 'to rename',
  change: 'to change',
  restore: 'to track again',
  retire: 'to retire; their runs stay',
  remove: 'to remove',
};

export function changesText(
  brand: string,
  changes: readonly CatalogChange[],
  width: number | undefined,
): string {
  const document = new Document(width);
  if (changes.length === 0) {
    document.sentences(`The database is equal to the file: nothing to change for ${brand}.`);
    return document.text;
  }
  document.table(null, view, changes);
  const counts = Object.entries(COUNTS).flatMap(([action, words]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  document.sentences(`${counted(changes.length, 'change')} for ${brand}: ${counts.join(', ')}.`);
  return document.text;
}

/** @param answers How many were searched; null: a server searches them. */
export const searchedText = (answers: number | null): string =>
  answers === null
    ? 'The server searches them in the background; `svc admin brands list` shows how far it is.'
    : `${counted(answers, 'stored answer')} searched.`;
