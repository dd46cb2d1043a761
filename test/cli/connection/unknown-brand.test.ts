import { dirname } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { errors } from '../../../src/contract/errors.js';
import type { BrandEntry } from '../../../src/contract/reads/brands.js';
import { KEYS } from '../support/fake-server.js';
import { piped, svc } from '../support/run.js';
import { session } from '../support/session.js';

const entry = (id: string, name: string): BrandEntry => ({
  id,
  name,
  domain: `${id}.example`,
  archived: false,
});

describe('a brand', () => {
  const now = session();

  it('may be given by its name in any case, which takes two more requests', async () => {
    const { body } = now.server;
    const overview = await svc(['overview', '--brand', 'tide & pine', '--json'], now.env);
    expect(overview.code, overview.stdout).to.equal(0);
    expect(now.server.requests.splice(0)).to.deep.equal([
      '/api/v1/overview?brand=tide+%26+pine',
      '/api/v1/brands',
      '/api/v1/overview?brand=br_tide',
    ]);
    const list = await svc(['prompts', '--all', '--format', 'csv'], {
      ...now.env,
      SVC_BRAND: 'Fernweh Coffee',
    });
    expect(list.code, list.stderr).to.equal(0);
    expect(list.stdout).to.equal((await svc(['prompts', '--all', '--format', 'csv'], now.env)).stdout);
    expect(JSON.parse(overview.stdout)).to.deep.equal(JSON.parse(body('/api/v1/overview')));
  });

  it('is recognised as refused by the code, and by the text if the server sends no code', async () => {
    for (const refusal of [
      { ...errors.unknownBrand(), message: 'There is no such brand.' },
      { ...errors.unknownBrand(), code: undefined },
    ]) {
      now.server.refuseOne('overview', refusal);
      const { code, stderr } = await svc(['overview', '--brand', 'br_tied'], now.env);
      expect(code).to.equal(5);
      expect(stderr, refusal.message).to.contain('Did you mean br_tide?');
    }
    now.server.refuseOne('overview', { ...errors.noBrands(), message: 'Unknown brand' });
    expect((await svc(['overview', '--brand', 'br_tied'], now.env)).stderr).to.contain('svc admin import');
  });

  it('of a tool is recognised as refused by the code too', async () => {
    for (const refusal of [
      { ...errors.unknownBrandId('br_tied'), message: 'There is no such brand.' },
      { ...errors.unknownBrandId('br_tied'), code: undefined },
    ]) {
      now.server.tools.refuse('list_fanouts', refusal);
      const { code, stderr } = await svc(['fanouts', '--brand', 'br_tied'], now.env);
      expect(code).to.equal(5);
      expect(stderr, refusal.message).to.contain('Did you mean br_tide?');
    }
  });

  it('takes no more requests if given by its id, also if that is the name of another brand', async () => {
    now.server.serve('brands', { brands: [entry('br_tide', 'T'), entry('other', 'br_tide')] });
    expect((await svc(['overview', '--brand', 'br_tide'], now.env)).code).to.equal(0);
    expect(now.server.requests).to.deep.equal(['/api/v1/overview?brand=br_tide']);
  });

  it('must be given by its id if several have its name', async () => {
    now.server.serve('brands', { brands: [entry('one', 'Acme'), entry('two', 'ACME'), entry('x', 'X')] });
    const { code, stdout, stderr } = await svc(['overview', '--brand', 'acme'], now.env);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.contain('2 brands are named acme (--brand): give an id, one, two.');
  });

  it('is reported as unknown, with the nearest brand and the source of the setting', async () => {
    saveProfile(
      dirname(now.home.profilesFile),
      'work',
      { url: now.server.url, key: KEYS.full, brand: 'br_tied' },
      true,
    );
    const { code, stderr } = await svc(['overview'], now.home.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain('Unknown brand: br_tied (profile work). Did you mean br_tide?');
    const named = await svc(['overview', '--brand', 'Fernwe Coffee', '--json'], now.env);
    expect(JSON.parse(named.stdout).error).to.deep.equal({
      code: 'not_found',
      message: 'Unknown brand: Fernwe Coffee (--brand). Did you mean br_fernweh?',
      status: 404,
      retryable: false,
    });
  });

  it('is reported as not collected, given or default, with advice on how to load data', async () => {
    now.server.refuseOne('overview', errors.unknownBrand());
    for (const args of [
      ['overview'],
      ['overview', '--brand', 'br_fernweh'],
      ['overview', '--brand', 'FERNWEH COFFEE'],
    ]) {
      const { code, stdout, stderr } = await svc(args, now.env);
      expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 5, stdout: '' });
      expect(stderr)
        .to.contain('Nothing was collected for the brand Fernweh Coffee (br_fernweh) yet')
        .and.contain('svc admin import')
        .and.not.contain('Unknown brand');
    }
  });

  it('is looked up in the same way for a tool, also as an argument', async () => {
    const tool = 'list_tag_groups';
    now.server.tools.refuse(tool, errors.unknownBrandId('br_fernweh'));
    const { stderr } = await svc(['tools', 'call', tool], now.env);
    expect(stderr).to.contain('Nothing was collected for the brand Fernweh Coffee');
    now.server.tools.refuse(tool, errors.unknownBrandId('Tide & Pine'));
    const named = await svc(['tools', 'call', tool, '--brand', 'Tide & Pine'], now.env);
    expect(now.server.tools.calls.map((call) => call.arguments)).to.deep.include({ brand_id: 'br_tide' });
    const argument = await svc(['tools', 'call', tool, '--arg', 'brand_id=Tide & Pine'], now.env);
    expect(argument.code).to.equal(5);
    expect(argument.stderr).to.contain('br_tide');
    expect(named.code).to.equal(5);
  });

  it('does not cause a second upload of a log, but the error contains its id', async () => {
    const line = '1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.0"\n';
    const { code, stderr } = await piped(['ingest', '--brand', 'Tide & Pine'], now.env, line);
    expect(code).to.equal(5);
    expect(stderr).to.contain('br_tide');
    const posts = now.server.requests.filter((request) => request.startsWith('/api/v1/crawler-events'));
    expect(posts).to.have.length(1);
  });

  it('is reported with the server’s message if the key may not list brands', async () => {
    now.server.refuse(errors.unknownBrand(), 'full');
    const { code, stderr } = await svc(['overview', '--brand', 'br_tide'], now.env);
    expect(code).to.equal(5);
    expect(stderr).to.contain('Unknown brand');
  });

  it('is printed without control characters in its name', async () => {
    now.server.refuseOne('overview', errors.unknownBrand());
    now.server.serve('brands', { brands: [entry('b', 'A\u001b[31mcme')] });
    const { stderr } = await svc(['overview'], now.env);
    expect(stderr).to.contain('A[31mcme').and.not.contain('\u001b');
  });
});
