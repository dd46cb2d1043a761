import { expect } from 'chai';
import { checkedMarket } from './support/checked-market.js';
import { completion, finds, sends } from './support/model-server.js';

describe('run_fact_check: the cost', () => {
  const costs = async (more: object, model: object = {}) => {
    const open = await checkedMarket({ model });
    open.model.behave(finds([], more));
    const result = await open.check();
    await open.close();
    expect(result.fact_check.cost_usd).to.equal(result.cost_usd);
    return result.cost_usd;
  };

  it('is tokens times price', async () => {
    expect(await costs({ usage: { prompt_tokens: 4000, completion_tokens: 200 } })).to.equal(0.012);
    expect(await costs({ usage: { prompt_tokens: 1, completion_tokens: 0 } })).to.equal(0.0000025);
    expect(await costs({}, { inputUsdPerMtok: 0, outputUsdPerMtok: 0 })).to.equal(0);
  });

  it('is null, not zero, if tokens or a price are not stated', async () => {
    for (const usage of [
      undefined,
      null,
      {},
      { prompt_tokens: 3 },
      { prompt_tokens: -1, completion_tokens: 2 },
    ])
      expect(await costs({ usage }), JSON.stringify(usage)).to.equal(null);
    expect(await costs({}, { inputUsdPerMtok: null })).to.equal(null);
    expect(await costs({}, { outputUsdPerMtok: null })).to.equal(null);
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
