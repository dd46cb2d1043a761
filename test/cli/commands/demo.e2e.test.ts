import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readProfiles, saveProfile } from '../../../src/cli/connection/profiles.js';
import { claimDemoFolder } from '../../../src/demo/load-demo.js';
import { migrate, openDatabase } from '../../../src/server/database/database.js';
import { type Environment, Home, svc } from '../support/run.js';
import { serving } from '../support/serving.js';

describe('svc demo', () => {
  let folder: string;
  let home: Home;
  let env: Environment;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-demo-'));
    home = new Home();
    env = { ...home.env, SVC_DATA_DIR: folder };
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    home.remove();
  });

  let firstOutput: string;

  it('serves invented data and stores its key as a profile, so that other commands work at once', async () => {
    const server = await serving(['demo', '--port', '0'], env);
    const overview = await svc(['overview', '--json'], env);
    expect(overview.code, overview.stderr).to.equal(0);
    expect(JSON.parse(overview.stdout).run_count).to.be.above(100);
    const [, log] = /npx svc ingest (\S+)/.exec(server.output())!;
    const shipped = await svc(['ingest', log!, '--json'], env);
    expect(JSON.parse(shipped.stdout)).to.include({ unparsed: 0 });
    const { agents } = JSON.parse((await svc(['crawlers', '--json'], env)).stdout);
    expect(agents.map((agent: { robots: { verdict: string } }) => agent.robots.verdict)).to.include(
      'blocked',
    );
    expect(await server.stop('SIGINT')).to.equal(0);
    firstOutput = server.output();
  });

  it('prints the same key at the next start and does not load the data again', async () => {
    const keyIn = (text: string) => /svc_[0-9A-Za-z]{43}/.exec(text)?.[0];
    expect(keyIn(firstOutput)).to.be.a('string');
    const server = await serving(['demo', '--port', '0'], env);
    const listed = JSON.parse((await svc(['whoami', '--json'], env)).stdout);
    expect(await server.stop()).to.equal(0);
    expect(listed).to.include({ profile: 'demo', key_kind: 'full', server: server.url });
    expect(keyIn(server.output())).to.equal(keyIn(firstOutput));
  });

  it('reports that a port is in use before it loads data', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const fresh = join(folder, 'fresh');
    const { code, stderr } = await svc(['demo', '--port', String(port)], { ...env, SVC_DATA_DIR: fresh });
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.equal(`Error: Port ${port} is in use. Choose another with --port.\n`);
    expect(existsSync(join(fresh, 'demo', 'postgres'))).to.equal(false);
  });

  it('does not change a profile demo of another server, nor the default', async () => {
    const own = new Home();
    const real = { url: 'https://svc.example', key: 'svc_real', brand: 'br_x' };
    saveProfile(dirname(own.profilesFile), 'demo', real, true);
    const server = await serving(['demo', '--port', '0'], { ...own.env, SVC_DATA_DIR: folder });
    const stored = readProfiles(dirname(own.profilesFile));
    expect(stored.default).to.equal('demo');
    expect(stored.profiles.demo).to.deep.equal(real);
    const { code } = await svc(['overview', '--profile', 'demo-2'], own.env);
    expect(await server.stop()).to.equal(0);
    own.remove();
    expect(code).to.equal(0);
    expect(stored.profiles['demo-2']?.url).to.equal(server.url);
    const { key } = stored.profiles['demo-2']!;
    expect(server.output())
      .to.contain(key)
      .and.contain('svc open --profile demo-2')
      .and.contain('https://svc.example');
  });

  it('refuses data that another version made, and says how to make it again', async () => {
    const other = mkdtempSync(join(tmpdir(), 'svc-other-'));
    await claimDemoFolder(join(other, 'demo'));
    const database = await openDatabase({ folder: join(other, 'demo') });
    await migrate(database.knex);
    await database.knex('knex_migrations').update({ name: '01-schema' });
    await database.close();
    const { code, stderr } = await svc(['demo', '--port', '0'], { ...env, SVC_DATA_DIR: other });
    rmSync(other, { recursive: true });
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      'Error: Another version of svc made the data of the demo. `svc demo --reset` deletes it and makes it again.\n',
    );
  });

  it('refuses to reset a folder that it did not create', async () => {
    const foreign = mkdtempSync(join(tmpdir(), 'svc-foreign-'));
    mkdirSync(join(foreign, 'demo'));
    writeFileSync(join(foreign, 'demo', 'precious'), 'kept');
    const { code, stderr } = await svc(['demo', '--reset', '--port', '0'], { ...env, SVC_DATA_DIR: foreign });
    expect(code).to.equal(1);
    expect(stderr).to.include('was not made by the demo');
    expect(existsSync(join(foreign, 'demo', 'precious'))).to.equal(true);
    rmSync(foreign, { recursive: true });
  });
});
