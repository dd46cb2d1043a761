import { expect } from 'chai';
import fc from 'fast-check';
import { fitted, takesColour, widthOf, wrapped } from '../../../src/cli/render/terminal.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

const stream = (isTTY: boolean) => ({ isTTY }) as NodeJS.WriteStream;

describe('colours', () => {
  const names = ['FORCE_COLOR', 'NO_COLOR', 'TERM'] as const;
  const saved = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  afterEach(() => {
    for (const name of names) {
      if (saved[name] === undefined) delete process.env[name];
      else process.env[name] = saved[name];
    }
  });
  const taken = (variables: { readonly [name: string]: string }, isTTY: boolean) => {
    for (const name of names) delete process.env[name];
    Object.assign(process.env, variables);
    return takesColour(stream(isTTY));
  };

  it('are used on terminals, unless NO_COLOR is set or the terminal is dumb', () => {
    expect(taken({}, true)).to.equal(true);
    expect(taken({}, false)).to.equal(false);
    expect(taken({ NO_COLOR: '1' }, true)).to.equal(false);
    expect(taken({ NO_COLOR: '' }, true)).to.equal(true);
    expect(taken({ TERM: 'dumb' }, true)).to.equal(false);
  });

  it('follow FORCE_COLOR before everything else', () => {
    for (const value of ['1', '3', 'true', '']) {
      expect(taken({ FORCE_COLOR: value }, false)).to.equal(true);
      expect(taken({ FORCE_COLOR: value, NO_COLOR: '1', TERM: 'dumb' }, false)).to.equal(true);
    }
    for (const value of ['0', 'false']) expect(taken({ FORCE_COLOR: value }, true)).to.equal(false);
  });

  describe('in the output of a command', () => {
    const now = session();

    it('are written to a pipe with FORCE_COLOR', async () => {
      const forced = await svc(['overview', '--brand', 'x'], { ...now.env, FORCE_COLOR: '1' });
      expect(forced.stderr).to.contain('\u001b[');
      const plain = await svc(['overview', '--brand', 'x'], now.env);
      expect(plain.stderr).to.not.contain('\u001b[');
    });
  });
});

describe('a wrapped text', () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }).map((words) => words.join(' '));

  it('loses no word and fits, with a longer word on its own line', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (given, width) => {
        const lines = wrapped(given, width);
        expect(lines.join(' ')).to.equal(given);
        for (const line of lines) expect(line.length <= width || !line.includes(' ')).to.equal(true);
      }),
    );
  });

  it('is one line without a width', () => {
    expect(wrapped('a b c', undefined)).to.deep.equal(['a b c']);
  });

  it('loses no letter and fits any width of two or more if words are broken', () => {
    const words = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'ß', '珈', '☕', 'é', '-'), minLength: 1 }),
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (given, width) => {
        const lines = fitted(given.join(' '), width);
        for (const line of lines) expect(widthOf(line)).to.be.at.most(width);
        expect(lines.join('').replaceAll(' ', '')).to.equal(given.join(''));
      }),
    );
  });
});

describe('the width of a long text', () => {
  it('is that of its letters, in any script', () => {
    for (const [letter, width] of [
      ...[
        ['a', 1],
        ['ж', 1],
        ['ש', 1],
        ['ن', 1],
        ['ß', 1],
      ],
      ...[
        ['東', 2],
        ['カ', 2],
        ['한', 2],
        ['、', 2],
        ['Ａ', 2],
        ['🚀', 2],
        ['e\u0301', 1],
        ['👩‍🚀', 2],
      ],
    ] as [string, number][])
      for (const times of [1, 3, 39, 700])
        expect(widthOf(letter.repeat(times)), letter).to.equal(width * times);
  });

  it('is measured in a time that grows with its length', () => {
    // A segmenter, or cli-table3, of the whole text takes minutes for each.
    for (const letter of ['東京1', 'e\u0301', '☕', 'สวัสดี '])
      expect(fitted(letter.repeat(60_000), 80).length).to.be.above(700);
  }).timeout(60_000);
});
