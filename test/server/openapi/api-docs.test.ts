import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiDocs } from '../../../scripts/generate/api-docs.js';

const text = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');

describe('the tables of docs/api.md', () => {
  it('are those of npm run generate', () => {
    expect(apiDocs(text)).to.equal(text);
  });

  it('are written anew between their markers, and nothing else changes', () => {
    const emptied = text.replaceAll(/(<!-- generated: \S+ -->\n)[\s\S]*?(<!-- end -->)/g, '$1$2');
    expect(emptied.length).to.be.below(text.length / 2);
    expect(apiDocs(emptied)).to.equal(text);
  });

  it('a read without a place, and a place without a read, are errors', () => {
    expect(() => apiDocs(text.replace('<!-- generated: overview -->', ''))).to.throw('generated: overview');
    expect(() => apiDocs(`${text}<!-- generated: nothing -->\n<!-- end -->`)).to.throw('nothing');
  });
});
