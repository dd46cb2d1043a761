import { expect } from 'chai';
import fc from 'fast-check';
import { recordTypes } from '../../../src/server/dataset/records/index.js';
import { everyType } from './support/all-types.js';
import { prompt, runOf, workspace } from './support/load.js';
import { problemsOf } from './support/problems.js';

describe('dataset: a line', () => {
  it('is accepted for every type with every field', () => {
    for (const record of everyType) expect(problemsOf(record), JSON.stringify(record)).to.deep.equal([]);
  });

  it('may have null for an optional field', () => {
    const nothing = { model: null, answer: null, carousels: null, ad: null, fanouts: null };
    const mentions = [{ name: 'A', order: 1, sentiment: null, evidence: null }];
    expect(problemsOf(runOf('r', { ...nothing, mentions, citations: [{ url: 'x', title: null }] }))).to.be
      .empty;
    expect(problemsOf({ ...prompt, stage: null, topic: null, tags: null, est_volume_band: null })).to.be
      .empty;
  });

  it('may be blank, and may end in a carriage return', () => {
    expect(problemsOf('')).to.be.empty;
    expect(problemsOf(' \t\r')).to.be.empty;
    expect(problemsOf(`${JSON.stringify(workspace)}\r`)).to.be.empty;
  });

  it('must be a JSON object in UTF-8', () => {
    expect(problemsOf(null)).to.deep.equal(['null: expected UTF-8']);
    expect(problemsOf('{"type":')).to.deep.equal(['null: expected a JSON object, got {"type":']);
    expect(problemsOf('[]')).to.deep.equal(['null: expected a JSON object, got []']);
    expect(problemsOf('null')).to.deep.equal(['null: expected a JSON object, got null']);
  });

  it('must have a type of the format', () => {
    const types = recordTypes.join(', ');
    expect(problemsOf({ type: 'runs' })).to.deep.equal([`type: expected one of ${types}, got runs`]);
    expect(problemsOf({ type: 'toString' })).to.deep.equal([`type: expected one of ${types}, got toString`]);
    expect(problemsOf({})).to.deep.equal([`type: expected one of ${types}, got nothing`]);
  });

  it('must not have a field that its type does not have', () => {
    expect(problemsOf({ ...workspace, colour: 1 })).to.deep.equal(['colour: no such field']);
    const mentions = [{ name: 'A', order: 1, rank: 1 }];
    expect(problemsOf(runOf('r', { mentions }))).to.deep.equal(['mentions[0].rank: no such field']);
  });

  it('is refused with every invalid field', () => {
    expect(problemsOf({ ...workspace, id: '', plan: 'gold' })).to.deep.equal([
      'id: expected 1 to 64 characters out of A-Z a-z 0-9 _ . : -, got ',
      'plan: expected one of trial, starter, growth, enterprise, got gold',
    ]);
  });

  it('is refused by field also if its nesting is too deep to be shown', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const types = recordTypes.join(', ');
    expect(problemsOf(deep)).to.deep.equal([`null: expected a JSON object, got ${'['.repeat(60)}…`]);
    expect(problemsOf(`{"type":${deep}}`)).to.deep.equal([
      `type: expected one of ${types}, got a list nested too deeply`,
    ]);
    const run = JSON.stringify(runOf('r', { answer: 0 })).replace('"answer":0', `"answer":{"a":${deep}}`);
    expect(problemsOf(run)).to.deep.equal(['answer: expected text, got an object nested too deeply']);
  });

  it('never causes an exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...recordTypes), fc.object(), fc.json(), (type, fields, text) => {
        problemsOf({ ...fields, type });
        problemsOf(text);
      }),
    );
  });
});
