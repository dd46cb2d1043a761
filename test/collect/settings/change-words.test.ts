import { expect } from 'chai';
import { namesNote } from '../../../src/collect/settings/change-words.js';
import type { CatalogChange } from '../../../src/server/intake/dataset/apply-catalog.js';

describe('the changes of a catalog', () => {
  const change = (
    action: CatalogChange['action'],
    name: string,
    field: string,
    type: CatalogChange['type'] = 'competitor',
  ): CatalogChange => ({ action, type, id: name, name, fields: [{ field, before: null, after: 'x' }] });

  it('name those that stored answers are searched for', () => {
    const note = (...changes: CatalogChange[]) => namesNote(changes);
    expect(note(change('add', 'Stride', 'name'))).to.equal(
      'Stored answers are searched for Stride; days that are not searched, because their texts are not stored, are not measured for it.',
    );
    expect(
      note(
        ...[change('add', 'A', 'name'), change('restore', 'B', 'domain')],
        change('change', 'C', 'aliases', 'brand'),
      ),
    ).to.equal(
      'Stored answers are searched for A, B, and new spellings of C; days that are not searched, because their texts are not stored, are not measured for them.',
    );
    expect(note(change('change', 'C', 'aliases', 'brand'))).to.equal(
      'Stored answers are searched for new spellings of C; no verdict compares across a day whose texts are not stored.',
    );
    expect(note(change('change', 'A', 'domain'), change('retire', 'B', 'name'))).to.equal(null);
    expect(note(change('add', 'Which?', 'text', 'prompt'))).to.equal(null);
  });
});
