import { expect } from 'chai';
import { checkedMarket } from './support/checked-market.js';
import { completion, finds, sends } from './support/model-server.js';

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
