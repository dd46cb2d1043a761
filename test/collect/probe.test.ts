import { expect } from 'chai';
import { probeText } from '../../src/cli/collect/probe-view.js';
import { costOfProbe, type Exchange, PROBE_PROMPT, probe } from '../../src/collect/probe.js';
import { providerNames } from '../../src/collect/protocols/capabilities.js';
import { loopbackEngine } from './support/engine.js';
import { plan, shownTarget, target } from './support/plans.js';
import { type StandIn, standIn } from './support/stand-in.js';
import { timeWithoutWaits } from './support/time.js';

const KEY = 'me:secret/key-of-tests+1';
const never = new AbortController().signal;

describe('a probe of a plan', () => {
  let provider: StandIn;
  afterEach(() => provider?.close());

  const probed = (targets: Parameters<typeof plan>[0], more: Partial<Parameters<typeof probe>[2]> = {}) =>
    probe(plan(targets), PROBE_PROMPT, {
      ...{ stop: never, abort: never, onWait: () => {}, keyOf: () => KEY, record: null },
      ...{ polls: { firstMs: 1, mostMs: 5, listedMs: 0 }, time: timeWithoutWaits(), ...more },
    });

  it('asks each target once, and says what came back, what is missing and what it costs', async () => {
    provider = await standIn('cloro');
    provider.show = ({ engine }) =>
      engine === 'aio'
        ? {}
        : { text: 'Stride.', cited: [{ url: 'https://a.example/', title: 'A' }], searches: ['s'] };
    const engines = ['chatgpt', 'aio', 'gemini'] as const;
    const rows = await probed(engines.map((engine) => shownTarget(provider.url, 'cloro', engine)));
    expect([...provider.ledger.values()]).to.deep.equal([3]);
    const [chatgpt, aio, gemini] = rows;
    expect(chatgpt).to.deep.include({
      engine: 'chatgpt',
      surface: 'ui',
      outcome: 'answered',
      characters: 7,
      cost_usd: 0.01,
    });
    expect(chatgpt!.fields).to.deep.include({ field: 'citations', count: 1, stated: 'always' });
    expect(chatgpt!.missing).to.deep.equal(['carousels', 'ads']);
    expect(aio).to.deep.include({ surface: 'serp', outcome: 'not_shown', missing: [] });
    expect(gemini!.missing).to.deep.equal([]);
    const text = probeText(rows, undefined);
    expect(text).to.include('chatgpt us: no carousels, no ads in this reply.');
    expect(text).to.include('gemini us: the provider does not state searches, carousels, ads.');
    expect(
      costOfProbe(plan(engines.map((engine) => shownTarget(provider.url, 'cloro', engine)))),
    ).to.be.closeTo(0.03, 1e-9);
  });

  it('asks models too, of which the cost is known only after', async () => {
    const engine = await loopbackEngine();
    try {
      const rows = await probed([target(engine.base('openai-chat'), 'openai-chat')]);
      expect(rows[0]).to.deep.include({ outcome: 'answered', surface: 'api', missing: [] });
      expect(rows[0]!.cost_usd).to.be.above(0);
      expect(costOfProbe(plan([target(engine.base('openai-chat'), 'openai-chat')]))).to.equal(null);
    } finally {
      await engine.close();
    }
  });

  it('keeps requests and replies of every provider without the key, however it is written there', async () => {
    for (const name of providerNames) {
      provider = await standIn(name);
      provider.change = (body, { path, headers }) => ({
        ...(Array.isArray(body) ? { 0: body[0] } : (body as object)),
        echo: [
          path,
          headers.authorization,
          KEY,
          Buffer.from(KEY).toString('base64'),
          encodeURIComponent(KEY),
        ],
      });
      const kept: Exchange[] = [];
      const rows = await probed([shownTarget(provider.url, name, 'aimode')], {
        record: async (_, exchanges) => void kept.push(...exchanges),
      });
      expect(rows).to.have.length(1);
      expect(kept.length, name).to.be.at.least(2);
      const text = JSON.stringify(kept);
      expect(text, name)
        .to.include('[key]')
        .and.to.include('best running shoes'.replaceAll(' ', name === 'serpapi' ? '+' : ' '));
      for (const secret of [KEY, 'secret/key', Buffer.from(KEY).toString('base64'), encodeURIComponent(KEY)])
        expect(text, `${name} ${secret}`).not.to.include(secret);
      await provider.close();
    }
  });

  it('says why a target gives no answer', async () => {
    provider = await standIn('cloro');
    provider.before = (_, response) => !!response.writeHead(401).end('{"error":"no"}');
    const rows = await probed([shownTarget(provider.url, 'cloro', 'grok', { keyEnv: 'CLORO_KEY' })]);
    expect(rows[0]).to.deep.include({ outcome: 'not_charged', cause: 'key' });
    expect(probeText(rows, undefined)).to.include(
      'grok us: not charged: HTTP 401: the key in CLORO_KEY is not accepted',
    );
  });
});
