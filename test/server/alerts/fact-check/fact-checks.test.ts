import { expect } from 'chai';
import { emptyDatabase } from '../../../support/database.js';
import {
  answered,
  answers,
  type CheckedMarket,
  checkedMarket,
  knowledge,
  market,
  NOW,
} from './support/checked-market.js';
import { completion, finds, sends } from './support/model-server.js';

const wrong = { engine: 'chatgpt', claim: 'Acme is cheap', truth: 'Acme costs 99 dollars', severity: 'high' };
const checkedAt = (checked_at: string) => ({
  type: 'fact_check',
  brand: 'acme',
  checked_at,
  answers_checked: 1,
  discrepancies: [],
});

describe('run_fact_check: the preconditions, in their order', () => {
  let open: CheckedMarket;
  afterEach(() => open.close());

  it('are first: brand, kind of key, arguments, knowledge base', async () => {
    open = await checkedMarket({ records: [...market, ...answers] });
    const readOnly = await open.server.key({ workspace: 'w', kind: 'read' });
    const full = await open.server.key({ workspace: 'w', kind: 'full' });
    const twice = { brand_id: 'nobody', force: 'yes' };
    expect(await open.refusal(twice, readOnly)).to.equal('Unknown brand id: nobody');
    const kind = 'This API key is read-only: it may not run a fact check.';
    expect(await open.refusal({ force: 'yes' }, readOnly)).to.equal(kind);
    expect(await open.refusal({ force: 'yes' }, full)).to.match(
      /^Invalid force: yes\. Give one of true, false\.$/,
    );
    expect(await open.refusal({ brand: 'acme' }, full)).to.match(/^Unknown argument: brand/);
    expect(await open.refusal({}, full)).to.equal('No knowledge base for this brand. Add one first.');
    expect(open.model.asked).to.have.length(0);
  });

  it('refuse a knowledge base of white space as missing', async () => {
    open = await checkedMarket({ records: [...market, ...answers, { ...knowledge, text: ' \n' }] });
    expect(await open.refusal()).to.equal('No knowledge base for this brand. Add one first.');
  });

  it('return a fresh result without a model, a pause or answers', async () => {
    const records = [...market, knowledge, checkedAt('2026-11-14T12:00:00Z')];
    open = await checkedMarket({ records, model: null });
    expect(await open.check()).to.deep.include({ ran: false, reason: 'fresh_result', cost_usd: 0 });
    expect((await open.check()).fact_check).to.include({ age_days: 6, stale: false });
    expect(await open.refusal({ force: true })).to.match(/^No language model is configured\./);
  });

  for (const stamp of ['2026-11-13T12:00:00Z', 'the other day'])
    it(`do not accept a result of ${stamp} as fresh`, async () => {
      open = await checkedMarket({ records: [...market, knowledge, ...answers, checkedAt(stamp)] });
      expect(await open.check()).to.include({ ran: true, reason: null });
    });

  it('are next: the pause, the cap, the model, the answers', async () => {
    open = await checkedMarket({ records: [...market, knowledge, ...answers] });
    const { database } = open.server;
    await open.check();
    const slot = (changes: object) => database.knex('fact_check_slots').update(changes);
    const poor = await checkedMarket({ database, records: [], model: null });
    const refusal = () => poor.refusal({ force: true });
    await slot({ spent: 24 });
    expect(await refusal()).to.match(/just ran/);
    poor.later(5);
    expect(await refusal()).to.match(/daily cap reached/);
    await database.knex('day_newest_answer').del();
    expect(await refusal()).to.match(/daily cap reached/);
    await slot({ spent: 23 });
    expect(await refusal()).to.match(/^No language model is configured/);
    await poor.close();
    open.later(5);
    expect(await open.refusal({ force: true })).to.match(/^No answer with text/);
    expect(open.model.asked).to.have.length(1);
  });

  it('are last: a configured model, and answers that mention the brand', async () => {
    const silent = answered('r9', 'chatgpt', '2026-11-19T10:00:00Z', { answer: null });
    const unnamed = answered('r8', 'chatgpt', '2026-11-19T10:00:00Z', { mentions: [] });
    const knowing = answered('r7', 'deepseek', '2026-11-19T10:00:00Z');
    const blank = answered('r6', 'gemini', '2026-11-19T10:00:00Z', { answer: ' \n' });
    open = await checkedMarket({
      records: [...market, knowledge, silent, unnamed, knowing, blank],
      model: null,
    });
    const noModel = 'No language model is configured. Set FACT_CHECK_BASE_URL and FACT_CHECK_MODEL.';
    expect(await open.refusal()).to.equal(noModel);
    const { database } = open.server;
    const second = await checkedMarket({ database, records: [] });
    expect(await second.refusal()).to.equal('No answer with text mentions this brand yet.');
    await second.close();
  });

  it('do not take the slot if they refuse', async () => {
    open = await checkedMarket({ records: [...market, knowledge] });
    for (let time = 0; time < 30; time++) await open.refusal();
    await open.server.load(answers);
    expect(await open.check()).to.include({ ran: true });
  });
});

describe('run_fact_check: a run', () => {
  let open: CheckedMarket;
  afterEach(() => open.close());

  it('returns the discrepancies of the model, and get_fact_check returns the same', async () => {
    open = await checkedMarket();
    open.model.behave(finds([wrong]));
    const result = await open.check();
    expect(result).to.deep.equal({
      brand: { id: 'acme', name: 'Acme', domain: 'acme.example' },
      ran: true,
      reason: null,
      cost_usd: 0.012,
      fact_check: {
        checked_at: NOW.toISOString(),
        answers_checked: 2,
        stale: false,
        age_days: 0,
        stale_after_days: 7,
        cost_usd: 0.012,
        discrepancies: [{ ...wrong, run_id: 'r1' }],
      },
      note: null,
      notes: [],
    });
    const { fact_check } = await open.server.read('/api/v1/fact-check?brand=acme');
    expect(fact_check).to.deep.equal(result.fact_check);
  });

  it('overwrites the stored result', async () => {
    open = await checkedMarket({
      records: [...market, knowledge, ...answers, checkedAt('2026-11-19T12:00:00Z')],
    });
    open.model.behave(finds([wrong]));
    await open.check({ force: true });
    const read = await open.server.read<{ fact_check: object }>('/api/v1/fact-check?brand=acme');
    expect(read.fact_check).to.deep.include({
      answers_checked: 2,
      discrepancies: [{ ...wrong, run_id: 'r1' }],
    });
  });

  it('is possible for an archived brand', async () => {
    open = await checkedMarket();
    const [, acme] = market;
    await open.server.load([{ ...acme, archived_at: '2026-11-20T00:00:00Z' }]);
    expect(await open.check({ brand_id: 'acme' })).to.include({ ran: true });
  });
});

describe('run_fact_check: several servers', () => {
  it('share slot and cap: of two concurrent calls one runs and one is refused', async () => {
    const database = await emptyDatabase();
    const first = await checkedMarket({ database });
    const second = await checkedMarket({ database, records: [] });
    for (const [at, other] of [second, first, second].entries()) {
      const outcomes = await Promise.allSettled([first.check({ force: true }), other.check({ force: true })]);
      expect(outcomes.map(({ status }) => status).sort(), `${at}`).to.deep.equal(['fulfilled', 'rejected']);
      const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(refused.reason.message).to.equal('A fact check for this brand just ran. Retry in 5s.');
      for (const each of [first, second]) each.later(5);
    }
    expect(first.model.asked.length + second.model.asked.length).to.equal(3);
    await first.close();
    await second.close();
    await database.close();
  });
});

describe('run_fact_check: the cost', () => {
  /** What a check of each of these replies costs. */
  const costs = async (replies: readonly object[], model: object = {}) => {
    const open = await checkedMarket({ model });
    const found = [];
    for (const reply of replies) {
      open.model.behave(finds([], reply));
      open.later(5);
      const result = await open.check({ force: true });
      expect(result.fact_check.cost_usd).to.equal(result.cost_usd);
      found.push(result.cost_usd);
    }
    await open.close();
    return found;
  };

  it('is tokens times price', async () => {
    const usages = [
      { prompt_tokens: 4000, completion_tokens: 200 },
      { prompt_tokens: 1, completion_tokens: 0 },
    ];
    expect(await costs(usages.map((usage) => ({ usage })))).to.deep.equal([0.012, 0.0000025]);
    expect(await costs([{}], { inputUsdPerMtok: 0, outputUsdPerMtok: 0 })).to.deep.equal([0]);
  });

  it('is null, not zero, if tokens or a price are not stated', async () => {
    const usages = [undefined, null, {}, { prompt_tokens: 3 }, { prompt_tokens: -1, completion_tokens: 2 }];
    expect(await costs(usages.map((usage) => ({ usage })))).to.deep.equal(usages.map(() => null));
    expect(await costs([{}], { inputUsdPerMtok: null })).to.deep.equal([null]);
    expect(await costs([{}], { outputUsdPerMtok: null })).to.deep.equal([null]);
  });

  it('is the sum of both requests if a malformed reply was repeated', async () => {
    const open = await checkedMarket();
    open.model.behave(sends(completion('nonsense')), finds([]));
    expect(await open.check()).to.include({ cost_usd: 0.024 });
    open.model.behave(sends(completion('nonsense', { usage: null })), finds([]));
    open.later(5);
    expect(await open.check({ force: true })).to.include({ cost_usd: null });
    await open.close();
  });
});
