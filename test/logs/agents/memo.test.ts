import { expect } from 'chai';
import fc from 'fast-check';
import { AgentMemo, TextMemo } from '../../../src/logs/agents/match.js';
import { agents, recogniseAgent } from '../../../src/logs/index.js';

function lookup(memo: AgentMemo, text: string) {
  const bytes = Buffer.from(`<${text}>`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return memo.lookup(bytes, view, 1, bytes.length - 1);
}

describe('the cache of user agents', () => {
  it('returns the result of recogniseAgent for bytes and for text, cached or not', () => {
    const memo = new AgentMemo();
    const texts = new TextMemo();
    const names = fc.constantFrom(
      ...agents.flatMap(({ token }) => token ?? []),
      '',
      '-',
      'curl/8',
      'x'.repeat(1100),
    );
    const userAgent = fc
      .tuple(names, fc.constantFrom('', ' ', '/', 'x'), fc.nat(3))
      .map(([a, b, c]) => `${a}${b}${c || ''}`);
    fc.assert(
      fc.property(userAgent, (text) => {
        const agent = recogniseAgent(text);
        expect(lookup(memo, text)).to.include({ agent, present: text !== '' && text !== '-' });
        expect(texts.lookup(text)).to.equal(agent);
      }),
      { numRuns: 3000 },
    );
  });

  it('stays correct with more user agents than it can hold', () => {
    const memo = new AgentMemo();
    const texts = new TextMemo();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 10_000; i++) {
        const [text, key] = i % 3 === 0 ? [`GPTBot/${i}`, 'gptbot'] : [`Mozilla/5.0 Chrome/${i}`, undefined];
        expect(lookup(memo, text).agent?.key).to.equal(key);
        expect(texts.lookup(text)?.key).to.equal(key);
      }
    }
  });
});
