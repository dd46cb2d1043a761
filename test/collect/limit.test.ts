import { copyFileSync, existsSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { type MostUsed, mostOf } from '../../src/collect/budget.js';
import type { Endpoint, Target } from '../../src/collect/plan/plan.js';
import { askKind, extractKind } from '../../src/collect/preview.js';
import type { ProtocolName } from '../../src/collect/protocols/index.js';
import { inputOf } from '../../src/collect/schedule.js';
import { fresh } from '../support/hooks.js';
import { CollectFolder } from './support/collecting.js';
import { type Asked, loopbackEngine } from './support/engine.js';
import { endpoint, plan, subject, target } from './support/plans.js';
import type { Reply } from './support/replies.js';

const PROTOCOLS = ['openai-responses', 'openai-chat', 'anthropic', 'gemini'] as const;
const ENGINES = ['chatgpt', 'grok', 'claude', 'gemini'] as const;

/** Also prices of 0, but none that no sum would show. */
const price = (most: number) => fc.integer({ min: 0, max: 100 }).map((part) => (part * most) / 100);
const prices = fc.record({
  inputUsdPerMtok: price(5),
  outputUsdPerMtok: price(100),
  callUsd: price(0.1),
  maxOutputTokens: fc.option(fc.integer({ min: 1, max: 20_000 })),
  concurrency: fc.integer({ min: 1, max: 8 }),
});
const targets = fc.uniqueArray(
  fc.record({ protocol: fc.constantFrom<ProtocolName>(...PROTOCOLS), search: fc.boolean(), prices }),
  { minLength: 1, maxLength: 3, selector: ({ protocol }) => protocol },
);
/** What the engine does with one call. Each but `busy` is charged, by a part of what the call may cost. */
const behaviours = fc.array(
  fc.record({
    does: fc.constantFrom(
      'answers',
      'answers',
      'answers',
      'busy',
      'fails',
      'breaks',
      'is malformed',
      'kills',
    ),
    part: fc.oneof(
      fc.constant(1),
      fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
    ),
  }),
  { minLength: 3, maxLength: 30 },
);

describe('--max-usd', () => {
  let folder: CollectFolder;
  const engine = fresh(loopbackEngine);

  it('is never passed by calls within their limits, whatever is asked, fails or is killed', async () => {
    const property = fc.asyncProperty(
      fc.record({
        ...{ targets, extraction: fc.option(prices), behaviours, prompts: fc.integer({ min: 3, max: 8 }) },
        ...{
          dearestCalls: fc.integer({ min: 1, max: 12 }).map((halves) => halves / 2),
          resumes: fc.boolean(),
        },
      }),
      async (random) => {
        folder = new CollectFolder();
        try {
          await spendsWithin(random);
        } finally {
          folder.remove();
        }
      },
    );
    const free = {
      inputUsdPerMtok: 0,
      outputUsdPerMtok: 0,
      callUsd: 0,
      maxOutputTokens: null,
      concurrency: 1,
    };
    await fc.assert(property, {
      numRuns: 30,
      examples: [
        [
          {
            targets: [{ protocol: 'openai-responses' as const, search: false, prices: free }],
            extraction: null,
            behaviours: [
              { does: 'answers', part: 1 },
              { does: 'answers', part: 0 },
            ],
            prompts: 3,
            dearestCalls: 0.5,
            resumes: false,
          },
        ],
      ],
    });
  });

  interface Random {
    readonly targets: readonly { protocol: ProtocolName; search: boolean; prices: Partial<Endpoint> }[];
    readonly extraction: Partial<Endpoint> | null;
    readonly behaviours: readonly { does: string; part: number }[];
    readonly prompts: number;
    /** The limit, as a number of the dearest calls. */
    readonly dearestCalls: number;
    readonly resumes: boolean;
  }

  async function spendsWithin(random: Random): Promise<void> {
    const { behaviours: planned, prompts } = random;
    const asked = random.targets.map(({ protocol, search, prices: own }, at) =>
      target(engine.base(protocol), protocol, { ...own, engine: ENGINES[at]!, model: `m${at}`, search }),
    );
    const names =
      random.extraction && endpoint(engine.base('openai-chat'), { ...random.extraction, model: 'names' });
    const input = { prompt: '', search: true, maxSearches: null, country: null };
    const maxUsd = random.dearestCalls * Math.max(...asked.map((each) => mostOf(askKind(each), input).usd!));
    const all = { plan: plan(asked, { extraction: names }), subject: subject(prompts), maxUsd };
    const replies = new Map<Asked, Partial<Reply>>();
    let charged = 0;
    let calls = 0;
    let world = 0;
    let atKill = 0;
    let stop = new AbortController();
    const files = [folder.out, `${folder.out}.journal`];
    const copy = (from: string, to: string) => {
      for (const file of files) if (existsSync(file + from)) copyFileSync(file + from, file + to);
    };
    engine.misbehave = (call, response) => {
      const { does, part } = planned[calls++ % planned.length]!;
      const own = world;
      if (own !== 0) return response.destroy() && true;
      if (does === 'busy') {
        response.writeHead(429, { 'retry-after': '0' }).end('{}');
        return true;
      }
      const used = partOf(mostOfCall(call, asked, names), part);
      charged += used.usd;
      if (does === 'kills') {
        // What happens from now on is never on the disk: the process is gone, and so are its calls.
        world = 1;
        atKill = charged;
        copy('', '.killed');
        stop.abort();
        return response.destroy() && true;
      }
      if (does === 'fails') response.writeHead(500).end('{}');
      else if (does === 'is malformed') response.writeHead(200).end('{"error":"none"}');
      else if (does === 'breaks') response.destroy();
      else {
        replies.set(call, used.reply);
        return false;
      }
      return true;
    };
    engine.used = (call) => replies.get(call) ?? {};
    for (let turn = 0; turn < 4; turn++) {
      const { spent } = await folder.collect({ ...all, stop: stop.signal, resume: random.resumes });
      expect(charged, 'what the engine charged').to.be.at.most(maxUsd + 1e-6);
      if (world === 0) {
        expect(spent.usd, 'what the journal says').to.be.within(charged - 1e-6, maxUsd + 1e-6);
        continue;
      }
      copy('.killed', '');
      [world, charged, stop] = [0, atKill, new AbortController()];
    }
  }

  /** The most that the call may use, by the plan. */
  function mostOfCall(
    { body, path, isExtraction, prompt }: Asked,
    asked: readonly Target[],
    names: Endpoint | null,
  ) {
    if (isExtraction) {
      const { answer } = JSON.parse(prompt) as { answer: string };
      const input = { prompt: JSON.stringify({ answer }), search: false, maxSearches: null, country: null };
      return { ...mostOf(extractKind(names!), input), endpoint: names! };
    }
    const own = asked.find(({ model }) => body.model === model || path.includes(`/${model}:`))!;
    return {
      ...mostOf(askKind(own), inputOf({ target: own, prompt: { id: 'p', text: prompt } })),
      endpoint: own,
    };
  }

  function partOf({ endpoint: own, ...most }: MostUsed & { readonly endpoint: Endpoint }, part: number) {
    const input = Math.floor(most.input * part);
    const output = Math.floor(most.output * part);
    // Of these forms only two state searches; the others are charged for one.
    const isStated = own.protocol === 'openai-responses' || own.protocol === 'anthropic';
    const searches = isStated ? Math.floor(most.searches * part) : most.searches;
    const usd =
      (input * own.inputUsdPerMtok! + output * own.outputUsdPerMtok!) / 1e6 + searches * own.callUsd!;
    return { usd, reply: { input, output, searches: Array<string>(searches).fill('shoes') } };
  }

  it('reserves fee, searches and the longest answer before a call, so that one which does not fit is not sent', async () => {
    folder = new CollectFolder();
    try {
      const asked = target(engine.base('openai-responses'), 'openai-responses', {
        callUsd: 0.02,
        maxOutputTokens: 100,
      });
      // Five searches at 0.02, and what they find.
      const { limit, spent } = await folder.collect({ plan: plan([asked]), maxUsd: 0.1 });
      expect({ limit, spent }).to.deep.equal({
        limit: 'maxUsd',
        spent: { calls: 0, usd: 0, assumed_usd: 0 },
      });
      expect(engine.asked).to.deep.equal([]);
      const one = { ...asked, maxSearches: 1 };
      await folder.collect({ plan: plan([one]), maxUsd: 0.1, subject: subject(1) });
      expect(engine.asked[0]!.body).to.deep.include({ max_output_tokens: 100, max_tool_calls: 1 });
      const journal = folder.lines(`${folder.out}.journal`).map((line) => JSON.parse(line));
      const [attempt] = journal.filter(({ event }) => event === 'attempt');
      expect(attempt.reserved_usd).to.be.within(0.02 + 0.036 + 0.001, 0.06);
    } finally {
      folder.remove();
    }
  });

  it('counts an answer that states 0 tokens as what was reserved', async () => {
    folder = new CollectFolder();
    try {
      engine.used = () => ({ input: 0, output: 0 });
      const asked = target(engine.base('openai-chat'), 'openai-chat', {
        search: false,
        maxOutputTokens: 1000,
      });
      const { spent } = await folder.collect({ plan: plan([asked]), maxUsd: 1, subject: subject(2) });
      expect(spent.calls).to.equal(2);
      expect(spent.assumed_usd).to.equal(spent.usd).and.be.above(0.02);
    } finally {
      folder.remove();
    }
  });

  it('counts a malformed answer, and its extraction, as what was reserved', async () => {
    folder = new CollectFolder();
    try {
      engine.misbehave = (_, response) => {
        response.writeHead(200).end('{}');
        return true;
      };
      const free = { search: false, inputUsdPerMtok: 0, maxOutputTokens: 1000 };
      const asked = target(engine.base('openai-chat'), 'openai-chat', { ...free, concurrency: 8 });
      const { spent } = await folder.collect({ plan: plan([asked]), maxUsd: 0.025, subject: subject(9) });
      expect(spent).to.deep.equal({ calls: 2, usd: 0.02, assumed_usd: 0.02 });
    } finally {
      folder.remove();
    }
  });
});
