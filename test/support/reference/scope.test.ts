import { expect } from 'chai';
import { forEveryCase } from './generators/seeds.js';
import { expectedAnswers, expectedSources, expectedUrls } from './index.js';
import { plainUrlRules as rules } from './url-rules/plain.js';

describe('reference: caps', () => {
  it('bodies are the head of their order, and listings hold each row once', () => {
    forEveryCase(({ records, scope }) => {
      const sources = expectedSources(records, scope, rules)!;
      const urls = expectedUrls(records, scope, rules)!;
      const answers = expectedAnswers(records, scope, rules)!;
      expect(sources.body.sources).to.have.length(Math.min(20, sources.listing.length));
      expect(urls.body.urls).to.have.length(Math.min(50, urls.listing.length));
      expect(answers.body.answers).to.deep.equal(answers.listing.slice(0, 200));
      expect(new Set(urls.listing.map((row) => row.url)).size).to.equal(urls.listing.length);
      const least = Math.min(...sources.body.sources.map((row) => row.citations));
      const left = sources.listing.filter((row) => !sources.body.sources.includes(row));
      expect(left.every((row) => row.citations <= least)).to.equal(true);
    });
  });
});
