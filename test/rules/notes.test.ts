import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { noteFor, notes, sentence, sentences } from '../../src/contract/notes.js';
import { svc } from '../cli/support/run.js';
import { session } from '../cli/support/session.js';

/** What a note for people must not have. */
const PROGRAMS = /\b[a-z]+_[a-z_]+\b|\bnull\b|\/api\/|metrics\/history|tracked: false/;
const values: { readonly [place: string]: string } = {
  ...{
    start: '2026-11-14',
    end: '2026-11-20',
    since: '2026-11-16',
    newest: '2026-09-01',
    live: '2026-09-26',
  },
  ...{ time: '2026-11-12T08:00:00.000Z', days: '3', asked: '7', shown: '50', total: '61' },
  ...{ names: 'Acme Inc., Zeta', engines: 'grok' },
  ...{ answers: 'run_1, run_2', reason: 'status 503' },
};
const filled = (form: string) => form.replace(/\{(\w+)\}/g, (_, place: string) => values[place]!);
const all = Object.entries<{ api: string; table?: string; page?: string | null }>(sentences);

describe('rule: a note has the words of its reader', () => {
  const now = session();

  for (const [name, { api, table = api, page = api }] of all)
    it(name, () => {
      const note = filled(api);
      expect(noteFor('table', note)).to.equal(filled(table));
      expect(noteFor('page', note)).to.equal(page === null ? null : filled(page));
      expect(table)
        .to.not.match(PROGRAMS)
        .and.not.match(/\bthe zeros\b|\bhits\b|(?<!user )\bagents?\b|\brivals?\b/i);
      expect(page ?? '')
        .to.not.match(PROGRAMS)
        .and.not.match(/\bhits\b|`|--/);
    });

  it('every sentence is looked up within a note of several', () => {
    for (const reader of ['table', 'page'] as const)
      for (const [name, { api }] of all) {
        const around = [filled(sentences.measuredSince.api), 'A sentence of a newer server.'] as const;
        const own = noteFor(reader, filled(api));
        if (name !== 'measuredSince')
          expect(noteFor(reader, notes([around[0], filled(api), around[1]])!), name).to.equal(
            notes([around[0], own, around[1]]),
          );
      }
  });

  it('dates are written out where the reader wants them so', () => {
    const note = sentence('nothingInSlice', { start: '2026-11-14', end: '2026-11-20' });
    const dateOf = (date: string) => `day ${Number(date.slice(8, 10))}`;
    expect(noteFor('page', note, dateOf)).to.equal(
      'Nothing was collected from these engines from day 14 to day 20.',
    );
  });

  it('no reader writes a sentence of its own', () => {
    const folder = join(import.meta.dirname, '../../src/server/answers/reads');
    for (const file of readdirSync(folder)) {
      const source = readFileSync(join(folder, file), 'utf8');
      expect(
        [...source.matchAll(/['`][A-Z][^'`\n]* [^'`\n]*\.['`]/g)].map(([text]) => text),
        file,
      ).to.deep.equal([]);
    }
  });

  it('formats with the fields of the API have its words', async () => {
    const note = sentence('notTimed');
    const served = { brand: { id: 'b', name: 'B', domain: 'b.example' }, fact_check: null, note };
    now.server.serve('fact-check', served);
    const told = async (format: string) =>
      (await svc(['fact-check', '--format', format], now.env)).stderr.trim();
    for (const format of ['table', 'md'])
      expect(await told(format)).to.contain('the time to first byte is not known: not measured');
    for (const format of ['csv', 'ndjson']) expect(await told(format)).to.equal(note);
  });
});
