import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { CommandError } from '../../../src/cli/command-error.js';
import { readProfiles, saveProfile } from '../../../src/cli/connection/profiles.js';
import { DEFAULT_URL, serverAddress, settingsOf } from '../../../src/cli/connection/settings.js';
import { fresh } from '../../support/hooks.js';
import { KEYS } from '../support/fake-server.js';
import { Home, svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('the settings', () => {
  const home = fresh(() => new Home());

  const keyFile = () => {
    const path = join(home.folder, 'key');
    writeFileSync(path, 'svc_file\n');
    return path;
  };
  const store = () =>
    saveProfile(home.folder, 'work', { url: 'http://p', key: 'svc_profile', brand: 'b_p' }, true);

  it('the brand of a profile is used for its server, and not where address and key come from elsewhere', () => {
    store();
    const brandWith = (env: Record<string, string>) => settingsOf({}, env, home.folder).brand;
    expect(brandWith({ SVC_URL: 'http://p/api/v1' })).to.equal('b_p');
    expect(brandWith({ SVC_API_KEY: 'svc_env' })).to.equal('b_p');
    expect(brandWith({ SVC_URL: 'http://other', SVC_API_KEY: 'svc_env' })).to.equal(undefined);
    // The key may be of another workspace of the same server.
    expect(brandWith({ SVC_URL: 'http://p', SVC_API_KEY: 'svc_env' })).to.equal(undefined);
    const chosen = { SVC_URL: 'http://p', SVC_API_KEY: 'svc_env', SVC_PROFILE: 'work' };
    expect(brandWith(chosen)).to.equal('b_p');
  });

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

  it('come from the profile before the default, separately for each value', () => {
    store();
    const settings = settingsOf({ brand: 'b_f' }, { SVC_URL: '' }, home.folder);
    expect(settings).to.deep.equal({
      url: 'http://p',
      key: 'svc_profile',
      brand: 'b_f',
      profile: 'work',
      sources: { url: 'profile work', key: 'profile work', brand: '--brand', profile: 'default' },
      otherOrigin: undefined,
    });
  });

  it('default to this machine without a key', () => {
    const settings = settingsOf({}, {}, home.folder);
    expect(settings).to.deep.equal({
      url: DEFAULT_URL,
      key: undefined,
      brand: undefined,
      profile: undefined,
      sources: { url: 'default', key: null, brand: null, profile: null },
      otherOrigin: undefined,
    });
  });

  it('contain the flag or variable of each value', () => {
    store();
    const flags = { url: 'http://f', profile: 'work', 'key-file': keyFile() };
    const env = { SVC_BRAND: 'b_e', SVC_API_KEY: 'svc_env', SVC_PROFILE: 'work', SVC_URL: 'http://e' };
    expect(settingsOf(flags, env, home.folder).sources).to.deep.equal({
      url: '--url',
      key: '--key-file',
      brand: 'SVC_BRAND',
      profile: '--profile',
    });
    expect(settingsOf({}, env, home.folder).sources).to.deep.equal({
      url: 'SVC_URL',
      key: 'SVC_API_KEY',
      brand: 'SVC_BRAND',
      profile: 'SVC_PROFILE',
    });
  });

  it('use the key of a profile only for its origin', () => {
    const given = (url: string) => {
      const { key, otherOrigin } = settingsOf({ url }, {}, home.folder);
      return { key, otherOrigin };
    };
    saveProfile(home.folder, 'work', { url: 'https://p.example/base', key: 'svc_profile' }, true);
    const withheld = { key: undefined, otherOrigin: 'https://p.example' };
    for (const url of [
      'http://p.example/base',
      'https://p.example:444',
      'https://p.example.evil.example',
      'https://q.example/base',
      'https://p.example@evil.example',
      'not an address',
    ])
      expect(given(url), url).to.deep.equal(withheld);
    for (const url of ['https://p.example', 'https://P.example:443/other', 'p.example'])
      expect(given(url), url).to.deep.equal({ key: 'svc_profile', otherOrigin: undefined });
  });

  it('use a key of the environment or of a file for any address', () => {
    store();
    expect(settingsOf({ url: 'http://f' }, { SVC_API_KEY: 'svc_env' }, home.folder).key).to.equal('svc_env');
    expect(settingsOf({ url: 'http://f', 'key-file': keyFile() }, {}, home.folder).key).to.equal('svc_file');
  });

  it('use the profile of the flag, then of SVC_PROFILE, then the default one', () => {
    for (const name of ['one', 'two', 'three'])
      saveProfile(home.folder, name, { url: `http://${name}` }, name === 'one');
    const urlFor = (flags: { profile?: string }, env: { SVC_PROFILE?: string }) =>
      settingsOf(flags, env, home.folder).url;
    expect(urlFor({ profile: 'three' }, { SVC_PROFILE: 'two' })).to.equal('http://three');
    expect(urlFor({}, { SVC_PROFILE: 'two' })).to.equal('http://two');
    expect(urlFor({}, {})).to.equal('http://one');
  });

  it('refuse an unknown profile, with the nearest known one', () => {
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

  it('refuse an invalid profiles file', () => {
    for (const content of ['{', '[]', '{"profiles":{"a":{"url":1}}}', '{"profiles":[]}']) {
      writeFileSync(join(home.folder, 'profiles.json'), content);
      expect(() => readProfiles(home.folder)).to.throw(CommandError, 'profiles.json');
    }
  });
});

describe('the brand of the settings', () => {
  const now = session();

  it('is sent from the flag, the variable or the profile', async () => {
    const env = { ...now.env, SVC_BRAND: 'br_tide' };
    await svc(['overview', '--brand', 'br_fernweh'], env);
    await svc(['sources'], env);
    expect(now.server.requests).to.deep.equal([
      '/api/v1/overview?brand=br_fernweh',
      '/api/v1/sources?brand=br_tide',
    ]);
  });
});

describe('the key of a profile', () => {
  const now = session();

  for (const args of [
    ['overview'],
    ['sources', '--all'],
    ['whoami'],
    ['tools', 'list'],
    ['fanouts'],
    ['mcp'],
    ['ingest'],
  ]) {
    it(`is never sent to another address: svc ${args.join(' ')}`, async () => {
      const profile = { url: 'http://127.0.0.1:9', key: KEYS.full };
      saveProfile(dirname(now.home.profilesFile), 'work', profile, true);
      for (const way of ['--url', 'SVC_URL']) {
        const isFlag = way === '--url';
        const env = { ...now.home.env, ...(isFlag ? {} : { SVC_URL: now.server.url }) };
        const line = `{"message":"1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] \\"GET / HTTP/1.1\\" 200 1 \\"-\\" \\"GPTBot\\""}\n`;
        const { code, stderr } = await svc(
          [...args, ...(isFlag ? ['--url', now.server.url] : [])],
          env,
          line,
        );
        expect(code).to.equal(3);
        const said = stderr.replace(/\s+/g, ' ');
        for (const shown of [
          'profile work',
          'http://127.0.0.1:9',
          way,
          'svc login --url',
          '--profile',
          'SVC_API_KEY',
          '--key-file',
        ])
          expect(said).to.contain(shown);
        expect(said).to.not.contain(KEYS.full);
      }
      expect(now.server.requests).to.deep.equal([]);
    });
  }

  it('is sent to its own server', async () => {
    const profile = { url: now.server.url, key: KEYS.full };
    saveProfile(dirname(now.home.profilesFile), 'work', profile, true);
    expect((await svc(['overview', '--url', now.server.url], now.home.env)).code).to.equal(0);
  });
});

describe('an error about a setting', () => {
  const now = session();
  const wrong = 'svc_wrong';

  it('names the source of a refused key, and how its profile was chosen', async () => {
    saveProfile(dirname(now.home.profilesFile), 'work', { url: now.server.url, key: wrong }, true);
    const file = join(now.home.folder, 'key');
    writeFileSync(file, wrong);
    const { SVC_API_KEY: _, ...rest } = now.env;
    const places: [string[], Record<string, string>, string][] = [
      [['overview'], rest, 'profile work, the current one'],
      [['overview', '--profile', 'work'], rest, 'profile work, chosen by --profile'],
      [['overview'], { ...rest, SVC_PROFILE: 'work' }, 'profile work, chosen by SVC_PROFILE'],
      [['overview'], { ...rest, SVC_API_KEY: wrong }, 'SVC_API_KEY'],
      [['overview', '--key-file', file], rest, '--key-file'],
    ];
    for (const [args, env, place] of places) {
      const { code, stderr } = await svc(args, env);
      expect(code).to.equal(3);
      const said = stderr.replace(/\s+/g, ' ');
      expect(said).to.contain(`${now.server.url} does not know the key from ${place}: it was revoked`);
      expect(said).to.contain(
        place.startsWith('profile work') ? 'svc login --profile work' : 'svc admin keys create',
      );
    }
  });

  it('names the source of an address that cannot be reached', async () => {
    const { SVC_URL: _, ...rest } = now.env;
    const from = async (args: string[], env: Record<string, string>) => (await svc(args, env)).stderr;
    expect(await from(['whoami', '--url', 'http://127.0.0.1:1'], rest)).to.contain('comes from --url');
    expect(await from(['whoami'], { ...rest, SVC_URL: 'http://127.0.0.1:1' })).to.contain(
      'comes from SVC_URL',
    );
    saveProfile(dirname(now.home.profilesFile), 'work', { url: 'http://127.0.0.1:1' }, true);
    expect((await from(['whoami'], rest)).replace(/\s+/g, ' ')).to.contain(
      'comes from profile work, the current one',
    );
  });

  it('names the source of an invalid address, without a possible password', async () => {
    const { stderr, code } = await svc(['whoami'], { ...now.env, SVC_URL: 'http://me:secret@host' });
    expect(code).to.equal(2);
    expect(stderr).to.contain('SVC_URL').and.not.contain('secret');
  });
});

const meant: readonly (readonly [given: string, address: string])[] = [
  ['localhost:8080', 'http://localhost:8080'],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['svc.example.com', 'https://svc.example.com'],
  ['svc.example.com:8443/base/', 'https://svc.example.com:8443/base'],
  [' http://svc.example.com/ ', 'http://svc.example.com'],
  ['http://localhost:8080/api/v1', 'http://localhost:8080'],
  ['http://localhost:8080/api/v1/', 'http://localhost:8080'],
  ['http://localhost:8080/api/v1/overview', 'http://localhost:8080'],
  ['http://localhost:8080/api/mcp', 'http://localhost:8080'],
  ['https://svc.example.com/base/api/mcp/', 'https://svc.example.com/base'],
  ['localhost:8080/api/v1', 'http://localhost:8080'],
];
const kept = [
  'ftp://example.com',
  'http://user:secret@host',
  'http://h/?key=x',
  'user:secret@host',
  '',
  'a b',
  'https://h/api/v10',
];

describe('the address of a server', () => {
  for (const [given, address] of meant) {
    it(`is completed: ${given}`, () => expect(serverAddress(given)).to.equal(address));
  }
  for (const given of kept) {
    it(`stays unchanged if it is ambiguous: ${given}`, () => expect(serverAddress(given)).to.equal(given));
  }

  it('loses only the path of an endpoint if it is complete', () => {
    const path = fc.array(fc.stringMatching(/^[a-z0-9]{1,5}$/), { maxLength: 3 });
    fc.assert(
      fc.property(
        fc.domain(),
        path,
        fc.constantFrom('', '/', '/api/v1', '/api/mcp', '/api/v1/urls'),
        (host, words, end) => {
          const address = ['https://', host, ...words.map((word) => `/${word}`)].join('');
          expect(serverAddress(address + end)).to.equal(address);
          expect(serverAddress(serverAddress(address + end))).to.equal(address);
        },
      ),
    );
  });
});
