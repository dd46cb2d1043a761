import { expect } from 'chai';
import { isRightToLeft, markdownText, markedText, textLines } from '../../../src/cli/render/answer-text.js';
import { widthOf } from '../../../src/cli/render/terminal.js';
import { linksOf, steering, withoutOwn } from '../../rules/support/hostile.js';
import { onTerminal } from '../support/terminal.js';

const span = (start: number, end: number, entity: string | null = null, is_brand = false) => ({
  ...{ start, end, entity, is_brand },
});

/** The lines without marks. */
const plain = (text: string, width?: number) =>
  textLines(markedText(text, []), width).map(({ shown }) => withoutOwn(shown));

describe('the text of an answer on a terminal', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  /** The text as a terminal gets it. */
  const drawn = (env: object, text: string, spans: ReturnType<typeof span>[], width?: number) =>
    onTerminal(async () => {
      const { FORCE_COLOR: _, NO_COLOR: __, ...own } = before;
      process.env = { ...own, TERM: 'xterm', ...env };
      return textLines(markedText(text, spans), width)
        .map(({ shown }) => shown)
        .join('\n');
    });
  const bold = (text: string, colour = '') =>
    colour === '' ? `\u001b[1m${text}\u001b[22m` : `\u001b[1m\u001b[${colour}m${text}\u001b[39m\u001b[22m`;

  it('has every character but the spaces at which it breaks, in the width', () => {
    const texts = [
      'A good machine heats evenly, and is easy to clean.\n\n  - one\n  - two  spaces',
      `${'x'.repeat(95)} y ${'東京のコーヒー'.repeat(9)} z`,
      'مرحبا بالعالم من القاهرة ومن الإسكندرية',
      'a  b   c    d '.repeat(20),
    ];
    for (const text of texts)
      for (const width of [1, 7, 40, undefined]) {
        const lines = plain(text, width);
        expect(lines.join('').replaceAll(' ', ''), text).to.equal(text.replace(/[\n ]/g, ''));
        if (width && width > 1) for (const line of lines) expect(widthOf(line), line).to.be.at.most(width);
      }
    expect(plain('one\r\ntwo\rthree\u2028four')).to.deep.equal(['one', 'two', 'three', 'four']);
  });

  it('marks names by whose they are, by code points, also over the end of a line', async () => {
    const text = '😀 Acme, Beta\nLabs, Gamma';
    const spans = [span(2, 6, 'b', true), span(8, 17, 'c'), span(19, 24)];
    const [first, second] = (await drawn({}, text, spans)).split('\n');
    expect(first).to.equal(`😀 ${bold('Acme', '36')}, ${bold('Beta', '35')}`);
    expect(second).to.equal(`${bold('Labs', '35')}, ${bold('Gamma')}`);
    expect(await drawn({}, 'one Beta Labs', [span(4, 13, 'c')], 8)).to.equal(
      `one ${bold('Beta', '35')}\n${bold('Labs', '35')}`,
    );
  });

  it('marks them by weight only where there are no colours, and not at all in a pipe', async () => {
    const args = ['Acme', [span(0, 4, 'b', true)]] as const;
    expect(await drawn({ NO_COLOR: '1' }, args[0], [...args[1]])).to.equal(bold('Acme'));
    expect(await drawn({ TERM: 'dumb' }, args[0], [...args[1]])).to.equal('Acme');
    expect(textLines(markedText(args[0], args[1]), undefined)[0]!.shown).to.equal('Acme');
  });

  it('keeps addresses as links, over line ends too, without the end of the sentence', async () => {
    const env = { WT_SESSION: '1', NO_COLOR: '1' };
    const shown = await drawn(
      env,
      'See https://acme.example/a/long/page?x=1. Or javascript:alert(1)',
      [],
      20,
    );
    expect(new Set(linksOf(shown))).to.deep.equal(new Set(['https://acme.example/a/long/page?x=1']));
    expect(shown.split('\n').length).to.be.above(3);
    const named = await drawn(env, '[x](https://acme.example/)', [span(12, 16, 'b', true)]);
    expect(new Set(linksOf(named))).to.deep.equal(new Set(['https://acme.example/']));
    expect(withoutOwn(named)).to.equal('[x](https://acme.example/)');
  });

  it('has nothing that a terminal executes, and survives places that are wrong', async () => {
    const text = 'a\u001b]0;owned\u0007b\u001b[2J\u202ec\u0000\u009b31m';
    const wrong = [span(-3, 2), span(5, 4), span(3, 900), span(7, 8), span(9999, 10_000)];
    const shown = await drawn({}, text, wrong);
    expect(withoutOwn(shown)).to.equal('a]0;ownedb[2Jc31m');
    expect(withoutOwn(shown)).to.not.match(steering);
  });

  it('is drawn from a megabyte of each script', () => {
    for (const word of ['word ', 'слово ', '東京', 'مرحبا ']) {
      const text = Array.from({ length: 200_000 }, (_, at) => word + (at % 97)).join('');
      expect(plain(text, 80).length, word).to.be.above(10_000);
    }
  }).timeout(60_000);

  it('becomes a quotation in Markdown, whose names are bold and whose markup is text', () => {
    const marked = markedText('# Acme\n- *x* [y](javascript:1)\n\n<b>', [span(2, 6, 'b', true)]);
    expect(markdownText(marked)).to.equal('> \\# **Acme**\n> \\- \\*x\\* \\[y\\](javascript:1)\n>\n> &lt;b>');
  });

  it('knows scripts that are written from right to left', () => {
    expect(['abc', '東京', 'مرحبا', 'שלום'].map(isRightToLeft)).to.deep.equal([false, false, true, true]);
  });
});
