import { expect } from 'chai';
import { TABS, tabPath } from '../../src/server/web/page/paths.js';
import { elementsOf } from '../server/web/page/support/data-elements.js';
import { signIn } from '../server/web/page/support/visitor.js';
import { OPERATOR_KEY } from '../support/server.js';
import { steering } from './support/hostile.js';
import { ruleServer } from './support/rule-server.js';

const BIDI = '\u202eevil\u2066\u200f';
const WORD = 'w'.repeat(100_000);
/** Texts that a page must show as text. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  "'><svg/onload=alert(3)>",
  '</title></style><iframe src=//evil.example>',
  'javascript:alert(4)',
  '&lt;b&gt; \u0024{alert(5)} {{alert(6)}}',
  BIDI,
  WORD,
  '\u0007\u001b[2J\ud800',
] as const;

const BRAND = 'hostile';
const text = (at: number) => hostile[at % hostile.length]!;
/** Texts that are stored as they are: without lone surrogates and long words, which the import refuses in some fields. */
const tame = (at: number) => text(at).slice(0, 200).toWellFormed();

const runs = hostile.flatMap((_, at) => [
  {
    type: 'run',
    id: `r${at}`,
    brand: BRAND,
    prompt: `p${at}`,
    engine: at % 2 === 0 ? 'chatgpt' : 'gemini',
    region: 'us',
    model: tame(at),
    collected_at: `2026-11-${String(10 + at).padStart(2, '0')}T08:00:00Z`,
    answer: `${tame(at)}\n${tame(0)} [1] ${tame(at + 1)}`,
    mentions: [
      { name: tame(0), order: 1, sentiment: 'negative', evidence: tame(at) },
      { name: tame(at + 1) || 'x', order: 2, sentiment: 'positive', evidence: tame(at + 2) },
    ],
    citations: [
      { url: `https://evil.example/?q=${encodeURIComponent(tame(at))}`, title: tame(at) },
      { url: `https://hostile.example/"><script>${at}` },
    ],
    fanouts: [tame(at) || 'x'],
  },
]);

const data = [
  { type: 'workspace', id: 'w', name: tame(0), plan: 'growth' },
  { type: 'brand', id: BRAND, workspace: 'w', name: tame(0), domain: 'hostile.example' },
  { type: 'brand', id: 'other', workspace: 'w', name: `${BIDI}${tame(1)}`, domain: 'other.example' },
  ...hostile.flatMap((_, at) => [
    { type: 'competitor', id: `c${at}`, brand: BRAND, name: `${at} ${tame(at)}` },
    {
      type: 'prompt',
      id: `p${at}`,
      brand: BRAND,
      text: `${at} ${tame(at)}`,
      tags: [tame(at).slice(0, 60) || 'x'],
    },
  ]),
  ...runs,
];

/** The elements of the page, and nothing else. */
const ELEMENTS =
  'a abbr blockquote body bdi br button circle code data dd desc details div dl dt fieldset footer form g h1 h2 h3 head header html input label legend li line link main mark meta nav ol option p path rect section select small span strong summary svg table tbody td text th thead time title tr ul'.split(
    ' ',
  );

/** The icon of the page, whose address holds it and nothing of a visitor or a record. */
const ICON = /^data:image\/svg\+xml,[\w%.()-]+$/;

describe('rule: hostile texts stay texts on the page', () => {
  const server = ruleServer({ data, clock: 'refill' });

  function expectHarmless(html: string, path: string): void {
    for (const { name, attributes } of elementsOf(html)) {
      expect(ELEMENTS, path).to.include(name);
      expect(attributes.replaceAll(/="[^"]*"/g, ''), path).to.not.match(/\bon\w+|\bstyle\b/i);
      const target = /\s(?:href|src|action)="([^"]*)"/.exec(attributes)?.[1];
      if (target !== undefined)
        if (name !== 'link' || !ICON.test(target))
          expect(target, path).to.match(/^(?:https?:\/\/|\.{1,2}\/|#[a-z]+$|#citation-\d+$|data:,$)/);
    }
    expect(html, path).to.not.match(steering);
    expect(html.length, path).to.be.below(150_000);
  }

  it('in every page of a brand', async () => {
    const guest = await signIn(server, OPERATOR_KEY);
    const brandPage = await guest.html(`/brands/${BRAND}`);
    expect(brandPage).to.contain('&lt;script>alert(1)&lt;/script>');
    for (const path of [
      `/brands/${BRAND}`,
      '/brands',
      '/brands/other',
      ...hostile.flatMap((_, at) => [
        `/brands/${BRAND}/prompts/p${at}`,
        `/brands/${BRAND}/answers/r${at}`,
        `/brands/${BRAND}/competitors/c${at}`,
      ]),
      `/brands/${BRAND}/sources/evil.example`,
      `/brands/${BRAND}?engine=chatgpt`,
      ...TABS.map((tab) => tabPath(BRAND, tab)),
    ])
      expectHarmless(await guest.html(path), path);
  });

  it('in the address', async () => {
    const guest = await signIn(server, OPERATOR_KEY);
    for (const each of hostile.map((_, at) => encodeURIComponent(tame(at)))) {
      for (const path of [
        `/brands/${each}`,
        `/brands/${BRAND}?engine=${each}`,
        ...['prompts', 'answers', 'competitors', 'engines', 'sources'].map(
          (kind) => `/brands/${BRAND}/${kind}/${each}`,
        ),
        `/brands?page=${each}`,
      ]) {
        const response = await guest.get(path);
        // A word is a host: its page says that no answer cites it.
        const possible = /\/sources\/w+$/.test(path) ? [200] : [400, 404];
        expect(possible, path).to.include(response.status);
        expectHarmless(await response.text(), path);
      }
      const form = await server.request(`/sign-in?to=${each}`, null);
      expectHarmless(await form.text(), each);
    }
  });

  it('in a file of the chart', async () => {
    const guest = await signIn(server, OPERATOR_KEY);
    const response = await guest.get(`/brands/${BRAND}/visibility.csv`);
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
  });
});
