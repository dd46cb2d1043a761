/** Numbers of engines, windows and ranges in texts come from the tables: a changed table leaves no stale sentence. */
import { describe, it } from 'node:test';
import { expect } from 'chai';
import { engineAccess } from '../../src/collect/plan/engine-access.js';
import { blendedEngineIds, engineIds, engines } from '../../src/contract/engines.js';
import { label } from '../../src/contract/glossary.js';
import {
  INGEST_LIMITS,
  LIVE_HORIZON_DAYS,
  PAGE_LIMIT,
  RANGE_DAYS_MAX,
  RATE_LIMIT,
  SIGN_IN_LINK_MINUTES,
  TOOL_CAPS,
  WINDOW_PRESETS,
} from '../../src/contract/limits.js';
import { MCP_LIMITS } from '../../src/contract/mcp.js';
import { measureNames } from '../../src/contract/measures.js';
import { resources } from '../../src/contract/registry.js';
import { engineWording, inWords } from '../../src/contract/wording.js';
import { filesIn, read, withoutComments } from './texts.js';

const NUMBER = '(?:no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d+)';

/** What a file states about the number of engines, with the number that the tables give. */
function engineCounts(text: string): { stated: string; wanted: string }[] {
  const found = (pattern: string, wanted: number) =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map((match) => ({
      stated: match[1]!.toLowerCase(),
      wanted: inWords(wanted),
    }));
  return [
    ...found(`\\b(${NUMBER}) search-grounded engines`, blendedEngineIds.length),
    ...found(`\\ball (${NUMBER}) engines`, engineIds.length),
    ...found(
      `(${NUMBER}) engines that have an API`,
      engineAccess.filter(({ protocols }) => protocols.length > 0).length,
    ),
    ...found(`ChatGPT, AI Overviews, Perplexity and (${NUMBER}) more`, engineIds.length - 3),
  ];
}

const mib = (bytes: number): number => bytes / 2 ** 20;

/** Phrases of documents that state a limit of the contract, with its value. */
const limits: readonly (readonly [phrase: RegExp, value: number])[] = [
  [/bucket of (\d+) tokens/g, RATE_LIMIT.perMinute],
  [/has (\d+) requests at once/g, RATE_LIMIT.perMinute],
  [/at most (\d+) days/g, RANGE_DAYS_MAX],
  [/within the last (\d+) days/g, LIVE_HORIZON_DAYS],
  [/A page has (\d+) rows/g, PAGE_LIMIT.maximum],
  [/batch has at most (\d+) messages/g, MCP_LIMITS.batch],
  [/returns the newest (\d+) answers/g, TOOL_CAPS.answers],
  [/up to (\d+) MiB (?:per request|on the wire)/g, mib(INGEST_LIMITS.bodyBytes)],
  [/on the wire and (\d+) MiB decompressed/g, mib(INGEST_LIMITS.decodedBytes)],
];

const docs = ['README.md', ...filesIn('docs', '.md')];
const isDerived = (file: string) => file.endsWith('wording.ts') || read(file).startsWith('// Generated');
const sources = filesIn('src', '.ts').filter((file) => !isDerived(file));

describe('rule: numbers in prose come from the tables', () => {
  it('another engine changes every phrase that counts engines', () => {
    const [engine] = engines;
    const more = engineWording([...engines, { ...engine, id: 'newer', label: 'Newer' }]);
    expect(more.searchGrounded).to.equal(`${inWords(blendedEngineIds.length + 1)} search-grounded engines`);
    expect(more.all).to.equal(`all ${inWords(engineIds.length + 1)} engines`);
  });

  it('no text of a source writes the days of a window itself', () => {
    const written = sources.flatMap((file) =>
      [...withoutComments(read(file)).matchAll(/\blast (?:\d+|seven) days/gi)].map(
        ([each]) => `${file}: ${each}`,
      ),
    );
    expect(written).to.deep.equal([]);
  });

  it('no source writes the number of engines, the presets or the longest range itself', () => {
    const presets = WINDOW_PRESETS.join(', ');
    const written = sources.flatMap((file) => {
      const text = read(file);
      const literal = [`(${presets}`, `most ${RANGE_DAYS_MAX} days`].filter((each) => text.includes(each));
      return [...literal, ...engineCounts(text).map(({ stated }) => `${stated} engines`)].map(
        (each) => `${file}: ${each}`,
      );
    });
    expect(written).to.deep.equal([]);
  });

  it('the documents state the limits that the contract has', () => {
    const texts = docs.map(read);
    for (const [phrase, value] of limits) {
      const stated = texts.flatMap((text) => [...text.matchAll(phrase)].map(([, number]) => Number(number)));
      expect([...new Set(stated)], phrase.source).to.deep.equal([value]);
    }
  });

  it('the README names each metric that is 0 where nothing was measured', () => {
    const { fields } = resources.overview.response;
    const labels = new Set(measureNames.filter((name) => 'whenUnmeasured' in fields[name]).map(label));
    const [, stated = ''] = /Only (.*?) were\s+released without null/s.exec(read(docs[0]!)) ?? [];
    expect(stated.split(/, | and /)).to.deep.equal([...labels]);
  });

  it('the documents state how long a link that signs in works', () => {
    const stated = docs.flatMap((file) => [
      ...read(file).matchAll(/once,\s+(?:within|for)\s+(\w+)\s+minutes/g),
    ]);
    expect(stated.map(([, number]) => number)).to.include(inWords(SIGN_IN_LINK_MINUTES));
    expect(new Set(stated.map(([, number]) => number)).size).to.equal(1);
  });

  it('the documents state the number of engines that the tables have', () => {
    const counts = docs.flatMap((file) => engineCounts(read(file)));
    expect(counts).not.to.deep.equal([]);
    for (const { stated, wanted } of counts) expect(stated).to.equal(wanted);
  });
});
