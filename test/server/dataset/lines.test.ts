import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Line, LineTooLongError, linesOf, MAX_LINE_BYTES } from '../../../src/server/dataset/lines.js';

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

  it('need no line feed at the end of the file, also if it is empty', async () => {
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
    expect(await reading.catch((error: unknown) => error)).to.be.instanceOf(LineTooLongError);
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
