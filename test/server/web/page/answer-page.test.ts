import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { elementsOf } from './support/data-elements.js';
import { signIn, type Visitor } from './support/visitor.js';

const TEXT =
  'ACME is loved [1].\nGlobex, see https://g.example/x?utm_source=e. Initech too, not https://other.example/.';
const newer = {
  ...at('2026-11-20'),
  answer: TEXT,
  surface: 'ui',
  mentions: [
    { name: 'Acme', order: 1, sentiment: 'positive', evidence: 'ACME is loved' },
    { name: 'Globex', order: 2 },
    { name: 'Initech', order: 3, sentiment: 'negative', evidence: 'Initech too' },
  ],
  citations: [{ url: 'https://a.example/', title: 'A page' }, { url: 'https://g.example/x' }],
  fanouts: ['crm reviews'],
};
const before = {
  ...at('2026-11-12'),
  answer: 'Globex and Hooli.',
  mentions: [
    { name: 'GLOBEX', order: 1 },
    { name: 'Hooli', order: 2 },
  ],
  citations: [{ url: 'https://old.example/' }],
};

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
const card = (html: string, id: string) => html.split(`id="${id}"`)[1]!.split('</section>')[0]!;

describe('the page of an answer', () => {
  let visitor: Visitor;
  const server = fresh(marketServer);
  beforeEach(async () => {
    visitor = await signIn(server, OPERATOR_KEY);
  });

  const page = (run: string, query = '') =>
    visitor.html(`/brands/b/answers/${encodeURIComponent(run)}${query}`);

  it('shows the text with its names marked by whose they are, and citations in place', async () => {
    await server.collect(runOf('r', newer));
    const text = card(await page('r'), 'text');
    expect(text).to.contain(
      '<mark class="own">ACME</mark> is loved <a class="cite" href="#citation-1">[1]</a>.\n',
    );
    expect(text)
      .to.contain('<mark class="rival">Globex</mark>')
      .and.contain('<mark class="other">Initech</mark>');
    expect(text).to.match(/<a href="https:\/\/g\.example\/x\?utm_source=e"[^>]*>https:\/\/g\.example/);
    expect(text).to.contain('not https://other.example/').and.not.contain('href="https://other.example');
    expect(plain(/<p class="answer-text"[^>]*>(.*?)<\/p>/s.exec(text)![1]!)).to.equal(
      TEXT.replace('\n', ' '),
    );
  });

  it('says when, where and how it was collected, whom it names in which tone, what it cites and searched for', async () => {
    await server.collect(runOf('r', { ...newer, model: 'gpt-5', region: 'de' }));
    const html = await page('r', '?days=14');
    expect(plain(html)).to.contain(
      'ChatGPT, 20 Nov · Germany · gpt-5 · collected in the product as people use it',
    );
    const names = plain(card(html, 'names'));

    expect(names).to.contain('1. Acme the brand, positive tone“ACME is loved”');
    expect(names).to.contain('2. Globex competitor, tone not scored');
    expect(names).to.contain('3. Initech not tracked, negative tone');
    expect(card(html, 'names')).to.contain('href="../../../brands/b/competitors/c?days=14"');
    expect(card(html, 'citations')).to.contain('<li id="citation-1">').and.contain('>A page</a>');
    expect(card(html, 'citations')).to.contain('href="../../../brands/b/sources/g.example?days=14"');
    expect(plain(card(html, 'searches'))).to.contain('crm reviews');
    expect(html)
      .to.contain('href="../../../brands/b/prompts/p?days=14"')
      .and.contain('href="../../../brands/b?days=14"');
  });

  it('has the answers before and after: the next of another day to the same prompt on the same engine and region', async () => {
    await server.collect(
      runOf('new', newer),
      runOf('before', before),
      runOf('older', { ...before, ...at('2026-11-01') }),
      runOf('same-day', { ...before, ...at('2026-11-20', '01:00:00') }),
      runOf('other-prompt', { ...before, ...at('2026-11-19'), prompt: 'q' }),
      runOf('other-engine', { ...before, ...at('2026-11-19'), engine: 'gemini' }),
      runOf('other-region', { ...before, ...at('2026-11-19'), region: 'de' }),
    );
    const text = card(await page('new'), 'text');
    expect(text).to.contain('href="../../../brands/b/answers/before"').and.contain('12 Nov 2026');
    const differences = plain(text.split('id="differences"')[1]!);
    expect(differences).to.contain('Named now, not before: Acme, Initech');
    expect(differences).to.contain('Named before, not now: Hooli').and.not.contain('lobex');
    expect(differences).to.contain('Cited now, not before: https://a.example/, https://g.example/x');
    expect(differences).to.contain('Cited before, not now: https://old.example/');
    const oldest = await page('older');
    expect(plain(card(oldest, 'text'))).to.contain('There is no answer of an earlier day');
    expect(oldest).to.match(/answers\/before">The answer after, <time datetime="2026-11-12">/);
    expect(await page('new')).to.not.contain('The answer after');
  });

  it('is whole in a region that no filter can name, and says that the answer before cannot be looked for', async () => {
    for (const [id, region] of [
      ['comma', 'us, east'],
      ['empty', ''],
    ] as const) {
      await server.collect(
        runOf(id, { ...newer, region }),
        runOf(`${id}-old`, { ...before, ...at('2026-11-12'), region }),
      );
      const shown = plain(card(await page(id), 'text'));
      expect(shown).to.contain('ACME is loved').and.contain('no filter can name the region of this answer');
    }
  });

  it('says that a text was not collected, and that one is empty', async () => {
    await server.collect(runOf('none', { mentions: newer.mentions }), runOf('empty', { answer: '' }));
    expect(plain(await page('none'))).to.contain('The text of this answer was not collected');
    expect(plain(await page('empty'))).to.contain('The engine answered with an empty text.');
  });

  it('cuts a text of a megabyte, with a note, and leads to all of it', async () => {
    for (const [id, unit, length] of [
      ['plain', 'lorem ', 1_000_000],
      ['escaped', '"<&\u202e', 200_000],
      ['marked', 'Acme ', 200_000],
      ['wide', '漢字', 200_000],
    ] as const) {
      const repeats = Math.floor(length / unit.length);
      await server.collect(runOf(id, { ...newer, answer: unit.repeat(repeats) }));
      const html = await page(id);
      expect(Buffer.byteLength(html), id).to.be.below(150_000);
      const [, shown, all] = /The first ([\d,]+) of ([\d,]+) characters/.exec(plain(html))!;
      expect(
        [Number(shown!.replaceAll(',', '')) > 3000, all!.length >= 7],
        `${id} ${shown} ${all}`,
      ).to.deep.equal([true, true]);
      const file = /The API has all of them: <a href="([^"]*)">JSON/.exec(html)![1]!.replaceAll('&amp;', '&');
      const response = await visitor.get(
        new URL(file, `http://h/brands/b/answers/${id}`).href.slice('http://h'.length),
      );
      const { answer } = (await response.json()) as { answer: { text: string } };
      expect(answer.text.length, id).to.equal(unit.length * repeats);
    }
  });

  it('shows hostile texts as texts: no element, no address of a script, control characters written out', async () => {
    const hostile =
      '<script>alert(1)</script> [2](javascript:alert(2)) \u202eevil\u0007\u001b[2J https://a.example/"onmouseover=alert(3) می\u200cخواهم 👩\u200d👧';
    const name = '<b>Acme</b>';
    await server.collect(
      runOf('r:..-1', {
        ...newer,
        answer: `${hostile} ${name}`,
        mentions: [{ name, order: 1, sentiment: 'negative', evidence: hostile }],
      }),
    );
    const html = await page('r:..-1');
    for (const { name: element, attributes } of elementsOf(html)) {
      expect(['script', 'b', 'img']).to.not.include(element);
      expect(attributes.replaceAll(/="[^"]*"/g, '')).to.not.match(/\bon\w+|\bstyle\b/);
      expect(attributes).to.not.match(/href="javascript/);
    }
    expect(html).to.not.match(/[^\P{Cc}\n]|[\p{Bidi_Control}\u2028\u2029]/u);
    expect(html).to.contain('\\u202eevil\\u0007\\u001b[2J');
    expect(html).to.contain('می\u200cخواهم').and.contain('👩\u200d👧');
    expect(html).to.match(/<p class="answer-text" dir="auto">/);
  });

  it('is one page for a run that does not exist, that of another brand, and a foreign brand', async () => {
    await server.collect(
      runOf('r', newer),
      { type: 'workspace', id: 'v', name: 'V', plan: 'growth' },
      { type: 'brand', id: 'foreign', workspace: 'v', name: 'F', domain: 'f.example' },
      { type: 'prompt', id: 'p', brand: 'foreign', text: 'x' },
      { ...runOf('hidden', newer), brand: 'foreign' },
    );
    const guest = await signIn(server, await server.key({ workspace: 'w', kind: 'read' }));
    const bodies = await Promise.all(
      [
        'b/answers/nobody',
        'b/answers/hidden',
        'foreign/answers/hidden',
        'foreign/answers/x',
        'none/answers/r',
        'b/answers/%00',
      ].map(async (path) => {
        const response = await guest.get(`/brands/${path}`);
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(bodies).size).to.equal(1);
    expect(bodies[0]).to.match(/^404 /);
    expect((await guest.get('/brands/b/answers/r')).status).to.equal(200);
    expect(
      (await (await signIn(server, OPERATOR_KEY)).get('/brands/foreign/answers/hidden')).status,
    ).to.equal(200);
  });
});
