import { expect } from 'chai';
import { demoProfileName, type Profile, rememberedKeys } from '../../../src/cli/connection/profiles.js';

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
