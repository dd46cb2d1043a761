import { dirname } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { errors } from '../../../src/contract/errors.js';
import { KEYS } from '../support/fake-server.js';
import * as fixtures from '../support/fixtures.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc whoami', () => {
  const now = session();

  it('prints server, kind of key, brands and remaining tokens, but not the key', async () => {
    const { stdout, code } = await svc(['whoami'], now.env);
    expect(code).to.equal(0);
    for (const shown of [
      now.server.url,
      'full',
      'Fernweh Coffee (br_fernweh)',
      'Tide & Pine',
      '117 of 120',
    ]) {
      expect(stdout).to.contain(shown);
    }
    expect(stdout).to.not.contain('svc_');
  });

  it('prints one object under --json', async () => {
    const { stdout } = await svc(['whoami', '--json'], now.env);
    expect(JSON.parse(stdout)).to.deep.equal({
      server: now.server.url,
      profile: null,
      key_kind: 'full',
      brands: fixtures.brands,
      default_brand: null,
      rate_limit: { limit: 120, remaining: 117, reset: 1_795_000_000 },
      api_version: null,
      note: null,
      sources: { server: 'SVC_URL', key: 'SVC_API_KEY', default_brand: null, profile: null },
    });
  });

  it('prints the source of each setting', async () => {
    const profile = { url: now.server.url, key: KEYS.full, brand: 'br_tide' };
    saveProfile(dirname(now.home.profilesFile), 'work', profile, true);
    const { stdout } = await svc(['whoami'], { ...now.home.env, SVC_BRAND: 'br_fernweh' });
    expect(stdout).to.contain(`${now.server.url} (profile work)`).and.contain('full (profile work)');
    expect(stdout).to.contain('work (default)').and.contain('br_fernweh (SVC_BRAND)');
    const other = await svc(['whoami', '--url', now.server.url, '--profile', 'work', '--json'], now.env);
    expect(JSON.parse(other.stdout).sources).to.deep.equal({
      server: '--url',
      key: 'SVC_API_KEY',
      default_brand: 'profile work',
      profile: '--profile',
    });
  });

  it('exits with 0 for a key that can only ship logs, and says so', async () => {
    const { stdout, code } = await svc(['whoami'], { ...now.env, SVC_API_KEY: KEYS.ingest });
    expect(code).to.equal(0);
    expect(stdout).to.contain('ingest').and.contain('can only ship crawler logs');
  });

  it('exits with 0 for every other valid key', async () => {
    for (const refusal of [errors.addressNotAllowed('10.0.0.1'), errors.noBrands()]) {
      now.server.refuse(refusal, 'read');
      const { stdout, code } = await svc(['whoami', '--json'], now.env);
      expect(code).to.equal(0);
      expect(JSON.parse(stdout)).to.include({ key_kind: 'read', note: refusal.message });
    }
  });

  it('exits with 3 for an unknown, revoked or expired key', async () => {
    expect((await svc(['whoami'], { ...now.env, SVC_API_KEY: 'svc_other' })).code).to.equal(3);
    now.server.refuse(errors.keyExpired('2026-11-01'), 'full');
    expect((await svc(['whoami'], now.env)).code).to.equal(3);
  });
});
