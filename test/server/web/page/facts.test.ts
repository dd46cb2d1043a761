import { expect } from 'chai';
import fc from 'fast-check';
import { claimIn } from '../../../../src/server/web/page/parts/claim.js';
import { fresh } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

const sentenceOf = (text: string, claim: string) => {
  const found = claimIn(text, claim);
  return found && text.slice(found.sentence.start, found.sentence.end);
};

describe('the sentence of a claim', () => {
  it('is found word for word, whatever the case, the white space, the emphasis and the quotation marks', () => {
    const text = 'Acme is loved.\n- The **Acme One** has a 5.5  litre tank, they say. It is red.';
    for (const claim of ['the acme one has a 5.5 litre tank', '“has a\n5.5 litre tank…”', '*One* has a'])
      expect(sentenceOf(text, claim), claim).to.equal('- The **Acme One** has a 5.5  litre tank, they say.');
  });

  it('is none without all of its words, also where they are parts of longer words and numbers', () => {
    const text = 'It costs 15.5 dollars. Acmes are old.';
    for (const claim of ['5.5 dollars', 'costs 15', 'Acme', 'costs 15.5 euros', '', '…', '('])
      expect(claimIn(text, claim), claim).to.equal(null);
  });

  it('has every claim that is cut out of a text at its words', () => {
    const word = fc.stringMatching(/^[a-z.+?([\\]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.nat(), fc.nat(), (words, from, length) => {
        const text = words.map((each) => `x${each}x`).join(' ');
        const claim = text
          .split(' ')
          .slice(from % words.length, (from % words.length) + 1 + (length % 5))
          .join(' ');
        const found = claimIn(text, claim)!;
        expect(text.slice(found.start, found.end)).to.equal(claim);
        expect(found.sentence.start).to.be.at.most(found.start);
        expect(found.sentence.end).to.be.at.least(found.end);
      }),
    );
  });
});

const ANSWER = 'Globex is fast. Acme has a two-litre tank [2], says Globex. Hooli is old.';
const answer = {
  ...at('2026-11-18'),
  engine: 'chatgpt',
  answer: ANSWER,
  mentions: [
    { name: 'Acme', order: 1 },
    { name: 'Globex', order: 2 },
  ],
  citations: [{ url: 'https://g.example/x' }, { url: 'https://tanks.example/', title: 'On tanks' }],
};
const claim = { engine: 'chatgpt', truth: 'One litre', severity: 'high' };
const check = (...discrepancies: object[]) => ({
  type: 'fact_check',
  brand: 'b',
  checked_at: '2026-11-18T12:00:00Z',
  answers_checked: 7,
  discrepancies,
});

describe('wrong facts on the page', () => {
  let visitor: Visitor;
  const server = fresh(marketServer);
  beforeEach(async () => {
    visitor = await signIn(server, OPERATOR_KEY);
  });
  const page = (path: string) => visitor.html(`/brands/b/${path}`);
  const plain = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

  it('Facts has each claim marked in its sentence, the answer, and the page that the sentence refers to', async () => {
    await server.collect(
      runOf('r', answer),
      check(
        { ...claim, claim: 'has a two-litre tank', run_id: 'r' },
        { ...claim, claim: 'Acme was founded in 1998', run_id: 'r' },
        { ...claim, claim: 'Acme is dear' },
      ),
    );
    const html = await page('facts');
    expect(plain(html)).to.contain('1 of 7 checked answers is wrong.');
    const [, tank, founded, dear] = html.split('id="facts"')[1]!.split('<tbody>')[1]!.split('<tr');
    expect(tank).to.contain('“Acme <mark class="wrong">has a two-litre tank</mark> [2], says Globex.”');
    expect(tank).to.match(
      /href="[^"]*answers\/r(\?[^"#]*)?#wrong">answer of <time datetime="2026-11-18">18 Nov</,
    );
    expect(tank).to.contain('On tanks</a>').and.not.contain('g.example');
    expect(founded).to.contain('“Acme was founded in 1998”').and.contain('g.example/x</a> and 1 more');
    expect(dear).to.contain('“Acme is dear”').and.not.contain('#wrong');
  });

  it('the answer marks the sentence around its names and links, and says what is true', async () => {
    await server.collect(
      runOf('r', answer),
      check(
        { ...claim, claim: 'has a two-litre tank', run_id: 'r' },
        { ...claim, claim: 'Acme was founded in 1998', run_id: 'r' },
      ),
    );
    const html = await page('answers/r');
    expect(html).to.contain(
      'is fast. <mark class="wrong" id="wrong"><mark class="own">Acme</mark> has a two-litre tank <a class="cite" href="#citation-2">[2]</a>, says <mark class="rival">Globex</mark>.</mark> Hooli is old.',
    );
    expect(html.match(/<mark class="wrong"/g)).to.have.length(2);
    expect(plain(html)).to.contain('“Acme was founded in 1998” Truth: One litre');
  });

  it('an answer without claims has no mark of them, and nothing about facts', async () => {
    await server.collect(runOf('r', answer), check({ ...claim, claim: 'has a two-litre tank' }));
    expect(await page('answers/r')).to.not.match(/class="wrong"|is wrong in it/);
  });
});
