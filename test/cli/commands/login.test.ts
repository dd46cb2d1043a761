import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { errors } from '../../../src/contract/errors.js';
import { KEYS } from '../support/fake-server.js';
import { piped, svc } from '../support/run.js';
import { session } from '../support/session.js';

const UNKNOWN = 'svc_nope0123456789012345678901234567890123456789';

describe('svc login', () => {
  const now = session();
  const login = (key: string, ...args: string[]) =>
    svc(['login', '--url', now.server.url, ...args], now.home.env, `${key}\n`);
  const stored = () => JSON.parse(readFileSync(now.home.profilesFile, 'utf8'));

  it('stores a valid key from standard input in a file that only its owner can read', async () => {
    const args = ['login', '--url', now.server.url];
    const { code, stdout, stderr } = await piped(args, now.home.env, `${KEYS.full}\n`);
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' });
    expect(stderr).to.contain('full key').and.not.contain(KEYS.full);
    expect(stored()).to.deep.equal({
      default: '127.0.0.1',
      profiles: { '127.0.0.1': { url: now.server.url, key: KEYS.full } },
    });
    expect(statSync(now.home.profilesFile).mode & 0o777).to.equal(0o600);
    expect((await svc(['overview'], now.home.env)).code).to.equal(0);
  });

  it('accepts a key that can only ship logs', async () => {
    const { code, stdout } = await login(KEYS.ingest, '--json');
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.include({ key_kind: 'ingest', profile: '127.0.0.1', default: true });
    expect(stored().profiles['127.0.0.1'].key).to.equal(KEYS.ingest);
  });

  it('does not store a key that the server refuses', async () => {
    expect((await login(UNKNOWN)).code).to.equal(3);
    now.server.refuse(errors.addressNotAllowed('10.0.0.1'), 'full');
    expect((await login(KEYS.full)).code).to.equal(4);
    now.server.refuse(undefined);
    expect((await login(KEYS.full, '--brand', 'br_tied')).code).to.equal(5);
    expect((await login('')).code).to.equal(2);
    expect(existsSync(now.home.profilesFile)).to.equal(false);
  });

  it('says where no server answers, and that nothing was stored', async () => {
    const { code, stderr } = await svc(['login', '--url', 'http://127.0.0.1:1'], now.home.env, KEYS.full);
    expect(code).to.equal(7);
    expect(stderr).to.contain('Nothing was stored. Is the server running at http://127.0.0.1:1?');
    expect(stderr).to.not.contain('comes from');
  });

  it('makes its profile the one that later commands use', async () => {
    await login(KEYS.full);
    const { stderr } = await login(KEYS.full, '--profile', 'work', '--brand', 'br_tide');
    expect(stderr).to.contain('--profile 127.0.0.1');
    expect(stored().default).to.equal('work');
    expect(stored().profiles.work.brand).to.equal('br_tide');
    const { stdout } = await svc(['whoami', '--json'], now.home.env);
    expect(JSON.parse(stdout)).to.include({ profile: 'work', default_brand: 'br_tide' });
  });

  it('replaces the demo as the server of later commands, and never writes its profile', async () => {
    const demo = { url: 'http://127.0.0.1:9', key: KEYS.full, demo: true };
    saveProfile(dirname(now.home.profilesFile), 'demo', demo, false);
    const { code, stderr } = await login(KEYS.full);
    expect(code).to.equal(0);
    expect(stderr).to.contain('profile 127.0.0.1').and.contain('--profile demo');
    for (const more of [{}, { SVC_PROFILE: 'demo' }]) {
      const args = ['login', '--url', now.server.url, ...(more.SVC_PROFILE ? [] : ['--profile', 'demo'])];
      const refused = await svc(args, { ...now.home.env, ...more }, KEYS.full);
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.contain('demo').and.contain('choose another name');
    }
    expect(stored()).to.deep.equal({
      default: '127.0.0.1',
      profiles: { demo, '127.0.0.1': { url: now.server.url, key: KEYS.full } },
    });
    expect((await svc(['overview'], now.home.env)).code).to.equal(0);
  });

  it('replaces a key of the same server, and of another server only if its profile is named', async () => {
    const other = { url: 'https://svc.example', key: 'svc_precious', brand: 'br_x' };
    saveProfile(dirname(now.home.profilesFile), 'default', other, true);
    expect((await login(KEYS.full)).code).to.equal(0);
    expect(stored().profiles.default).to.deep.equal(other);
    expect(stored().default).to.equal('127.0.0.1');
    expect((await login(KEYS.full, '--profile', 'default', '--brand', 'br_tide')).code).to.equal(0);
    expect((await login(KEYS.full)).code).to.equal(0);
    expect(stored().profiles.default).to.deep.equal({
      url: now.server.url,
      key: KEYS.full,
      brand: 'br_tide',
    });
  });

  it('refuses an invalid address before it asks for the key', async () => {
    const { code, stderr } = await svc(['login', '--url', 'http://user:pw@host'], now.home.env, '');
    expect(code).to.equal(2);
    expect(stderr).to.contain('The address').and.not.contain('pw');
  });

  it('stores the id of a brand that is given by name', async () => {
    expect((await login(KEYS.full, '--brand', 'fernweh coffee')).code).to.equal(0);
    expect(stored().profiles['127.0.0.1'].brand).to.equal('br_fernweh');
  });

  it('accepts no key as an argument', async () => {
    expect((await svc(['login', KEYS.full], now.home.env)).code).to.equal(2);
    expect((await svc(['login', '--key', KEYS.full], now.home.env)).code).to.equal(2);
  });
});

describe('svc logout', () => {
  const now = session();

  it('removes the profile with its key, and succeeds if nothing is stored', async () => {
    await svc(['login', '--url', now.server.url], now.home.env, KEYS.full);
    expect((await svc(['logout'], now.home.env)).code).to.equal(0);
    expect(readFileSync(now.home.profilesFile, 'utf8')).to.not.contain(KEYS.full);
    const again = await svc(['logout', '--json'], now.home.env);
    expect(again.code).to.equal(0);
    expect(JSON.parse(again.stdout)).to.deep.equal({ profile: null, removed: false });
    expect((await svc(['overview'], now.home.env)).code).to.equal(3);
  });

  it('states which profile commands use afterwards', async () => {
    const demo = { url: 'http://127.0.0.1:9', key: KEYS.full, demo: true };
    const folder = dirname(now.home.profilesFile);
    saveProfile(folder, 'demo', demo, false);
    saveProfile(folder, 'work', { url: now.server.url, key: KEYS.full }, false);
    saveProfile(folder, 'home', { url: now.server.url, key: KEYS.full }, true);
    expect((await svc(['logout'], now.home.env)).stderr).to.contain('svc profiles use work');
    const { stderr } = await svc(['logout', '--profile', 'work'], now.home.env);
    expect(stderr).to.not.contain('profiles use');
    expect((await svc(['profiles'], now.home.env)).stdout).to.match(/demo .*default/);
  });

  it('refuses an unknown profile', async () => {
    const { code, stderr } = await svc(['logout', '--profile', 'work'], now.home.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('No profile work is stored');
  });
});
