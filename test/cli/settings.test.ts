import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CommandError } from '../../src/cli/command-error.js';
import { readProfiles, saveProfile } from '../../src/cli/profiles.js';
import { DEFAULT_URL, settingsOf } from '../../src/cli/settings.js';
import { Home, svc } from './support/run.js';
import { session } from './support/session.js';

describe('settings', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
  });
  afterEach(() => home.remove());

  const keyFile = () => {
    const path = join(home.folder, 'key');
    writeFileSync(path, 'svc_file\n');
    return path;
  };
  const store = () =>
    saveProfile(home.folder, 'work', { url: 'http://p', key: 'svc_profile', brand: 'b_p' }, 'always');

  it('come from flags first', () => {
    store();
    const flags = { url: 'http://f', 'key-file': keyFile(), brand: 'b_f' };
    const env = { SVC_URL: 'http://e', SVC_API_KEY: 'svc_env', SVC_BRAND: 'b_e' };
    const { url, key, brand } = settingsOf(flags, env, home.folder);
    expect({ url, key, brand }).to.deep.equal({ url: 'http://f', key: 'svc_file', brand: 'b_f' });
  });

  it('come from the environment before the profile', () => {
    store();
    const env = { SVC_URL: 'http://e', SVC_API_KEY: ' svc_env\n', SVC_BRAND: 'b_e' };
    const { url, key, brand } = settingsOf({}, env, home.folder);
    expect({ url, key, brand }).to.deep.equal({ url: 'http://e', key: 'svc_env', brand: 'b_e' });
  });

  it('come from the profile before the default, each value by itself', () => {
    store();
    const settings = settingsOf({ brand: 'b_f' }, { SVC_URL: '' }, home.folder);
    expect(settings).to.deep.equal({ url: 'http://p', key: 'svc_profile', brand: 'b_f', profile: 'work' });
  });

  it('fall back to this machine without a key', () => {
    const settings = settingsOf({}, {}, home.folder);
    expect(settings).to.deep.equal({
      url: DEFAULT_URL,
      key: undefined,
      brand: undefined,
      profile: undefined,
    });
  });

  it('take the profile of the flag, then SVC_PROFILE, then the default one', () => {
    for (const name of ['one', 'two', 'three'])
      saveProfile(home.folder, name, { url: `http://${name}` }, 'if-none');
    const urlFor = (flags: { profile?: string }, env: { SVC_PROFILE?: string }) =>
      settingsOf(flags, env, home.folder).url;
    expect(urlFor({ profile: 'three' }, { SVC_PROFILE: 'two' })).to.equal('http://three');
    expect(urlFor({}, { SVC_PROFILE: 'two' })).to.equal('http://two');
    expect(urlFor({}, {})).to.equal('http://one');
  });

  it('refuse a profile that is not stored, with the nearest that is', () => {
    store();
    for (const name of ['wrok', 'toString', '__proto__']) {
      expect(() => settingsOf({ profile: name }, {}, home.folder)).to.throw(
        CommandError,
        `No profile ${name}`,
      );
    }
    expect(() => settingsOf({ profile: 'wrok' }, {}, home.folder)).to.throw('Did you mean work?');
  });

  it('refuse a key file that is missing or empty', () => {
    const empty = join(home.folder, 'empty');
    writeFileSync(empty, ' \n');
    for (const path of [empty, join(home.folder, 'missing')]) {
      expect(() => settingsOf({ 'key-file': path }, {}, home.folder)).to.throw(CommandError, path);
    }
  });

  it('refuse a profiles file that holds something else', () => {
    for (const content of ['{', '[]', '{"profiles":{"a":{"url":1}}}', '{"profiles":[]}']) {
      writeFileSync(join(home.folder, 'profiles.json'), content);
      expect(() => readProfiles(home.folder)).to.throw(CommandError, 'profiles.json');
    }
  });
});

describe('the brand', () => {
  const now = session();

  it('reaches the server from the flag, the variable or the profile', async () => {
    const env = { ...now.env, SVC_BRAND: 'br_tide' };
    await svc(['overview', '--brand', 'br_fernweh'], env);
    await svc(['sources'], env);
    expect(now.server.requests).to.deep.equal([
      '/api/v1/overview?brand=br_fernweh',
      '/api/v1/sources?brand=br_tide',
    ]);
  });
});
