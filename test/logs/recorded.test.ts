import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseChunks } from './support/parse.js';

const folder = new URL('../fixtures/logs/', import.meta.url);

function parseFile(name: string) {
  const { counts, hits, unparsed } = parseChunks([readFileSync(new URL(name, folder))]);
  const hitsOf = (agent: string): number => hits.filter((hit) => hit.agent === agent).length;
  return {
    counts,
    hits,
    unparsed,
    gptbot: hitsOf('gptbot'),
    claudebot: hitsOf('claudebot'),
    bytespider: hitsOf('bytespider'),
  };
}

describe('the parser on logs of real servers', () => {
  const rows: [
    file: string,
    entries: number,
    matched: number,
    gptbot: number,
    claudebot: number,
    bytespider: number,
  ][] = [
    ['nginx-1.22-combined.log', 341, 159, 29, 20, 21],
    ['nginx-1.22-main-xff.log', 341, 159, 29, 20, 21],
    ['nginx-1.22-host-prefixed.log', 341, 159, 29, 20, 21],
    ['nginx-1.22-escape-json.ndjson', 341, 159, 29, 20, 21],
    ['apache-2.4-combined.log', 339, 166, 30, 21, 21],
    ['apache-2.4-vhost_combined.log', 339, 166, 30, 21, 21],
    ['apache-2.4-common.log', 339, 0, 0, 0, 0],
    ['caddy-2.6-access.ndjson', 330, 171, 31, 22, 21],
  ];

  for (const [file, entries, matched, gptbot, claudebot, bytespider] of rows) {
    it(`reads every entry of ${file}`, () => {
      const parsed = parseFile(file);
      expect(parsed.unparsed).to.deep.equal([]);
      expect(parsed.counts).to.include({
        records: entries,
        totalLines: entries,
        matched,
        blank: 0,
        notRequests: 0,
      });
      expect(parsed).to.include({ gptbot, claudebot, bytespider });
      expect(parsed.counts.hasUserAgent).to.equal(file !== 'apache-2.4-common.log');
    });
  }

  it('distinguishes five identical hits of one second', () => {
    const identities = parseFile('nginx-1.22-combined.log')
      .hits.filter((hit) => hit.path === '/dup')
      .map(({ identity }) => (identity.kind === 'tuple' ? identity.ordinal : identity.id));
    expect(identities).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('never gives two records of one file the same identity', () => {
    for (const [file, , matched] of rows) {
      const identities = parseFile(file).hits.map((hit) => JSON.stringify(hit.identity));
      expect(new Set(identities).size, file).to.equal(matched);
    }
  });

  it('reads the same paths from the text log and the JSON log of one server', () => {
    const paths = (file: string): string[] =>
      parseFile(file).hits.map(({ agent, path }) => `${agent} ${path}`);
    expect(paths('nginx-1.22-escape-json.ndjson')).to.deep.equal(paths('nginx-1.22-combined.log'));
  });
});
