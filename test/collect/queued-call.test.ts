import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { reportText } from '../../src/cli/collect/views.js';
import { unfinishedDays } from '../../src/collect/journal.js';
import { CollectFolder } from './support/collecting.js';
import { loopbackEngine } from './support/engine.js';
import { endpoint, plan, shownTarget, subject } from './support/plans.js';
import { type StandIn, standIn } from './support/stand-in.js';

describe('a question to a provider', () => {
  let provider: StandIn;
  let folder: CollectFolder;
  beforeEach(async () => {
    provider = await standIn('cloro');
    folder = new CollectFolder();
  });
  afterEach(async () => {
    folder.remove();
    await provider.close();
  });

  const chatgpt = (changed = {}) => shownTarget(provider.url, 'cloro', 'chatgpt', changed);
  const collect = (changes: Partial<Parameters<CollectFolder['collect']>[0]> = {}) =>
    folder.collect({ plan: plan([chatgpt()]), subject: subject(2), ...changes });
  const journal = () => folder.lines(`${folder.out}.journal`).map((line) => JSON.parse(line));
  const paid = () => [...provider.ledger.values()].reduce((sum, count) => sum + count, 0);

  it('is sent once, noted before its result is fetched, and written as what people see', async () => {
    provider.queued = 3;
    provider.before = ({ isPaid, path }) => {
      const noted = readFileSync(`${folder.out}.journal`, 'utf8');
      expect(noted).to.include(isPaid ? '"event":"attempt"' : `"handle":"${path.split('/').at(-1)}"`);
      return false;
    };
    const { targets } = await collect();
    expect(targets[0]).to.deep.include({ answered: 2, calls: 2, cost_usd: 0.02 });
    expect(paid()).to.equal(2);
    const events = journal()
      .filter(({ call }) => call === 1)
      .map(({ event }) => event);
    expect(events).to.deep.equal(['attempt', 'handle', 'outcome']);
    const [run] = folder.runs();
    expect(run).to.deep.include({
      surface: 'ui',
      answer: 'Question 1? Fleetfoot.',
      observes: ['ads', 'carousels'],
    });
    expect(run!.citations).to.deep.equal([{ url: 'https://a.example/1', title: 'One' }]);
  });

  it('sends nothing but the prompt, the country and what is to be stated; the key is in a header', async () => {
    await collect({ key: 'secret-key-of-tests', subject: subject(1) });
    const [{ body, headers, path }] = provider.exchanges as [(typeof provider.exchanges)[number]];
    expect(headers.authorization).to.equal('Bearer secret-key-of-tests');
    expect(path + JSON.stringify(body)).not.to.include('secret-key');
    const { idempotencyKey, ...rest } = body as Record<string, unknown>;
    expect(idempotencyKey).to.match(/^[\w-]{36}$/);
    expect(rest).to.deep.equal({
      ...{ taskType: 'CHATGPT', priority: 5 },
      payload: {
        ...{ prompt: 'Question 1?', country: 'US' },
        include: { markdown: true, searchQueries: true, ads: true, shopping: true },
      },
    });
  });

  it('a search without an answer is a run without one, in no count of answers', async () => {
    provider.show = ({ prompt }) => (prompt.includes('1') ? {} : { text: 'Stride.', cited: [] });
    const { targets } = await collect({ plan: plan([shownTarget(provider.url, 'cloro', 'aio')]) });
    expect(targets[0]).to.deep.include({ answered: 1, not_shown: 1, malformed: 0 });
    const shown = folder
      .runs()
      .map(({ id, outcome, surface, answer }) => [id.includes('.p1.'), outcome, surface, answer]);
    expect(shown).to.have.deep.members([
      [true, 'not_shown', 'serp', undefined],
      [false, 'answered', 'serp', 'Stride.'],
    ]);
    expect(
      (await collect({ plan: plan([shownTarget(provider.url, 'cloro', 'aio')]) })).targets[0]!.stored,
    ).to.equal(2);
  });

  it('has its names found by the extraction, and a search that showed nothing has none', async () => {
    const engine = await loopbackEngine();
    try {
      engine.extract = () => ({ mentions: [{ name: 'Stride', sentiment: null, evidence: null }] });
      provider.show = ({ prompt }) => (prompt.includes('1') ? {} : { text: 'Stride.', cited: [] });
      const extraction = endpoint(engine.base('openai-chat'), { model: 'names' });
      const asked = plan([shownTarget(provider.url, 'cloro', 'aio')], { extraction });
      await collect({ plan: asked, maxUsd: 1 });
      expect(engine.asked).to.have.length(1);
      const names = folder.runs().map(({ mentions }) => mentions.map(({ name }) => name));
      expect(names).to.have.deep.members([[], ['Stride']]);
    } finally {
      await engine.close();
    }
  });

  it('that was accepted is charged, also if a look at it is redirected or refused', async () => {
    for (const [status, cause] of [
      [302, 'request'],
      [403, 'rights'],
    ] as const) {
      provider.before = ({ isPaid }, response) => !isPaid && !!response.writeHead(status).end('{}');
      const result = await collect({ maxUsd: 1, subject: subject(1) });
      expect(result.targets[0]).to.deep.include({ answered: 0, waiting: 1 });
      expect(result.problems[0]).to.deep.include({ outcome: 'pending', cause });
      const text = reportText(result, undefined);
      expect(text)
        .to.include('accepted and charged, but a look at it failed: HTTP')
        .and.include('the same command fetches it, and pays nothing for that');
      expect(text).to.not.match(/Nothing was charged|max_output_tokens/);
    }
    provider.before = undefined;
    expect((await collect({ maxUsd: 1, subject: subject(1) })).targets[0]).to.deep.include({ answered: 1 });
    expect(paid()).to.equal(1);
  });

  it('is fetched by the next collection if its answer takes too long, and is not paid again', async () => {
    provider.queued = 1e6;
    const late = plan([chatgpt({ provider: { waitMinutes: 0.0005 } })]);
    const first = await collect({ plan: late, maxUsd: 1 });
    expect(first.targets[0]).to.deep.include({ answered: 0, waiting: 2 });
    expect(first.problems[0]!.detail).to.match(/no answer within .* minutes; the same command fetches it/);
    expect(first.spent).to.deep.include({ calls: 2, usd: 0.02, assumed_usd: 0.02 });
    provider.queued = 0;
    const second = await collect({ plan: late, maxUsd: 1 });
    expect(second.targets[0]).to.deep.include({ answered: 2, waiting: 0 });
    expect(second.spent).to.deep.equal({ calls: 2, usd: 0.02, assumed_usd: 0 });
    expect(paid()).to.equal(2);
  });

  it('is fetched days later too, by a collection that asks the questions of its own day', async () => {
    provider.queued = 1e6;
    await collect({ plan: plan([chatgpt({ provider: { waitMinutes: 0.0005 } })]), date: '2026-11-18' });
    provider.queued = 0;
    const paidOnly = await collect({ date: '2026-11-19', paidOnly: true });
    expect(paidOnly.targets[0]).to.deep.include({ answered: 2, waiting: 0 });
    expect(paid()).to.equal(2);
    const { targets } = await collect({ date: '2026-11-20' });
    expect(targets[0]).to.deep.include({ answered: 2, stored: 0 });
    expect(folder.runs().map(({ id }) => id.slice(0, 10))).to.deep.equal([
      ...Array(2).fill('2026-11-18'),
      ...Array(2).fill('2026-11-20'),
    ]);
    expect(paid()).to.equal(4);
  });

  it('is found in the journals of earlier days of its brand', async () => {
    const daily = (date: string) => join(folder.path, `shoes-${date}.ndjson`);
    provider.queued = 1e6;
    await collect({
      plan: plan([chatgpt({ provider: { waitMinutes: 0.0005 } })]),
      ...{ out: daily('2026-11-18'), date: '2026-11-18' },
    });
    provider.queued = 0;
    await collect({ out: daily('2026-11-19'), date: '2026-11-19' });
    const days = () => unfinishedDays(daily('2026-11-20'), 'shoes', '2026-11-20');
    expect(await days()).to.deep.equal([{ date: '2026-11-18', out: daily('2026-11-18') }]);
    expect(await unfinishedDays(daily('2026-11-20'), 'sho', '2026-11-20')).to.deep.equal([]);
    await collect({ out: daily('2026-11-18'), date: '2026-11-18', paidOnly: true });
    expect(await days()).to.deep.equal([]);
  });

  it('is fetched although --max-usd has no room for another', async () => {
    provider.queued = 1e6;
    await collect({ plan: plan([chatgpt({ provider: { waitMinutes: 0.0005 } })]), maxUsd: 0.02 });
    provider.queued = 0;
    const { targets, limit } = await collect({ maxUsd: 0.02, subject: subject(3) });
    expect(targets[0]).to.deep.include({ answered: 2, waiting: 1 });
    expect(limit).to.equal('maxUsd');
    expect(paid()).to.equal(2);
  });

  it('that was sent without a known name is sent again with the same key, which is paid once', async () => {
    let dropped = 0;
    // The task does not exist yet: the same key makes it.
    provider.before = ({ isPaid }, response) => isPaid && dropped++ < 1 && !!response.destroy();
    const { targets } = await collect({ subject: subject(1) });
    expect(targets[0]).to.deep.include({ answered: 1, failed: 0, calls: 1 });
    expect(paid()).to.equal(1);
    const keys = provider.exchanges
      .filter(({ isPaid }) => isPaid)
      .map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey);
    expect(new Set(keys).size).to.equal(1);
  });

  it('whose name got lost is paid and lost: reported, counted, and asked again only with --resume', async () => {
    let dropped = 0;
    provider.after = ({ isPaid }, response) => isPaid && dropped++ < 1 && !!response.destroy();
    const first = await collect({ subject: subject(1), maxUsd: 1 });
    expect(first.targets[0]).to.deep.include({ answered: 0, failed: 1, calls: 1 });
    expect(first.problems[0]).to.deep.include({ outcome: 'lost' });
    expect(first.problems[0]!.detail).to.match(/^paid and lost: /);
    expect(first.spent.usd).to.equal(0.01);
    expect((await collect({ subject: subject(1) })).targets[0]!.held).to.equal(1);
    expect(paid()).to.equal(1);
    expect((await collect({ subject: subject(1), resume: true })).targets[0]!.answered).to.equal(1);
    expect(paid()).to.equal(2);
  });

  it('whose result is gone is paid and lost', async () => {
    provider.queued = 1e6;
    await collect({ plan: plan([chatgpt({ provider: { waitMinutes: 0.0005 } })]) });
    provider.tasks.clear();
    const { targets, problems } = await collect();
    expect(targets[0]).to.deep.include({ failed: 2, waiting: 0 });
    expect(problems.map(({ detail }) => detail)).to.deep.equal(
      Array(2).fill('paid and lost: cloro has the task no longer'),
    );
  });

  it('that failed without a charge is not counted, and asked again by the next collection', async () => {
    provider.failed = () => true;
    const first = await collect({ maxUsd: 1 });
    expect(first.targets[0]).to.deep.include({ answered: 0, waiting: 2, calls: 0, cost_usd: 0 });
    expect(first.problems[0]!.detail).to.equal('the task failed: “upstream blocked”');
    expect(first.spent).to.deep.include({ calls: 0, usd: 0 });
    provider.failed = () => false;
    expect((await collect({ maxUsd: 1 })).targets[0]).to.deep.include({ answered: 2, waiting: 0 });
    expect(paid()).to.equal(2);
  });

  it('waits for rate limits, also while it is fetched, and goes on after errors of the queue', async () => {
    let seen = 0;
    provider.before = ({ isPaid }, response) => {
      seen++;
      if (seen === 1 || seen === 3) return !!response.writeHead(429, { 'retry-after': '0' }).end('{}');
      if (isPaid) return false;
      if (seen === 4) return !!response.writeHead(502).end('<html>');
      if (seen === 5) return !!response.writeHead(200).end('<html>');
      if (seen === 6) return !!response.destroy();
      return false;
    };
    const { targets } = await collect({ subject: subject(1) });
    expect(targets[0]).to.deep.include({ answered: 1 });
    expect(paid()).to.equal(1);
  });

  it('a key that is refused, and an account without credit, end the target without a charge', async () => {
    const refusals = [
      [401, '{"error":{"code":"INVALID_OR_EXPIRED_API_KEY","message":"Invalid"}}', 'key'],
      [403, '{"error":{"code":"INSUFFICIENT_CREDITS","message":"None left"}}', 'credit'],
    ] as const;
    for (const [status, body, cause] of refusals) {
      provider.before = (_, response) => !!response.writeHead(status).end(body);
      const { problems, targets } = await collect();
      expect(problems).to.have.length(1);
      expect(problems[0]).to.deep.include({ cause, stops_target: true });
      expect(targets[0]).to.deep.include({ waiting: 2, calls: 0 });
    }
    expect(paid()).to.equal(0);
  });

  it('a reply that lacks what the table promises is kept and reported, and is no run', async () => {
    provider.change = (body) => JSON.parse(JSON.stringify(body).replaceAll('"sources"', '"references"'));
    const { targets, problems } = await collect({ key: 'secret-key-of-tests' });
    expect(targets[0]).to.deep.include({ answered: 0, malformed: 2, calls: 2 });
    expect(problems[0]!.detail).to.equal('the reply lacks citations: the provider may have changed its form');
    const kept = readdirSync(`${folder.out}.malformed`);
    expect(kept).to.have.length(2);
    const raw = readFileSync(join(`${folder.out}.malformed`, kept[0]!), 'utf8');
    expect(raw).to.include('"references"').and.not.to.include('secret-key-of-tests');
    provider.change = (body) => body;
    expect((await collect()).targets[0]).to.deep.include({ held: 2 });
    expect((await collect({ retry: ['malformed'] })).targets[0]).to.deep.include({ answered: 2 });
  });

  it('products that cannot be read are not observed, instead of being none', async () => {
    provider.show = () => ({
      text: 'Stride.',
      products: [{ title: ' ', price: '$1', store: 's' }],
      ad: { brand: 'B', url: 'https://b.example', cards: ['C'] },
    });
    await collect({ subject: subject(1) });
    const [run] = folder.runs();
    expect(run!.observes).to.deep.equal(['ads']);
    expect(run!.ad).to.deep.equal({
      advertiser: 'B',
      advertiser_url: 'https://b.example',
      cards: [{ title: 'C', target_url: 'https://b.example' }],
    });
    expect(existsSync(`${folder.out}.malformed`)).to.equal(false);
  });

  it('a journal with a damaged handle is refused, and nothing is sent', async () => {
    await collect();
    appendFileSync(`${folder.out}.journal`, '{"event":"handle","call":"x"}\n');
    const before = provider.exchanges.length;
    const failure = await collect().catch((error: Error) => error);
    expect((failure as Error).message).to.match(/is not an event of a journal/);
    expect(provider.exchanges.length).to.equal(before);
  });
});
