import { expect } from 'chai';
import { checkedMarket } from './fact-check/support/checked-market.js';
import { finds } from './fact-check/support/model-server.js';

/** A grace that no machine is slow enough to use up. */
const TEN_MINUTES_MS = 600_000;

describe('a server that stops', () => {
  it('lets what runs finish, and waits for no connection that is only kept alive', async () => {
    const { server, model, check } = await checkedMarket();
    const asked = new Promise<void>((resolve) =>
      model.behave((response, one) => {
        resolve();
        setTimeout(() => finds([])(response, one), 200);
      }),
    );
    const answer = check();
    await asked;
    const began = performance.now();
    await server.close(TEN_MINUTES_MS);
    expect(performance.now() - began).to.be.below(TEN_MINUTES_MS / 4);
    expect(await answer).to.include({ ran: true });
    await model.close();
  });

  it('tells the caller of a check that would go on for longer than the grace', async () => {
    const { server, model, refusal } = await checkedMarket();
    const asked = new Promise<void>((resolve) => model.behave(() => resolve()));
    const answer = refusal();
    await asked;
    const closed = server.close(900);
    expect(await answer).to.match(/^The server is stopping\. This run does not count/);
    await closed;
    await model.close();
  });
});
