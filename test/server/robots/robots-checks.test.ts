import { expect } from 'chai';
import { createRobotsChecks } from '../../../src/server/robots/fetch.js';
import { answering, site } from './support.js';

const HOUR = 3_600_000;

describe('robots checks', () => {
  it('are cached for an hour, also failures', async () => {
    let now = 1_000_000_000_000;
    let status = 500;
    const failing = await site((_, response) => response.writeHead(status).end());
    const checks = createRobotsChecks(() => new Date(now), { allowPrivate: true });
    const first = await checks.of(failing.domain);
    expect(first.state.state).to.equal('error');
    status = 200;
    now += HOUR - 1;
    expect(await checks.of(failing.domain)).to.equal(first);
    now += 1;
    const next = await checks.of(failing.domain);
    expect(next.state.state).to.equal('ok');
    expect(next.checkedAt).to.equal(now);
    expect(failing.asked).to.have.lengthOf(2);
    await failing.close();
  });

  it('share one fetch between concurrent readers of a domain', async () => {
    const [one, other] = [await answering(404), await answering(200)];
    const checks = createRobotsChecks(() => new Date(0), { allowPrivate: true });
    const states = await Promise.all(Array.from({ length: 20 }, () => checks.of(one.domain)));
    expect(new Set(states).size).to.equal(1);
    expect((await checks.of(other.domain)).state.state).to.equal('ok');
    expect([one.asked.length, other.asked.length]).to.deep.equal([1, 1]);
    await one.close();
    await other.close();
  });
});
