import { describe, it } from 'node:test';
import { expect } from 'chai';
import { engineAccess } from '../../src/collect/plan/engine-access.js';
import { engines } from '../../src/contract/engines.js';
import { definitions } from '../../src/contract/explanations.js';
import { deliveryDocs } from '../generate/delivery-docs.js';
import { engineDocs } from '../generate/engine-docs.js';
import { glossaryDocs } from '../generate/glossary-docs.js';
import { intervalsPicture } from '../generate/intervals-picture.js';
import { metricsDocs } from '../generate/metrics-docs.js';
import { schemaNames } from '../generate/schema-names.js';
import { read as readText } from './texts.js';

const read = (name: string) => readText(`docs/${name}`);

describe('rule: the tables of the glossary, of metrics, of events and of the engines are those of npm run generate', () => {
  it('docs/glossary.md', () => {
    expect(glossaryDocs(read('glossary.md'))).to.equal(read('glossary.md'));
  });

  it('docs/metrics.md, with every definition', () => {
    const text = read('metrics.md');
    expect(metricsDocs(text)).to.equal(text);
    for (const { name } of definitions()) expect(text, name).to.include(`| \`${name}\` |`);
  });

  it('docs/delivery.md', () => {
    expect(deliveryDocs(read('delivery.md'))).to.equal(read('delivery.md'));
  });

  it('docs/collecting.md', () => {
    const text = read('collecting.md');
    expect(engineDocs(text)).to.equal(text);
    const rows = text.split('\n').filter((line) => engines.some(({ id }) => line.includes(`| \`${id}\` |`)));
    expect(rows).to.have.length(engines.length);
    const withoutApi = engineAccess.filter(({ protocols }) => protocols.length === 0);
    expect(rows.filter((row) => row.includes('offers no API'))).to.have.length(withoutApi.length);
  });
});

describe('rule: other generated files are those of npm run generate', () => {
  it('the names of the OpenAPI schemas', async () => {
    expect(await schemaNames()).to.equal(readText('src/server/web/openapi/generated/schema-names.ts'));
  });

  it('docs/intervals.svg, in which naive intervals miss the true rate more often than 1 in 20', () => {
    const picture = intervalsPicture();
    expect(picture).to.equal(read('intervals.svg'));
    const [naive, clustered] = [...picture.matchAll(/(\d+) of 100 miss/g)].map(([, n]) => Number(n));
    expect(naive).to.be.above(10);
    expect(clustered).to.be.at.most(8);
  });
});
