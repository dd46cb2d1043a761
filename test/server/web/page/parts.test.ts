import { expect } from 'chai';
import fc from 'fast-check';
import { h } from 'preact';
import { marked } from '../../../../src/server/web/page/blocks/answers.js';
import { sevenDayMeans } from '../../../../src/server/web/page/blocks/history.js';
import { documentOf, html } from '../../../../src/server/web/page/html.js';
import { type LineChart, lineChart } from '../../../../src/server/web/page/parts/line-chart.js';
import { externalLink, truncated, userText } from '../../../../src/server/web/page/parts/text.js';
import { elementsOf } from './support/data-elements.js';

const rendered = (content: unknown) => documentOf(h('p', null, content as never));

describe('parts of the page', () => {
  it('a text is one line, ends, and controls nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const line = truncated(text, 50);
        expect(line).to.not.match(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
        // Each of 50 characters may be written out as \u0000 twice.
        expect(line.length).to.be.at.most(51 * 12);
      }),
    );
    expect(truncated('w'.repeat(100_000), 50).length).to.equal(51);
  });

  it('isolates every text with letters that are written from right to left', () => {
    const isIsolated = (text: string) => rendered(userText(text)).includes('<bdi>');
    const rightToLeft = fc.constantFrom('شركة', 'חברת', 'ܐ', '\u07c0', '\u{10a00}', '\u{1e900}');
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), rightToLeft, fc.string({ maxLength: 40 }), (a, b, c) => {
        expect(isIsolated(a + b + c)).to.equal(true);
      }),
    );
    for (const text of ['Ångström & Sons', 'www.example.com/a?b=1', 'Łódź – “what’s” 100 %…'])
      expect(isIsolated(text), text).to.equal(false);
  });

  it('an address becomes a link only by http and https', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.constantFrom('javascript:alert(1)', 'data:text/html,x', '//x', 'https://'),
        ),
        (url) => {
          for (const { name, attributes } of elementsOf(rendered(externalLink(url)))) {
            if (name === 'a') expect(attributes).to.match(/href="https?:\/\//);
          }
        },
      ),
    );
  });

  it('marks names without losing or adding a character', () => {
    const names = fc.array(fc.record({ name: fc.string({ maxLength: 6 }), is_brand: fc.boolean() }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), names, (text, given) => {
        const [, inner = ''] = /<bdi>(.*)<\/bdi>/s.exec(rendered(marked(text, given)))!;
        const plain = inner.replaceAll(/<\/?mark[^>]*>/g, '');
        expect(plain).to.equal(
          /<bdi>(.*)<\/bdi>/s.exec(rendered(html`<bdi>${truncated(text, 400)}</bdi>`))![1],
        );
      }),
    );
    const named = rendered(
      marked('Acme Pro beats Globex', [
        { name: 'acme', is_brand: true },
        { name: 'ACME PRO', is_brand: false },
        { name: 'Globex', is_brand: false },
      ]),
    );
    expect(named).to.contain('<mark class="rival">Acme Pro</mark> beats <mark class="rival">Globex</mark>');
  });

  const chartOf = (lines: LineChart['lines']) =>
    rendered(
      lineChart({
        ...{ id: 'x', title: 't', description: 'd', lines, dots: [], stretches: [], flags: [], unit: '' },
        format: String,
      }),
    );
  const lineOf = (points: LineChart['dots']) => ({ name: 'a', isOwn: true, end: '', points });

  it('a line has a gap where nothing was measured, and a dot for a day between two gaps', () => {
    const values = [1, 2, null, 3, null, null, 4, 5];
    const svg = chartOf([lineOf(values.map((value, at) => ({ date: `2026-11-0${at + 1}`, value })))]);
    const [, path = ''] = /class="line own"><path d="([^"]*)"/.exec(svg)!;
    expect(path.match(/M/g)).to.have.length(3);
    // In the drawing for broad screens and in that for telephones.
    expect(svg.match(/<circle/g)).to.have.length(2);
    expect(svg).to.not.match(/NaN|style=/);
  });

  it('a chart of nothing is drawn', () => {
    for (const lines of [
      [],
      [lineOf([])],
      [lineOf([{ date: '2026-11-01', value: null }])],
      [lineOf([{ date: '2026-11-01', value: 0 }])],
    ])
      expect(chartOf(lines)).to.not.match(/NaN|Infinity/);
  });

  it('the mean of seven days is that of their answers, and of no day without a value', () => {
    const points = fc.array(
      fc.record({
        value: fc.option(fc.integer({ min: 0, max: 100 })),
        sample_size: fc.integer({ min: 1, max: 50 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(points, (days) => {
        const all = days.map((each, at) => ({ date: String(at), change: null, ...each }));
        const means = sevenDayMeans(all as never);
        for (const [at, { value }] of means.entries()) {
          const known = all.slice(Math.max(0, at - 6), at + 1).filter((each) => each.value !== null);
          if (all[at]!.value === null) expect(value).to.equal(null);
          else {
            expect(value).to.be.at.least(Math.min(...known.map((each) => each.value!)) - 1e-9);
            expect(value).to.be.at.most(Math.max(...known.map((each) => each.value!)) + 1e-9);
          }
        }
      }),
    );
  });
});
