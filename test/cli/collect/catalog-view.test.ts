import { expect } from 'chai';
import { namesNote } from '../../../src/cli/collect/catalog-view.js';
import type { CatalogChange } from '../../../src/server/dataset/apply-catalog.js';

describe('the changes of a catalog', () => {
  const change = (
    action: CatalogChange['action'],
    name: string,
    field: string,
    type: CatalogChange['type'] = 'competitor',
  ): CatalogChange => ({ action, type, id: name, name, fields: [{ field, before: null, after: 'x' }] });

  it('name those that stored answers were not searched for', () => {
    const note = (...changes: CatalogChange[]) => namesNote(changes);
    const head = 'Answers that are stored were searched for the names of their day: ';
    expect(note(change('add', 'Stride', 'name'))).to.equal(
      `${head}Stride is measured from the next collection on, and reads 0 before.`,
    );
    expect(
      note(
        ...[change('add', 'A', 'name'), change('restore', 'B', 'domain')],
        change('change', 'C', 'aliases', 'brand'),
      ),
    ).to.equal(
      `${head}A, B are measured from the next collection on, and read 0 before; new names of C count from the next collection on.`,
    );
    expect(note(change('change', 'A', 'domain'), change('retire', 'B', 'name'))).to.equal(null);
    expect(note(change('add', 'Which?', 'text', 'prompt'))).to.equal(null);
  });
});
