import { expect } from 'chai';
import type { Read } from '../../src/contract/read.js';
import { reads } from '../../src/contract/registry.js';
import { fieldsOf } from '../../src/contract/rows.js';
import type { Schema } from '../../src/contract/schema.js';
import { asMeasured, asReleased } from '../../src/contract/unmeasured.js';

/** Every field of a schema, those in lists included. */
const everyField = (schema: Schema, path: readonly string[] = []): { name: string; schema: Schema }[] =>
  fieldsOf(schema, path).flatMap((field) => {
    const { kind } = field.schema;
    return kind === 'list' ? everyField(field.schema.items, field.path) : field;
  });

describe('rule: fields that were released without null are null wherever nothing was measured', () => {
  const marked = Object.entries(reads).flatMap(([name, { response }]) =>
    everyField(response as Schema)
      .filter(({ schema }) => 'whenUnmeasured' in schema)
      .map((field) => `${name}.${field.name}`),
  );

  it('are these', () => {
    expect(marked).to.deep.equal([
      'overview.visibility',
      'overview.presence_rate',
      'overview.share_of_voice',
      'overview.share_of_voice_fraction',
      'competitors.competitors.visibility',
      'competitors.competitors.share_of_voice',
      'competitors.competitors.share_of_voice_fraction',
      'urls.urls.citations',
      'urls.urls.answers',
      ...['entities', 'by_engine'].flatMap((list) =>
        ['mentions', 'positive', 'neutral', 'negative', 'unscored'].map(
          (name) => `sentiment.${list}.${name}`,
        ),
      ),
      ...['visibility', 'presence_rate', 'share_of_voice', 'share_of_voice_fraction'].map(
        (name) => `briefing.overview.${name}`,
      ),
    ]);
  });

  it('stand in bodies that say whether anything was measured', () => {
    for (const name of new Set(marked.map((field) => field.split('.')[0]!)))
      expect((reads as unknown as Record<string, Read>)[name]!.response.fields, name).to.have.property(
        'measured',
      );
  });

  const { competitors, urls } = reads;
  const row = { id: 'b', visibility: null, share_of_voice_fraction: null, citation_share: null };
  const rival = (value: number | null) => ({ ...row, visibility: value, share_of_voice_fraction: value });

  it('the JSON of a plain read has 0, and null again for people', () => {
    const read = { competitors: [row], slice: null, measured: null, next_cursor: null };
    const sent = asReleased(competitors.response, read);
    expect(sent).to.deep.equal({ ...read, competitors: [rival(0)] });
    expect(Object.keys(sent)).to.deep.equal(Object.keys(read));
    expect(asMeasured(competitors.response, sent)).to.deep.equal(read);
  });

  it('in a slice null stays where the type has it', () => {
    const slice = { tags: ['crm'] };
    const read = { competitors: [row], slice, measured: null };
    expect(asReleased(competitors.response, read)).to.deep.equal(read);
    const cited = { urls: [{ url: 'u', citations: null, answers: null }], slice, measured: null };
    expect(asReleased(urls.response, cited).urls).to.deep.equal([{ url: 'u', citations: 0, answers: 0 }]);
  });

  it('a measured body stays as it is, a measured 0 included', () => {
    const measured = { first_day: '2026-11-20', last_day: '2026-11-20' };
    const read = { competitors: [rival(0)], slice: null, measured };
    expect(asReleased(competitors.response, read)).to.equal(read);
    expect(asMeasured(competitors.response, read)).to.equal(read);
  });
});
