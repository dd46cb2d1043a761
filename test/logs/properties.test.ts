import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { randomFrom } from '../../bench/support/make-log.js';
import { createLogParser, type LogCounts } from '../../src/logs/parse.js';
import { cut, now, parseChunks } from './support/parse.js';

const folder = new URL('../fixtures/logs/', import.meta.url);
const files = readdirSync(folder).map((name) => readFileSync(new URL(name, folder)));
const recorded = files.flatMap((file) =>
  file
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== ''),
);

const summed = (counts: LogCounts): number =>
  counts.totalLines + counts.unparsed + counts.blank + counts.notRequests;

/** Lines, and bytes that occur between and inside them in damaged logs. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...recorded).map((line) => `${line}\n`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\n',
      '\r\n',
      '{',
      '}',
      '[',
      ']',
      '{"logs":[',
      '"',
      '\\',
      ',',
      '# x\n',
      '\ufeff',
      ' ',
      '[{"a":"',
      '{}',
      '[{},\n{}]\n',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const body = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
const places = fc.array(fc.nat(), { maxLength: 12 });

describe('the parser', () => {
  it('returns the same result wherever the body is cut', () => {
    fc.assert(
      fc.property(body, places, (bytes, where) => {
        expect(parseChunks(cut(bytes, where))).to.deep.equal(parseChunks([bytes]));
      }),
      { numRuns: 1500 },
    );
  });

  it('returns the same result byte by byte, for lines and for documents beyond the limit of a line', () => {
    const array = Buffer.from(
      JSON.stringify(
        Array.from({ length: 40 }, (_, i) => ({
          url: `/${i}`,
          ua: 'GPTBot',
          ts: 1795169925,
          text: 'x'.repeat(i === 20 ? 70_000 : 900),
        })),
        null,
        1,
      ),
    );
    const texts = files.map((file) => file.subarray(0, 20_000));
    for (const bytes of [...texts, array]) {
      const steps = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
        bytes.subarray(i * 7, i * 7 + 7),
      );
      expect(parseChunks(steps)).to.deep.equal(parseChunks([bytes]));
    }
  });

  it('counts every record once, for any bytes', () => {
    fc.assert(
      fc.property(fc.oneof(body, fc.uint8Array({ maxLength: 300 })), (bytes) => {
        const { counts, hits, unparsed } = parseChunks([bytes]);
        expect(summed(counts)).to.equal(counts.records);
        expect(hits).to.have.length(counts.matched);
        expect(unparsed).to.have.length(counts.unparsed);
        expect(counts.matched).to.be.at.most(counts.totalLines);
        expect(counts.newestTime === null).to.equal(counts.totalLines === 0);
      }),
      { numRuns: 1500 },
    );
  });

  it('counts every line of text once', () => {
    const line = fc
      .string({ unit: 'binary' })
      .map((text) => text.replaceAll('\n', '').replace(/^[\ufeff{[\s]+/, ''));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        expect(parseChunks([Buffer.from(lines.map((one) => `${one}\n`).join(''))]).counts.records).to.equal(
          lines.length,
        );
      }),
    );
  });

  it('survives 100,000 recorded lines with mutations, and loses no record', () => {
    const random = randomFrom(7);
    const pick = (limit: number): number => Math.floor(random() * limit);
    const strange = [
      '"',
      '\\',
      '\n',
      '[',
      ']',
      '{',
      '}',
      ' ',
      '\t',
      '\r',
      '\0',
      '\xff',
      '\x1f',
      '-',
      ':',
      '\\x',
      '%20',
    ];
    const mutated = Array.from({ length: 100_000 }, () => {
      const line = recorded[pick(recorded.length)] as string;
      const at = pick(line.length);
      const kind = pick(4);
      if (kind === 0) return line.slice(0, at);
      if (kind === 1) return line.slice(0, at) + strange[pick(strange.length)] + line.slice(at);
      if (kind === 2) return line.slice(0, at) + line.slice(at + 1 + pick(20));
      return line.slice(0, at) + (recorded[pick(recorded.length)] as string).slice(pick(200));
    });
    const bytes = Buffer.from(mutated.join('\n'), 'latin1');
    const lines = bytes.toString('latin1').split('\n').length;
    let hits = 0;
    const parser = createLogParser({
      now,
      onHit: ({ path, time }) => {
        hits++;
        if (!path.isWellFormed() || path.length > 2048 || Number.isNaN(time))
          throw new Error(`bad hit ${path}`);
      },
    });
    for (let at = 0; at < bytes.length; at += 131_072) parser.push(bytes.subarray(at, at + 131_072));
    const counts = parser.end();
    expect(summed(counts)).to.equal(counts.records);
    expect(counts.records).to.equal(lines);
    expect(counts.matched).to.equal(hits);
    expect(counts.matched).to.be.above(10_000);
    expect(counts.unparsed).to.be.above(10_000);
  });

  it('does not change or keep a chunk that it was given', () => {
    const [file = Buffer.alloc(0)] = files;
    const expected = parseChunks([file]);
    const reused = Buffer.alloc(1000);
    const hits: unknown[] = [];
    const parser = createLogParser({ now, onHit: (hit) => hits.push(hit) });
    for (let at = 0; at < file.length; at += 1000) {
      const length = file.copy(reused, 0, at);
      parser.push(reused.subarray(0, length));
      reused.fill(0x41);
    }
    expect(parser.end()).to.deep.equal(expected.counts);
    expect(hits).to.deep.equal(expected.hits);
  });
});
