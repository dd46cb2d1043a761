import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('a command that sends several requests at once', () => {
  const now = session();

  it('ends the others when one is refused: none of them waits for a retry, and nothing is printed later', async () => {
    const unavailable = { ...errors.databaseUnavailable(), headers: { 'Retry-After': '1' } };
    now.server.refuseOne('prompts', unavailable);
    now.server.tools.refuse('get_content_coverage', errors.planTooLow('Coverage', 'growth', 'starter'));
    const { code } = await svc(['losing'], now.env);
    expect(code).to.equal(4);
    const sent = [...now.server.requests];
    await sleep(2000);
    expect(now.server.requests).to.deep.equal(sent);
  });
});
