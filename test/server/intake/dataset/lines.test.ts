import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { ExpectedError } from '../../../../src/contract/failure.js';
import { type Line, linesOf, MAX_LINE_BYTES } from '../../../../src/server/intake/dataset/lines.js';
import { recordTypes } from '../../../../src/server/intake/dataset/records/index.js';
import { everyType } from './support/all-types.js';
import { prompt, runOf, workspace } from './support/load.js';
import { problemsOf } from './support/problems.js';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesIn(bytes: Uint8Array, size = bytes.length || 1): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const group of linesOf(inPieces(bytes, size))) lines.push(...group);
  return lines;
}

const textsIn = async (bytes: Uint8Array, size?: number) =>
  (await linesIn(bytes, size)).map(({ text }) => text);

describe('dataset: lines', () => {
  it('do not depend on where the stream is cut, gzipped or not', async () => {
    const line = fc
      .string({ unit: 'grapheme' })
      .map((text) => text.replaceAll('\n', '').replaceAll('\uFEFF', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (lines, size, zip) => {
          const plain = Buffer.from(lines.map((each) => `${each}\n`).join(''));
          expect(await textsIn(zip ? gzipSync(plain) : plain, size)).to.deep.equal(lines.map((each) => each));
        },
      ),
    );
  });

  it('are numbered from 1, including blank ones', async () => {
    expect((await linesIn(Buffer.from('a\n\nb'), 1)).map(({ number }) => number)).to.deep.equal([1, 2, 3]);
  });

  it('need no line feed at the end of the file, even if it is empty', async () => {
    expect(await textsIn(Buffer.from('a\nb'))).to.deep.equal(['a', 'b']);
    expect(await textsIn(Buffer.from('a\nb\n'))).to.deep.equal(['a', 'b']);
    expect(await textsIn(Buffer.from(''))).to.deep.equal([]);
  });

  it('lose a byte order mark only at the beginning of the file', async () => {
    expect(await textsIn(Buffer.from('\uFEFFa\n\uFEFFb'), 1)).to.deep.equal(['a', '\uFEFFb']);
  });

  it('are marked if they are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('ä\n'), Buffer.from([0xe4, 0x0a]), Buffer.from('ö\n')]);
    expect(await textsIn(bytes)).to.deep.equal(['ä', null, 'ö']);
  });

  it('are read from all members of a gzip file', async () => {
    const bytes = Buffer.concat([gzipSync('a\nb'), gzipSync('c\nd\n')]);
    expect(await textsIn(bytes)).to.deep.equal(['a', 'bc', 'd']);
  });

  it('are an error if the gzip stream is truncated', async () => {
    const bytes = gzipSync('a\n'.repeat(9999));
    const error = await linesIn(bytes.subarray(0, bytes.length - 9)).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
  });

  it('are refused at a length limit, before they fill the memory', async () => {
    let sent = 0;
    const endless = async function* () {
      for (; ; sent++) yield Buffer.alloc(1024 * 1024, 'x');
    };
    const reading = (async () => {
      for await (const _ of linesOf(endless())) throw new Error('there is no line');
    })();
    expect(await reading.catch((error: unknown) => error)).to.be.instanceOf(ExpectedError);
    expect(sent * 1024 * 1024).to.be.at.most(MAX_LINE_BYTES + 1024 * 1024);
  });

  it('stop the source when the reader stops', async () => {
    let stopped = false;
    const source = async function* () {
      try {
        for (;;) yield Buffer.from('a\n');
      } finally {
        stopped = true;
      }
    };
    for await (const _ of linesOf(source())) break;
    expect(stopped).to.equal(true);
  });
});

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

  it('is refused by field even if its nesting is too deep to be shown', () => {
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
