import { expect } from 'chai';
import fc from 'fast-check';
import { rowsOf } from '../../../src/collect/plan/delimited.js';
import { PlanError } from '../../../src/collect/plan/parse-plan.js';
import { parsePrompts, promptsFromQueries } from '../../../src/collect/plan/prompt-files.js';

/** A cell as RFC 4180 writes it. */
const quoted = (text: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const parsed = (text: string | Uint8Array, file = 'prompts.csv') =>
  parsePrompts(typeof text === 'string' ? Buffer.from(text) : text, file);
const textsOf = (text: string | Uint8Array, file?: string) => {
  const read = parsed(text, file);
  return read.kind === 'prompts' ? read.prompts.map((prompt) => prompt.text) : [];
};
function faultsOf(text: string | Uint8Array, file?: string): string[] {
  try {
    parsed(text, file);
  } catch (error) {
    if (error instanceof PlanError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('delimited text', () => {
  it('has the cells that were written, whatever they contain', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r\n', ' ', 'é') });
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(row),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        (rows, by, end) => {
          const text = rows.map((cells) => cells.map(quoted).join(by)).join(end);
          const filled = rows.filter((cells) => cells.some((each) => each.trim() !== ''));
          expect(rowsOf(text, by).map(({ cells }) => cells)).to.deep.equal(filled);
        },
      ),
    );
  });

  it('knows the line on which a row begins', () => {
    expect(rowsOf('a,b\n"c\nd",e\n\nf', ',').map(({ line }) => line)).to.deep.equal([1, 2, 5]);
  });
});

describe('a file with prompts', () => {
  it('has one a line, without blank lines and comments', () => {
    const text = '\ufeff# of the shop\nWhich shoes, if any, last?\r\n\n  Which  are wide? \n';
    for (const file of ['prompts.txt', 'prompts'])
      expect(textsOf(text, file)).to.deep.equal(['Which shoes, if any, last?', 'Which are wide?']);
  });

  it('has topics, tags and earlier texts in CSV, of any separator and order', () => {
    const expected = [
      { text: 'Which last, and why?', topic: 'Durability', tags: ['shoes', 'life'], was: ['Which last?'] },
      { text: 'Which are wide?', topic: null, tags: [], was: [] },
    ];
    const comma =
      'Topic,Text,Tags,Was\nDurability,"Which last, and why?",shoes; life,Which last?\n,Which are wide?,,\n';
    const tabs =
      'text\ttopic\ttags\twas\nWhich last, and why?\tDurability\tshoes|life\tWhich last?\nWhich are wide?\n';
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(tabs, 'utf16le')]);
    for (const text of [
      comma,
      comma.replaceAll(',', ';').replace('last; and', 'last, and').replace('shoes; life', '"shoes;life"'),
      tabs,
      utf16,
    ])
      expect(parsed(text)).to.deep.equal({ kind: 'prompts', form: 'csv', prompts: expected });
  });

  it('states each fault with its line', () => {
    expect(faultsOf('text,topic\na question,\n,t\nA question?,\n')).to.deep.equal([
      'line 3: text: expected text that is not blank',
      'line 4: text: expected texts that no other entry has, but line 2 has A question? too',
    ]);
    expect(faultsOf('text,topics\na,b\n')[0]).to.equal(
      'line 1: expected the columns text, topic, tags and was, got topics',
    );
    expect(faultsOf('a,b\nc,d\n')[0]).to.match(/^line 1: expected a column text or .* got a, b$/);
    expect(faultsOf('text\n')[0]).to.match(/expected one or more prompts, got none$/);
    expect(faultsOf(Buffer.from([0x61, 0xff, 0x0a]))[0]).to.match(/expected text in UTF-8/);
  });
});

describe('an export of Search Console', () => {
  const exported = (head: string, by = ',') =>
    `${head}\nbest wide running shoes${by}10${by}"1,200"${by}3.2%${by}8.1\nfleetfoot return policy${by}90${by}900${by}10%${by}1\n`;

  it('is recognised by its columns in several languages, and by its numbers in all', () => {
    for (const head of [
      'Top queries,Clicks,Impressions,CTR,Position',
      'Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position',
      'Requêtes les plus fréquentes,Clics,Impressions,CTR,Position',
      'Consultas principales,Clics,Impresiones,CTR,Posición',
      'Query principali,Clic,Impressioni,CTR,Posizione',
      'Principais consultas,Cliques,Impressões,CTR,Posição',
      '上位のクエリ,クリック数,表示回数,CTR,掲載順位',
      'Suosituimmat haut,Klikkaukset,Näyttökerrat,CTR,Sijainti',
    ])
      expect(parsed(exported(head)), head).to.deep.equal({
        kind: 'queries',
        queries: [
          { text: 'best wide running shoes', impressions: 1200 },
          { text: 'fleetfoot return policy', impressions: 900 },
        ],
      });
  });

  const chosen = (queries: readonly [string, number?][], most = 10) => {
    const { prompts, left } = promptsFromQueries(
      queries.map(([text, impressions = null]) => ({ text, impressions })),
      { names: ['Fleetfoot', 'Fleet Foot Air'], domain: 'www.ffoot.example', most },
    );
    return { texts: prompts.map(({ text }) => text), left };
  };

  it('becomes prompts by its rules, the most impressions first', () => {
    const { texts, left } = chosen([
      ['wide running shoes', 5],
      ['shoes'],
      ['are fleet foot shoes good', 900],
      ['is ffoot a good shop', 900],
      ['fleetfooted runners of greece', 9],
      ['running shoes wide', 4],
      ['https://fleetfoot.example/a b', 3],
      ['site:shoes.example wide shoes', 3],
      ['幅広の靴はどれ'],
      ['靴'],
    ]);
    expect(texts).to.deep.equal(['fleetfooted runners of greece', 'wide running shoes', '幅広の靴はどれ']);
    expect(left).to.deep.equal({ short: 2, own: 2, address: 2, double: 1, beyond: 0 });
  });

  it('becomes at most so many prompts, and each query is a prompt or counted as left out', () => {
    const query = fc.tuple(
      fc
        .array(fc.constantFrom('best', 'shoes', 'fleetfoot', 'wide', 'www.x.y', 'run'), { minLength: 1 })
        .map((words) => words.join(' ')),
      fc.nat(1000),
    );
    fc.assert(
      fc.property(fc.array(query), fc.integer({ min: 1, max: 5 }), (queries, most) => {
        const { texts, left } = chosen(queries, most);
        expect(texts.length).to.be.at.most(most);
        const sum = Object.values(left).reduce((total, count) => total + count, 0);
        expect(texts.length + sum).to.equal(queries.length);
        for (const text of texts) expect(text).not.to.include('fleetfoot');
      }),
    );
  });
});
