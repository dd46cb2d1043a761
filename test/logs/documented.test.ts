import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseChunks } from './support/parse.js';

const folder = new URL('../fixtures/log-formats/', import.meta.url);
const parse = (file: string) => parseChunks([readFileSync(new URL(file, folder))]);

/** Formats without a status, or with one under a key that is not read. */
const withoutStatus: ReadonlySet<string> = new Set(['aws-waf.ndjson', 'fastly-datadog.ndjson']);

describe('logs in the form that their vendors document', () => {
  for (const file of readdirSync(folder)) {
    it(`are read from ${file}: two agents, and a browser between them`, () => {
      const { counts, hits, unparsed } = parse(file);
      expect(unparsed).to.deep.equal([]);
      expect(counts).to.include({ totalLines: 3, matched: 2, notRequests: 0, hasUserAgent: true });
      const status = (code: number): number | null => (withoutStatus.has(file) ? null : code);
      expect(
        hits.map(({ agent, path, time, status }) => ({
          ...{ agent, path, time: Math.floor(time / 1000), status },
          identity: undefined,
        })),
      ).to.deep.equal([
        { agent: 'gptbot', path: '/guide/start', time: 1795169925, status: status(200), identity: undefined },
        {
          agent: 'claudebot',
          path: '/robots.txt',
          time: 1795169927,
          status: status(404),
          identity: undefined,
        },
      ]);
      expect(counts.newestTime).to.equal(hits[1]?.time);
    });

    it(`have distinct and stable identities in ${file}`, () => {
      const bytes = readFileSync(new URL(file, folder));
      const identities = parse(file).hits.map((hit) => JSON.stringify(hit.identity));
      expect(new Set(identities).size).to.equal(2);
      expect(parseChunks([bytes]).hits.map((hit) => JSON.stringify(hit.identity))).to.deep.equal(identities);
    });
  }
});
