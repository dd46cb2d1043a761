import { expect } from 'chai';
import { checkedMarket } from '../alerts/fact-check/support/checked-market.js';
import { finds } from '../alerts/fact-check/support/model-server.js';

/** A grace period that is longer than any test, also on a slow machine. */
const TEN_MINUTES_MS = 600_000;

describe('a server that stops', () => {
  it('finishes running requests, and does not wait for idle connections', async () => {
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

  it('answers the caller of a check that takes longer than the grace period', async () => {
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
