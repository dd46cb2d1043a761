import { expect } from 'chai';
import { waitText } from '../../../src/cli/progress/progress.js';
import { duration } from '../../../src/cli/render/view.js';
import { errors } from '../../../src/contract/errors.js';
import { ConnectionError, errorOfStatus } from '../../../src/sdk/errors.js';
import { piped, svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('duration', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0 s'],
    [640, '0.6 s'],
    [4123, '4.1 s'],
    [28_000, '28 s'],
    [59_949, '59.9 s'],
    [59_990, '1 min'],
    [108_400, '1 min 48 s'],
    [119_600, '2 min'],
    [3_599_600, '1 h'],
    [7_500_000, '2 h 5 min'],
  ];
  for (const [ms, text] of cases)
    it(`formats ${ms} ms as ${text}`, () => expect(duration(ms)).to.equal(text));
});

describe('the message for a wait', () => {
  it('contains status, reason and seconds, rounded up', () => {
    const error = errorOfStatus(503, 'Database unavailable', {});
    expect(waitText(error, 27_300)).to.equal('503 Database unavailable; next try in 28 s');
    expect(waitText(error, 0)).to.equal('503 Database unavailable; trying again');
  });

  it('contains no status without a response, and no other time than the wait', () => {
    expect(waitText(new ConnectionError('No connection to http://a.b:1: refused'), 1500)).to.equal(
      'No connection to http://a.b:1: refused; next try in 2 s',
    );
    const { status, code, message } = errors.rateLimited(7);
    expect(waitText(errorOfStatus(status, message, { code }), 8700)).to.equal(
      '429 Rate limit exceeded: 120 requests per minute per API key; next try in 9 s',
    );
  });

  it('is shortened in the reason, never in the time', () => {
    const error = errorOfStatus(503, 'Database unavailable', {});
    expect(waitText(error, 28_000, 30)).to.equal('503 Databas…; next try in 28 s');
    expect(waitText(error, 28_000, 5)).to.equal('…; next try in 28 s');
  });
});

describe('a read that waits for another attempt', () => {
  const now = session();
  const unavailable = { status: 503, message: 'Database unavailable', headers: { 'Retry-After': '1' } };
  const line = '503 Database unavailable; next try in 2 s\n';

  it('reports the wait on standard error, also under --json', async () => {
    now.server.refuse(unavailable);
    const [words, json] = await Promise.all([
      piped(['brands'], now.env, ''),
      piped(['brands', '--json'], now.env, ''),
    ]);
    expect(words.stderr).to.match(new RegExp(`^(${line}){2}Error: Database unavailable`));
    expect(json.stderr).to.equal(line.repeat(2));
    expect([words.code, json.code]).to.deep.equal([8, 8]);
  });

  it('reports nothing under --quiet', async () => {
    now.server.refuse(unavailable);
    expect((await svc(['brands', '--quiet', '--json'], now.env)).stderr).to.equal('');
  });
});
