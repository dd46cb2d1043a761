import { expect } from 'chai';
import { errors } from '../../src/contract/errors.js';
import { KEYS, type SentRefusal } from './support/fake-server.js';
import { svc } from './support/run.js';
import { session } from './support/session.js';

interface Expected {
  readonly refusal: SentRefusal;
  /** What the command says, where that is not the server's message. */
  readonly says?: string;
  readonly exit: number;
  readonly code: string;
  readonly retryable?: boolean;
}

const gone: SentRefusal = { status: 410, message: 'Gone' };
const tooLarge: SentRefusal = { status: 413, message: 'Too large' };
const badGateway: SentRefusal = { status: 501, message: 'Never will' };

/** A wait that is too long for the client, so that the test does not wait either. */
const cases: readonly Expected[] = [
  { refusal: errors.invalidCursor('answers', 'x'), exit: 2, code: 'usage' },
  { refusal: tooLarge, exit: 2, code: 'usage' },
  {
    refusal: errors.unauthorized(),
    exit: 3,
    code: 'authentication',
    says: 'does not know the key from SVC_API_KEY: it was revoked, or is of another server, or is not whole.',
  },
  { refusal: errors.keyExpired('2026-11-01'), exit: 3, code: 'authentication' },
  { refusal: errors.addressNotAllowed('10.0.0.1'), exit: 4, code: 'not_allowed' },
  { refusal: errors.unknownBrand(), exit: 5, code: 'not_found' },
  { refusal: errors.rateLimited(3600), exit: 6, code: 'rate_limited', retryable: true },
  { refusal: badGateway, exit: 8, code: 'server_error', retryable: true },
  { refusal: gone, exit: 1, code: 'unexpected' },
];

describe('the exit codes', () => {
  const now = session();

  for (const { refusal, exit, code, retryable = false, says = refusal.message } of cases) {
    it(`are ${exit} for a ${refusal.status} (${refusal.message})`, async () => {
      now.server.refuse(refusal, 'full');
      const { stdout, stderr, code: exited } = await svc(['overview'], now.env);
      expect({ exited, stdout }).to.deep.equal({ exited: exit, stdout: '' });
      expect(stderr.replace(/\s+/g, ' ')).to.contain(says);
    });

    it(`are ${exit} for a ${refusal.status} under --json too, with one object on standard output`, async () => {
      now.server.refuse(refusal, 'full');
      const { stdout, stderr, code: exited } = await svc(['overview', '--json'], now.env);
      expect({ exited, stderr }).to.deep.equal({ exited: exit, stderr: '' });
      const { message, ...rest } = JSON.parse(stdout).error;
      expect(rest).to.deep.equal({ code, status: refusal.status, retryable });
      expect(message).to.satisfy((text: string) => text.endsWith(says));
    });
  }

  it('are 7 if nothing listens, and the error is retryable', async () => {
    const env = { ...now.env, SVC_URL: 'http://127.0.0.1:1' };
    const { stdout, code } = await svc(['overview', '--json'], env);
    expect(code).to.equal(7);
    expect(JSON.parse(stdout).error).to.include({ code: 'network', status: null, retryable: true });
  });

  it('are 3 without a key, before any request', async () => {
    const { code, stderr } = await svc(['overview'], { ...now.home.env, SVC_URL: now.server.url });
    expect(code).to.equal(3);
    expect(stderr).to.contain('svc login');
    expect(now.server.requests).to.deep.equal([]);
  });

  it('are 2 for an invalid address', async () => {
    const { code } = await svc(['overview', '--url', 'ftp://example'], now.env);
    expect(code).to.equal(2);
  });

  it('are 1 if the response is not from the API', async () => {
    now.server.refuse({ status: 200, message: 'This is no page.' });
    const { code, stdout } = await svc(['answers', '--limit', '5', '--json'], now.env);
    expect(code).to.equal(1);
    expect(JSON.parse(stdout).error.code).to.equal('unexpected');
  });
});

describe('a failure', () => {
  const now = session();

  it('never prints the key, even if the server repeats it', async () => {
    now.server.refuse({ status: 400, message: `You sent ${KEYS.full}.` }, 'full');
    for (const args of [['overview'], ['overview', '--json']]) {
      const { stdout, stderr } = await svc(args, { ...now.env, DEBUG: '*' });
      expect(stdout + stderr)
        .to.contain('You sent')
        .and.not.contain(KEYS.full);
    }
  });
});
