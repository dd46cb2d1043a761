import { expect } from 'chai';
import { ZodError } from 'zod';
import { protocolNames, protocols } from '../../../src/collect/protocols/index.js';
import type { EngineInput } from '../../../src/collect/protocols/protocol.js';
import { target } from '../support/plans.js';
import { replies, USED } from '../support/replies.js';

const bare: EngineInput = { prompt: 'Which shoes?', search: true, maxSearches: null, country: 'US' };
const CITED = [
  { url: 'https://a.example/1', title: 'One' },
  { url: 'https://b.example/2', title: 'Two' },
];

for (const name of protocolNames) {
  describe(`protocol ${name}`, () => {
    const protocol = protocols[name];
    const request = (input: EngineInput, key: string | null = 'k-1') =>
      protocol.request(target('http://h/v1', name), input, key);
    const read = (reply: Parameters<(typeof replies)[typeof name]>[0]) =>
      protocol.reply(JSON.parse(JSON.stringify(replies[name](reply))));

    it('sends the prompt bare, the key in a header, and the country by its own parameter', () => {
      const { body, headers, path } = request(bare);
      const sent = JSON.stringify(body);
      expect(sent.match(/Which shoes\?/g)).to.have.length(1);
      expect(sent).not.to.match(/system|instructions/);
      expect(path + sent).not.to.include('k-1');
      expect(Object.values(headers).join()).to.include('k-1');
      expect(Object.values(request(bare, null).headers).join()).not.to.match(/null|undefined|Bearer/);
      expect(sent.includes('"US"')).to.equal(protocol.statesCountry);
      expect(JSON.stringify(request({ ...bare, country: null }).body)).not.to.match(/"US"|user_location/);
      expect(JSON.stringify(request({ ...bare, search: false }).body)).not.to.match(
        /"(?:tools|web_search_options)"/,
      );
    });

    it('asks for a reply of a schema', () => {
      const schema = { type: 'object', properties: { mentions: {} } };
      const { body } = request({
        ...bare,
        search: false,
        instructions: 'List.',
        reply: { name: 'mentions', schema },
      });
      expect(JSON.stringify(body)).to.include('"List."').and.to.include(JSON.stringify(schema));
    });

    it('reads text, model and usage; pages that the answer cites, and none that was only retrieved', () => {
      const reply = read({
        text: 'Text',
        cited: CITED,
        retrieved: ['https://r.example/'],
        searches: ['shoes 2026'],
      });
      if (reply.kind !== 'answered') throw new Error(reply.kind);
      const { answer, usage } = reply;
      expect(answer.text).to.match(/^Text/);
      expect(answer.model).to.equal('loopback-1');
      expect(answer.citations).to.deep.equal(CITED);
      expect(usage).to.deep.include(USED);
      const statesSearches = ['openai-responses', 'anthropic', 'gemini'].includes(name);
      expect(answer.fanouts).to.deep.equal(statesSearches ? ['shoes 2026'] : []);
    });

    it('an answer is read although its usage has another shape, because it is paid anyway', () => {
      const body = JSON.parse(JSON.stringify(replies[name]({ text: 'Text' })));
      const field = name === 'gemini' ? 'usageMetadata' : 'usage';
      const names = Object.keys(body[field]);
      for (const usage of ['many', [], Object.fromEntries(names.map((each) => [each, 'many']))]) {
        const reply = protocol.reply({ ...body, [field]: usage });
        expect(reply.kind).to.equal('answered');
        expect(reply.usage).to.deep.include({ input: null, output: null, costUsd: null });
      }
    });

    it('an answer without text is malformed, and another shape is an error of the shape', () => {
      expect(read({ text: '  ' }).kind).to.equal('malformed');
      for (const body of [{}, [], null, 'text', { output: 1, choices: {}, content: 3, candidates: 'x' }]) {
        try {
          expect(protocol.reply(body).kind).to.equal('malformed');
        } catch (error) {
          expect(error).to.be.instanceOf(ZodError);
        }
      }
    });
  });
}

describe('protocols: responses without an answer', () => {
  const cases = [
    ['openai-responses', { finish: 'max_output_tokens' }, 'truncated'],
    ['openai-responses', { finish: 'content_filter' }, 'filtered'],
    ['openai-responses', { refusal: 'No.' }, 'refused'],
    ['openai-chat', { finish: 'length' }, 'truncated'],
    ['openai-chat', { finish: 'content_filter' }, 'filtered'],
    ['openai-chat', { refusal: 'No.' }, 'refused'],
    ['anthropic', { finish: 'max_tokens' }, 'truncated'],
    ['anthropic', { finish: 'pause_turn' }, 'truncated'],
    ['anthropic', { finish: 'refusal' }, 'refused'],
    ['gemini', { finish: 'MAX_TOKENS' }, 'truncated'],
    ['gemini', { finish: 'SAFETY' }, 'filtered'],
    ['gemini', { refusal: 'x' }, 'filtered'],
    ['perplexity', { finish: 'length' }, 'truncated'],
  ] as const;
  for (const [name, reply, kind] of cases) {
    it(`${name}: ${JSON.stringify(reply)} is ${kind}, with its usage`, () => {
      const found = protocols[name].reply(replies[name](reply));
      expect(found.kind).to.equal(kind);
      expect(found.usage.input).to.equal(USED.input);
    });
  }

  it('gemini: models before Gemini 3 are charged once for a grounded answer, the others for each search', () => {
    const { maxSearches, reply } = protocols.gemini;
    const searchesOf = (model: string, searches: readonly string[]) =>
      reply(replies.gemini({ model, searches })).usage.searches;
    const queries = ['shoes', '', 'wide shoes', 'shoes 2026'];
    expect(searchesOf('gemini-2.5-flash', queries)).to.equal(1);
    expect(searchesOf('gemini-2.5-flash', [])).to.equal(0);
    for (const model of ['gemini-3-pro-preview', 'gemini-3.5-flash', 'gemini-flash-latest'])
      expect(searchesOf(model, queries), model).to.equal(3);
    expect(maxSearches('gemini-2.5-pro')).to.equal(1);
    expect(maxSearches('gemini-3-flash-preview')).to.equal(8);
  });

  it('perplexity: the cost is what the engine states', () => {
    expect(protocols.perplexity.reply(replies.perplexity({})).usage.costUsd).to.equal(0.006);
  });
});
