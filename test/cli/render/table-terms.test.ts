import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { inTableTerms } from '../../../src/cli/render/table-terms.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

/** The notes of the server's reads, from its sources. */
function sentencesOfReads(): string[] {
  const folder = join(import.meta.dirname, '../../../src/server/reads');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const sources = files.map((name) => readFileSync(join(folder, name), 'utf8').replace(/'\s*\+\s*'/g, ''));
  return sources.flatMap((source) =>
    [...source.matchAll(/['`]([^'`\n]* [^'`\n]*\.)['`]/g)].map(([, text]) => text!),
  );
}

describe('the notes of the API', () => {
  const now = session();

  it('use the terms of tables, without JSON fields and null', () => {
    const sentences = sentencesOfReads();
    expect(sentences.some((text) => text.includes('sentiment_index'))).to.equal(true);
    for (const part of ['are null', 'zeros here stand for'])
      expect(
        sentences.some((text) => text.includes(part)),
        part,
      ).to.equal(true);
    for (const text of sentences) {
      expect(inTableTerms(text), text).to.not.match(/\b[a-z]+_[a-z_]+\b|\bnull\b|\bthe zeros\b|\/api\//);
      expect(inTableTerms(text), text).to.not.match(/\bhits\b|(?<!user )\bagents?\b|\brivals?\b/i);
    }
  });

  it('have no horizon, which no table explains', () => {
    const note =
      'No trend: the window before would begin on 2026-09-25, before the live run horizon (2026-09-26).';
    expect(inTableTerms(note)).to.match(/before 2026-09-26, the first day that is computed from answers\.$/);
  });

  it('stay unchanged in formats with JSON fields', async () => {
    const note = 'ttfb_ms is null: not measured.';
    const served = { brand: { id: 'b', name: 'B', domain: 'b.example' }, fact_check: null, note };
    now.server.serve('fact-check', served);
    const told = async (format: string) =>
      (await svc(['fact-check', '--format', format], now.env)).stderr.trim();
    for (const format of ['table', 'md'])
      expect(await told(format)).to.contain('the time to first byte is not known: not measured.');
    for (const format of ['csv', 'ndjson']) expect(await told(format)).to.equal(note);
  });
});
