import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { fresh } from '../../support/hooks.js';
import { Home, svc } from '../support/run.js';

describe('svc profiles', () => {
  const home = fresh(() => new Home());
  beforeEach(() => {
    const folder = dirname(home.profilesFile);
    saveProfile(folder, 'work', { url: 'https://svc.example', key: 'svc_secret', brand: 'br_x' }, true);
    saveProfile(folder, 'home', { url: 'http://127.0.0.1:8080' }, false);
  });

  it('lists profiles without their keys', async () => {
    const { stdout, code } = await svc(['profiles'], home.env);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/work +https:\/\/svc\.example +default, brand br_x/)
      .and.match(/home .*no key/);
    const inJson = await svc(['profiles', '--json'], home.env);
    expect(JSON.parse(inJson.stdout).profiles[0]).to.deep.equal({
      name: 'work',
      default: true,
      url: 'https://svc.example',
      brand: 'br_x',
      has_key: true,
    });
    expect(stdout + inJson.stdout).to.not.contain('svc_secret');
  });

  it('changes only the default', async () => {
    expect((await svc(['profiles', 'use', 'home'], home.env)).code).to.equal(0);
    const stored = JSON.parse(readFileSync(home.profilesFile, 'utf8'));
    expect(stored.default).to.equal('home');
    expect(stored.profiles.work.key).to.equal('svc_secret');
  });

  it('refuses an unknown name, with the nearest known one', async () => {
    const { code, stderr } = await svc(['profiles', 'use', 'wrok'], home.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('Did you mean work?');
  });

  it('explains how to store a profile if there is none', async () => {
    const empty = new Home();
    const { code, stdout, stderr } = await svc(['profiles'], empty.env);
    empty.remove();
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' });
    expect(stderr).to.contain('svc login');
  });
});
