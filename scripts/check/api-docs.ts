import { describe, it } from 'node:test';
import { expect } from 'chai';
import { competitor } from '../../src/contract/reads/competitors.js';
import { API_VERSION } from '../../src/contract/versions.js';
import { examples } from '../../src/server/web/openapi/generated/examples.js';
import { apiDocs } from '../generate/api-docs.js';
import { read } from './texts.js';

const text = read('docs/api.md');

describe('rule: the tables of docs/api.md are those of npm run generate', () => {
  it('in every line', () => {
    expect(apiDocs(text, examples)).to.equal(text);
  });

  it('are written anew between their markers, and nothing else changes', () => {
    const emptied = text.replaceAll(/(<!-- generated: \S+ -->\n)[\s\S]*?(<!-- end -->)/g, '$1$2');
    expect(emptied.length).to.be.below(text.length / 2);
    expect(apiDocs(emptied, examples)).to.equal(text);
  });

  it('have the version of the API, and every field of a competitor', () => {
    expect(text.match(/^X-SVC-API-Version: .*$/gm)).to.deep.equal([`X-SVC-API-Version: ${API_VERSION}`]);
    const row = text.split('\n').find((line) => line.startsWith('{') && line.includes('"is_brand"'))!;
    expect(JSON.parse(row)).to.have.all.keys(Object.keys(competitor.fields));
  });

  it('a read without a place, and a place without a read, are errors', () => {
    expect(() => apiDocs(text.replace('<!-- generated: overview -->', ''), examples)).to.throw(
      'generated: overview',
    );
    expect(() => apiDocs(`${text}<!-- generated: nothing -->\n<!-- end -->`, examples)).to.throw('nothing');
  });
});
