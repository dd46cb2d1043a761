import { expect } from 'chai';
import { checkedMarket } from './fact-check/support/checked-market.js';
import { finds } from './fact-check/support/model-server.js';

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
    const began = Date.now();
    await server.close(20_000);
    expect(Date.now() - began).to.be.within(150, 3000);
    expect(await answer).to.include({ ran: true });
    await model.close();
  });

  it('tells the caller of a check that would go on for longer than the grace', async () => {
    const { server, model, refusal } = await checkedMarket();
    const asked = new Promise<void>((resolve) => model.behave(() => resolve()));
    const answer = refusal();
    await asked;
    const began = Date.now();
    const closed = server.close(900);
    expect(await answer).to.match(/^The server is stopping\. This run does not count/);
    await closed;
    expect(Date.now() - began).to.be.within(390, 3000);
    await model.close();
  });
});
