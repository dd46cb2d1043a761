import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { CommandError } from '../../../src/cli/command-error.js';
import { profilesFile } from '../../../src/cli/connection/folders.js';
import {
  checkName,
  currentProfile,
  demoProfileName,
  makeCurrent,
  nameForServer,
  type Profile,
  readProfiles,
  rememberedKeys,
  removeProfile,
  saveProfile,
} from '../../../src/cli/connection/profiles.js';
import { fresh } from '../../support/hooks.js';
import { Home } from '../support/run.js';

describe('profiles', () => {
  let folder: string;
  const home = fresh(() => new Home());
  beforeEach(() => {
    folder = join(home.folder, 'svc');
  });

  const save = (name: string, isCurrent: boolean) =>
    saveProfile(folder, name, { url: `http://${name}`, key: 'svc_k' }, isCurrent);
  const current = () => currentProfile(readProfiles(folder));

  it('are readable only by their owner, also in a file that others could read before', () => {
    save('one', true);
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    chmodSync(profilesFile(folder), 0o644);
    save('two', true);
    expect(statSync(profilesFile(folder)).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['profiles.json']);
  });

  it('are used without a name once the user logged in to them or chose them', () => {
    save('one', true);
    save('two', false);
    expect(current()).to.equal('one');
    expect(readProfiles(folder)).to.deep.equal({
      default: 'one',
      profiles: {
        one: { url: 'http://one', key: 'svc_k' },
        two: { url: 'http://two', key: 'svc_k' },
      },
    });
    save('two', true);
    expect(current()).to.equal('two');
    makeCurrent(folder, 'one');
    expect(current()).to.equal('one');
    expect(removeProfile(folder, 'one')).to.equal(true);
    expect(current()).to.equal(undefined);
    expect(removeProfile(folder, 'one')).to.equal(false);
  });

  it('of the demo are used without a name only while there is no other', () => {
    const demo = { url: 'http://127.0.0.1:8080', key: 'svc_k', demo: true };
    saveProfile(folder, 'demo', demo, false);
    expect(current()).to.equal('demo');
    save('work', true);
    saveProfile(folder, 'demo', demo, false);
    expect(current()).to.equal('work');
    save('other', false);
    removeProfile(folder, 'work');
    expect(current()).to.equal(undefined);
    removeProfile(folder, 'other');
    expect(current()).to.equal('demo');
  });

  it('have only names of plain characters', () => {
    for (const name of ['', '../x', '__proto__', 'a b', 'ü']) {
      expect(() => save(name, true)).to.throw(CommandError);
    }
  });
});

describe('the name of a server’s profile', () => {
  const nameFor = (url: string, profiles: { readonly [name: string]: Profile } = {}, current?: string) =>
    nameForServer({ default: current, profiles }, url);
  const at = (url: string): Profile => ({ url, key: 'svc_k' });

  it('is its host, with the port if the host has another server', () => {
    expect(nameFor('http://127.0.0.1:8080')).to.equal('127.0.0.1');
    expect(nameFor('https://svc.example.com/base')).to.equal('svc.example.com');
    const one = { '127.0.0.1': at('http://127.0.0.1:8080') };
    expect(nameFor('http://127.0.0.1:8080', one)).to.equal('127.0.0.1');
    expect(nameFor('http://127.0.0.1:9090', one)).to.equal('127.0.0.1-9090');
    expect(nameFor('https://a.example', { 'a.example': at('http://a.example') })).to.equal('a.example-443');
    const two = { ...one, '127.0.0.1-9090': at('http://127.0.0.1:9090') };
    expect(nameFor('https://127.0.0.1:9090', two)).to.equal('127.0.0.1-9090-2');
  });

  it('is that of the current profile if it is of this server, also default', () => {
    const stored = { default: at('https://svc.example'), work: at('https://svc.example') };
    expect(nameFor('https://svc.example/', stored, 'default')).to.equal('default');
    expect(nameFor('https://svc.example/', stored, 'work')).to.equal('work');
    expect(nameFor('https://other.example/', stored, 'work')).to.equal('other.example');
  });

  it('is never that of the demo', () => {
    const demo = { demo: { ...at('http://127.0.0.1:8080'), demo: true } };
    expect(nameFor('http://127.0.0.1:8080', demo)).to.equal('127.0.0.1');
    expect(nameFor('http://demo:8080')).to.equal('host-demo');
  });

  it('can be stored for every address', () => {
    expect(nameFor('http://[::1]:8080')).to.equal('ipv6-1');
    const host = fc.oneof(
      fc.domain({ size: 'large' }),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    fc.assert(
      fc.property(host, fc.array(fc.integer({ min: 1, max: 65_535 }), { maxLength: 4 }), (name, ports) => {
        const profiles: { [name: string]: Profile } = {};
        for (const url of ports.map((port) => `https://${name}:${port}`)) {
          const mine = nameFor(url, profiles);
          checkName(mine);
          if (profiles[mine]) expect(new URL(profiles[mine].url).origin).to.equal(new URL(url).origin);
          profiles[mine] = at(url);
        }
      }),
    );
  });
});

const mine: Profile = { url: 'http://127.0.0.1:8080', key: 'svc_mine', demo: true };
const nameBeside = (profiles: { readonly [name: string]: Profile }) => demoProfileName({ profiles }, mine);

describe('the profile of the demo', () => {
  it('is called demo if that name is free or was stored by an earlier start', () => {
    const own: Profile[] = [
      { url: 'http://127.0.0.1:9999', key: 'svc_old', demo: true },
      { url: 'http://127.0.0.1:9999', key: 'svc_mine' },
      { url: 'http://127.0.0.1:8080', key: 'svc_old' },
    ];
    expect(nameBeside({ work: { url: 'https://svc.example', key: 'svc_k' } })).to.equal('demo');
    for (const demo of own) expect(nameBeside({ demo })).to.equal('demo');
  });

  it('does not use the name of a profile of another server', () => {
    const foreign = { url: 'https://svc.example', key: 'svc_real' };
    expect(nameBeside({ demo: foreign })).to.equal('demo-2');
    expect(nameBeside({ demo: foreign, 'demo-2': foreign })).to.equal('demo-3');
    expect(nameBeside({ demo: foreign, 'demo-2': { ...mine, url: 'http://127.0.0.1:1' } })).to.equal(
      'demo-2',
    );
  });

  it('is found under each of its names', () => {
    const profiles = { 'demo-2': mine, work: { url: 'http://w', key: 'svc_w' }, demo: { url: 'http://d' } };
    expect(rememberedKeys({ profiles })).to.deep.equal(['svc_mine']);
  });
});
