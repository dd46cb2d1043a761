import { expect } from 'chai';
import { addDays } from './days.js';
import { forEveryCase, TODAY } from './generators/seeds.js';
import {
  expectedAnswers,
  expectedBrands,
  expectedCompetitors,
  expectedOverview,
  expectedPrompts,
  expectedSources,
  expectedUrls,
  WORDS,
} from './index.js';
import type { DatasetRecord } from './records.js';
import { plainUrlRules as rules } from './url-rules/plain.js';

describe('reference: scope and caps', () => {
  it('a brand of no or another workspace is unknown, and one never collected is so save in urls', () => {
    const records: DatasetRecord[] = [
      { type: 'workspace', id: 'w', name: 'W', plan: 'trial' },
      { type: 'workspace', id: 'v', name: 'V', plan: 'trial' },
      { type: 'brand', id: 'b', workspace: 'w', name: 'Own', domain: 'own.example' },
    ];
    const brand = { id: 'b', name: 'Own', domain: 'own.example' };
    const inside = { workspace: 'w', today: TODAY };
    const window = { start: addDays(TODAY, -6), end: TODAY, days: 7 };
    const echo = { window, slice: null, measured: null, note: WORDS };
    expect(expectedUrls(records, inside, rules)).to.deep.equal({
      body: { brand, urls: [], ...echo },
      listing: [],
    });
    expect(expectedBrands(records, inside)!.body.brands).to.deep.equal([{ ...brand, archived: false }]);
    expect(expectedBrands(records, { workspace: 'v', today: TODAY })).to.equal(null);
    for (const read of [
      expectedOverview,
      expectedPrompts,
      expectedCompetitors,
      expectedSources,
      expectedAnswers,
    ]) {
      expect(read(records, inside, rules)).to.equal(null);
    }
    for (const scope of [
      { ...inside, brand: 'x' },
      { workspace: 'v', brand: 'b', today: TODAY },
    ]) {
      expect(expectedUrls(records, scope, rules)).to.equal(null);
    }
  });

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
