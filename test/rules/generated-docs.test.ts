import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deliveryDocs } from '../../scripts/generate/delivery-docs.js';
import { engineDocs } from '../../scripts/generate/engine-docs.js';
import { glossaryDocs } from '../../scripts/generate/glossary-docs.js';
import { collectable } from '../../src/collect/plan/engine-access.js';
import { engines } from '../../src/contract/engines.js';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

describe('rule: the tables of the glossary, of events and of the engines are those of npm run generate', () => {
  it('docs/glossary.md', () => expect(glossaryDocs(read('glossary.md'))).to.equal(read('glossary.md')));

  it('docs/delivery.md', () => expect(deliveryDocs(read('delivery.md'))).to.equal(read('delivery.md')));

  it('docs/collecting.md', () => {
    const text = read('collecting.md');
    expect(engineDocs(text)).to.equal(text);
    const rows = text.split('\n').filter((line) => engines.some(({ id }) => line.includes(`| \`${id}\` |`)));
    expect(rows).to.have.length(engines.length);
    expect(rows.filter((row) => row.includes('import its answers'))).to.have.length(
      engines.length - collectable.length,
    );
  });
});
