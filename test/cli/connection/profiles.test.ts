import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  makeDefault,
  profilesFile,
  readProfiles,
  removeProfile,
  saveProfile,
} from '../../../src/cli/connection/profiles.js';
import { CommandError } from '../../../src/cli/failure/command-error.js';
import { Home } from '../support/run.js';

describe('profiles', () => {
  let home: Home;
  let folder: string;
  beforeEach(() => {
    home = new Home();
    folder = join(home.folder, 'svc');
  });
  afterEach(() => home.remove());

  const save = (name: string, makeDefault: 'always' | 'if-none') =>
    saveProfile(folder, name, { url: `http://${name}`, key: 'svc_k' }, makeDefault);

  it('are readable only by their owner, also in a file that others could read before', () => {
    save('one', 'always');
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    chmodSync(profilesFile(folder), 0o644);
    save('two', 'always');
    expect(statSync(profilesFile(folder)).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['profiles.json']);
  });

  it('become the default if there is none, or on request', () => {
    expect(save('one', 'if-none')).to.equal(true);
    expect(save('two', 'if-none')).to.equal(false);
    expect(readProfiles(folder).default).to.equal('one');
    expect(save('two', 'always')).to.equal(true);
    expect(readProfiles(folder)).to.deep.equal({
      default: 'two',
      profiles: {
        one: { url: 'http://one', key: 'svc_k' },
        two: { url: 'http://two', key: 'svc_k' },
      },
    });
  });

  it('replace a default that no longer exists', () => {
    save('one', 'always');
    expect(removeProfile(folder, 'one')).to.equal(true);
    expect(readProfiles(folder)).to.deep.equal({ profiles: {} });
    expect(save('two', 'if-none')).to.equal(true);
    expect(removeProfile(folder, 'one')).to.equal(false);
  });

  it('become the default on a later request', () => {
    save('one', 'if-none');
    save('two', 'if-none');
    makeDefault(folder, 'two');
    const { default: current, profiles } = readProfiles(folder);
    expect({ current, names: Object.keys(profiles) }).to.deep.equal({
      current: 'two',
      names: ['one', 'two'],
    });
  });

  it('have only names of plain characters', () => {
    for (const name of ['', '../x', '__proto__', 'a b', 'ü']) {
      expect(() => save(name, 'always')).to.throw(CommandError);
    }
  });
});
