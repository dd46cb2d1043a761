import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { collectingLog } from '../../../rules/support/collecting-log.js';
import { type CheckedMarket, checkedMarket, MODEL_KEY } from './support/checked-market.js';
import { type Behaviour, completion, finds, sends } from './support/model-server.js';

const good = { engine: 'chatgpt', claim: 'a', truth: 'b', severity: 'low' };
/** Ends the time of the newest request to the model. */
let timeIsUp = () => {};
const said = (content: unknown, more: object = {}) => sends(completion(content, more));

/** Replies that cost money and do not match the schema. */
const malformed: Record<string, Behaviour> = {
  'a text that is not JSON': said('Sure! Here is what I found: none.'),
  'JSON with another structure': said('{"errors": []}'),
  'an array': said('[]'),
  'a truncated text': said('{"discrepancies":[{"engine":"chatgpt","cl', { finish_reason: 'length' }),
  'no content': said(null),
  'content that is not text': said([{ type: 'text', text: '{}' }]),
  'no choices': sends({ ...completion(''), choices: [] }),
  'an engine that was not compared': finds([{ ...good, engine: 'claude' }]),
  'an engine that does not exist': finds([{ ...good, engine: 'constructor' }]),
  'an unknown severity': finds([{ ...good, severity: 'apocalyptic' }]),
  'a missing field': finds([{ engine: 'chatgpt', claim: 'a', severity: 'low' }]),
  'a field that is not text': finds([{ ...good, truth: { $ne: null } }]),
  'a blank claim': finds([{ ...good, claim: ' ' }]),
  'a NUL character': finds([{ ...good, claim: 'a\u0000b' }]),
  'a lone surrogate': said(
    '{"discrepancies":[{"engine":"chatgpt","claim":"\\ud800","truth":"b","severity":"low"}]}',
  ),
  'a claim that is too long': finds([{ ...good, claim: 'a'.repeat(2001) }]),
  'too many discrepancies': finds(Array.from({ length: 101 }, () => good)),
  'an additional field': finds([{ ...good, __proto__: null, extra: 1 }]),
  'a body that is not JSON': sends('<html>login</html>', 200, 'text/html'),
  'an invalid body with type JSON': sends('{"choices":[', 200),
  'an empty body': sends('', 200),
  'an endless body': (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    endless(response);
  },
};

function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

/** Failures that end a run at once and cost nothing. */
const broken: Record<string, [Behaviour, RegExp]> = {
  'a refused key': [sends({ error: { message: `bad key ${MODEL_KEY}` } }, 401), /answered with status 401\./],
  'too many requests': [sends({ error: { message: 'slow down' } }, 429), /answered with status 429\./],
  'a failure with an endless body': [
    (response) => {
      response.writeHead(503);
      endless(response);
    },
    /answered with status 503\./,
  ],
  'a failure': [sends('oops', 500, 'text/plain'), /answered with status 500\./],
  'a connection that is closed before the reply': [
    (response) => response.destroy(),
    /could not be reached, or broke off\./,
  ],
  'a connection that is closed during the reply': [
    (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' });
      response.write('{"choices":', () => response.destroy());
    },
    /could not be reached, or broke off\./,
  ],
  // To follow it would send the request a second time, to another address.
  'a redirect': [
    (response, { headers: { host } }) =>
      response.writeHead(307, { Location: `http://${host}/elsewhere` }).end(),
    /could not be reached, or broke off\./,
  ],
  silence: [() => timeIsUp(), /did not answer within 60s\./],
  'a reply that arrives slowly': [
    (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write(' ', timeIsUp);
    },
    /did not answer within 60s\./,
  ],
};

const timeoutOfNode = AbortSignal.timeout;

describe('run_fact_check: the replies of a model', () => {
  let open: CheckedMarket;
  const { log, lines } = collectingLog();
  before(async () => {
    open = await checkedMarket({ log });
    AbortSignal.timeout = () => {
      const time = new AbortController();
      timeIsUp = () => time.abort();
      return time.signal;
    };
  });
  beforeEach(() => {
    open.model.asked.length = 0;
    open.server.now = new Date(open.server.now.getTime() + 3_600_000);
  });
  after(async () => {
    AbortSignal.timeout = timeoutOfNode;
    await open.close();
  });

  for (const [what, behaviour] of Object.entries(malformed)) {
    it(`${what}: the request is repeated, and a valid second reply is used`, async () => {
      open.model.behave(behaviour, finds([good]));
      const found = (await open.check({ force: true })).fact_check.discrepancies;
      expect(found).to.deep.equal([{ ...good, run_id: 'r1' }]);
      expect(open.model.asked).to.have.length(2);
    });

    it(`${what} twice: the run fails, and the stored result is unchanged`, async () => {
      const before = await open.server.read<{ fact_check: object }>('/api/v1/fact-check?brand=acme');
      open.model.behave(behaviour);
      expect(await open.refusal({ force: true })).to.equal(
        'The language model gave no usable reply, asked 2 times. This run counts towards the daily cap; the cached result is as it was.',
      );
      expect(open.model.asked).to.have.length(2);
      const after = await open.server.read<{ fact_check: object }>('/api/v1/fact-check?brand=acme');
      expect(strip(after)).to.deep.equal(strip(before));
    });
  }

  for (const [what, [behaviour, words]] of Object.entries(broken)) {
    it(`${what}: the run fails at once and does not count`, async () => {
      open.model.behave(behaviour);
      const refusal = await open.refusal({ force: true });
      expect(refusal)
        .to.match(words)
        .and.match(/This run does not count towards the daily cap/);
      expect(open.model.asked).to.have.length(1);
    });

    it(`${what} after a malformed reply: the run counts, because that reply cost money`, async () => {
      open.model.behave(said('nonsense'), behaviour);
      expect(await open.refusal({ force: true }))
        .to.match(words)
        .and.match(/This run counts/);
    });
  }

  const usable: Record<string, Behaviour> = {
    'in a code block': said(`\`\`\`json\n${JSON.stringify({ discrepancies: [good] })}\n\`\`\``),
    'with another content type': sends(
      completion(JSON.stringify({ discrepancies: [good] })),
      200,
      'text/plain',
    ),
    'with the longest claim': finds([{ ...good, claim: good.claim.padEnd(2000, 'x') }]),
  };
  for (const [what, behaviour] of Object.entries(usable)) {
    it(`a reply ${what} is valid`, async () => {
      open.model.behave(behaviour);
      expect((await open.check({ force: true })).fact_check.discrepancies).to.have.length(1);
      expect(open.model.asked).to.have.length(1);
    });
  }

  it('a failure states its cost if there is one', async () => {
    open.model.behave(said('nonsense'));
    expect(await open.failure({ force: true })).to.have.property('cost_usd', 0.024);
    open.model.behave(sends('', 500));
    open.later(5);
    expect(await open.failure({ force: true })).to.not.have.property('cost_usd');
  });

  it('an unreachable model has another message than a slow one', async () => {
    const nobody = await checkedMarket({ model: { baseUrl: 'http://127.0.0.1:9/v1' } });
    expect(await nobody.refusal()).to.match(/could not be reached, or broke off\./);
    await nobody.close();
  });

  it('neither the key, the request nor texts of the endpoint are in the log or the response', () => {
    const written = lines.join('\n');
    expect(written).to.include('fact check failed');
    for (const secret of [MODEL_KEY, 'slow down', 'says in r1', '99 dollars'])
      expect(written, secret).to.not.include(secret);
  });
});

/** The result without the fields that change with time. */
function strip({ fact_check }: { fact_check: object }): object {
  return { ...fact_check, age_days: null, stale: null };
}
