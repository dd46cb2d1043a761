import { createSecretKey, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { seal, unseal } from '../../../../src/server/web/page/session.js';

const secret = createSecretKey(randomBytes(32));
const session = fc.record({
  secretHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
  expiresAt: fc.date({ noInvalidDate: true }),
});

describe('the cookie of a session', () => {
  it('returns what was sealed, and never shows it', () => {
    fc.assert(
      fc.property(session, (one) => {
        const sealed = seal(secret, one);
        const { id, ...opened } = unseal(secret, sealed)!;
        expect(opened).to.deep.equal(one);
        expect(id).to.match(/^[0-9a-f]{64}$/);
        expect(seal(secret, one)).to.not.equal(sealed);
        expect(Buffer.from(sealed, 'base64url').includes(one.secretHash)).to.equal(false);
      }),
    );
  });

  it('has one id, however its bytes are written, and another one for each session', () => {
    fc.assert(
      fc.property(session, (one) => {
        const sealed = seal(secret, one);
        const id = unseal(secret, sealed)!.id;
        const bytes = Buffer.from(sealed, 'base64url');
        const last = sealed.slice(0, -1);
        const same = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
          .map((character) => last + character)
          .filter((text) => Buffer.from(text, 'base64url').equals(bytes));
        expect(same.length).to.be.greaterThan(1);
        for (const text of [...same, bytes.toString('base64')]) expect(unseal(secret, text)?.id).to.equal(id);
        expect(unseal(secret, seal(secret, one))!.id).to.not.equal(id);
      }),
    );
  });

  it('is null if a byte differs, and with another secret', () => {
    fc.assert(
      fc.property(session, fc.nat(67), fc.integer({ min: 1, max: 255 }), (one, at, change) => {
        const bytes = Buffer.from(seal(secret, one), 'base64url');
        expect(unseal(createSecretKey(randomBytes(32)), bytes.toString('base64url'))).to.equal(null);
        bytes[at]! ^= change;
        expect(unseal(secret, bytes.toString('base64url'))).to.equal(null);
      }),
    );
  });

  it('is null for any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(unseal(secret, text)).to.equal(null);
      }),
    );
  });
});
