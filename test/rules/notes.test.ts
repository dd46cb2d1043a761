import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fact, type NoteCode, noted, noteFor, sentences } from '../../src/contract/notes.js';
import type { Fact } from '../../src/contract/read.js';
import { svc } from '../cli/support/run.js';
import { session } from '../cli/support/session.js';

/** What a note for people must not have. */
const PROGRAMS = /\b[a-z]+_[a-z_]+\b|\bnull\b|\/api\/|metrics\/history|tracked: false/;
const values: { readonly [place: string]: string | number | readonly string[] } = {
  ...{
    start: '2026-11-14',
    end: '2026-11-20',
    since: '2026-11-16',
    newest: '2026-09-01',
    live: '2026-09-26',
  },
  ...{ time: '2026-11-12T08:00:00.000Z', days: 3, asked: 7, shown: 50, total: 61, length: 7, measured: 3 },
  ...{ measured_before: 2, least: 4, more: 1, more_before: 2, share: 40, share_before: 60, surface: 'ui' },
  ...{ names: ['Acme Inc.', 'Zeta'], engines: ['grok'], ids: ['grok', 'llama'] },
  ...{ answers: ['run_1', 'run_2'], reason: 'status 503' },
};
const written: { readonly [place: string]: string } = {
  ...{
    names: 'Acme Inc., Zeta',
    ids: 'grok,llama',
    answers: 'run_1, run_2',
    length: '7 days',
    measured: '3 days',
  },
};
const filled = (form: string) =>
  form.replace(/\{(\w+)\}/g, (_, place: string) => written[place] ?? String(values[place] ?? place));
const all = Object.entries<{ api: string; table?: string; page?: string | null }>(sentences);

/** The fact of a sentence, with a value at each place. */
const factOf = (code: string): Fact => {
  const places = [...sentences[code as NoteCode].api.matchAll(/\{(\w+)\}/g)].map(([, place]) => place!);
  return { code, ...Object.fromEntries(places.map((place) => [place, values[place] ?? place])) };
};

describe('rule: a note has the words of its reader', () => {
  const now = session();

  for (const [code, { api, table = api, page = api }] of all)
    it(code, () => {
      const body = noted([factOf(code)]);
      expect(body.note).to.equal(filled(api));
      expect(noteFor('table', body)).to.equal(filled(table));
      expect(noteFor('page', body)).to.equal(page === null ? null : filled(page));
      expect(filled(table))
        .to.not.match(PROGRAMS)
        .and.not.match(/\bthe zeros\b|\bhits\b|(?<!user )\bagents?\b|\brivals?\b/i);
      expect(filled(page ?? ''))
        .to.not.match(PROGRAMS)
        .and.not.match(/\bhits\b|`|--/);
    });

  it('a note with a fact of a newer server keeps the words of the API', () => {
    const { note, notes } = noted([fact('not_timed')]);
    const newer = { note: `${note} Something else is so.`, notes: [...notes, { code: 'something_else' }] };
    expect(noteFor('table', newer)).to.equal(newer.note);
    expect(noteFor('page', { note: null, notes: [] })).to.equal(null);
  });

  it('dates are written out where the reader wants them so', () => {
    const body = noted([fact('nothing_in_slice', { start: '2026-11-14', end: '2026-11-20' })]);
    const dateOf = (date: string) => `day ${Number(date.slice(8, 10))}`;
    expect(noteFor('page', body, dateOf)).to.equal(
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
    const caveats = noted([fact('not_timed')]);
    const served = { brand: { id: 'b', name: 'B', domain: 'b.example' }, fact_check: null, ...caveats };
    now.server.serve('fact-check', served);
    const told = async (format: string) =>
      (await svc(['fact-check', '--format', format], now.env)).stderr.trim();
    for (const format of ['table', 'md'])
      expect(await told(format)).to.contain('the time to first byte is not known: not measured');
    for (const format of ['csv', 'ndjson']) expect(await told(format)).to.equal(caveats.note);
  });
});
