import { expect } from 'chai';
import fc from 'fast-check';
import { ByteBuffer } from '../../../src/server/http/read-body.js';

const memoryOf = (pieces: readonly Buffer[]) =>
  [...new Set(pieces.map((piece) => piece.buffer))].reduce((sum, buffer) => sum + buffer.byteLength, 0);

describe('the bytes of a body', () => {
  it('are kept unchanged and in order, however the chunks are cut', () => {
    const chunk = fc.oneof(
      fc.uint8Array({ maxLength: 50 }),
      fc.uint8Array({ minLength: 5000, maxLength: 9000 }),
    );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
        const buffer = new ByteBuffer();
        for (const each of chunks) buffer.add(Buffer.from(each));
        const whole = Buffer.concat(chunks);
        expect(Buffer.concat(buffer.chunks).equals(whole)).to.equal(true);
        expect(buffer.length).to.equal(whole.length);
      }),
    );
  });

  it('take no more memory in chunks of one byte than in one chunk', () => {
    const buffer = new ByteBuffer();
    const received = Buffer.alloc(65_536, 'x');
    for (let i = 0; i < 300_000; i++) buffer.add(received.subarray(i % 65_536, (i % 65_536) + 1));
    expect(buffer.chunks.length).to.be.below(15);
    expect(memoryOf(buffer.chunks)).to.be.below(300_000 + 65_536);
  });

  it('do not keep the received buffers in memory', () => {
    const buffer = new ByteBuffer();
    const received = Buffer.alloc(65_536, 'x');
    buffer.add(received.subarray(0, 10));
    received.fill('y');
    expect(Buffer.concat(buffer.chunks).toString()).to.equal('xxxxxxxxxx');
    expect(memoryOf(buffer.chunks)).to.be.at.most(4096);
  });
});
