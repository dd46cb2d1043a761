import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../../src/cli/connection/profiles.js';
import { jsoncValue } from '../../../../src/cli/mcp/json.js';
import { clientNames, clientOf, thisMachine } from '../../../../src/cli/mcp/setup.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { oauthSettings, RESOURCE } from '../../../server/web/oauth/support/person.js';
import { testServer } from '../../../support/server.js';
import { type Environment, Home, piped, svc } from '../../support/run.js';

describe('svc mcp install', () => {
  const server = ruleServer();
  const home = new Home();
  let env: Environment;
  let key: string;
  before(async () => {
    key = await server.key({ workspace: 'w', kind: 'read' });
    env = { ...home.env, HOME: home.folder };
    saveProfile(dirname(home.profilesFile), 'work', { url: server.url, key }, true);
  });
  after(() => home.remove());

  it('writes the entry, keeps what is there, and lists the tools through the bridge', async () => {
    const file = join(home.folder, '.cursor', 'mcp.json');
    const before = '{\n  "mcpServers": {\n    "other": {"command": "x"} // mine\n  }\n}\n';
    mkdirSync(dirname(file));
    writeFileSync(file, before);
    const { code, stdout, stderr } = await piped(['mcp', 'install', 'cursor', '--yes'], env, '');
    expect(code, stderr).to.equal(0);
    const after = readFileSync(file, 'utf8');
    const { mcpServers } = jsoncValue(after) as { mcpServers: Record<string, { args: string[] }> };
    expect(mcpServers.other).to.deep.equal({ command: 'x' });
    expect(mcpServers.svc!.args.slice(1)).to.deep.equal(['mcp', '--profile', 'work']);
    expect(after).to.contain('// mine').and.not.contain(key);
    expect(stdout)
      .to.contain('+    "svc": {')
      .and.match(/cursor gets \d+ tools: .*get_overview/);
    const [backup] = readdirSync(dirname(file)).filter((name) => name.endsWith('.bak'));
    expect(readFileSync(join(dirname(file), backup!), 'utf8')).to.equal(before);
    const again = await piped(['mcp', 'install', 'cursor', '--json'], env, '');
    expect(JSON.parse(again.stdout)).to.include({ changed: false, backup: null });
    expect(readFileSync(file, 'utf8')).to.equal(after);
  });

  it('writes nothing without a confirmation', async () => {
    const { code, stdout, stderr } = await svc(['mcp', 'install', 'gemini-cli'], env, '');
    expect(code).to.equal(2);
    expect(stdout).to.contain('+    "svc": {');
    expect(stderr).to.contain('Nothing was written').and.contain('--yes');
    expect(readdirSync(home.folder)).to.not.include('.gemini');
  });

  it('prints what to add to a file that is not JSON, leaves the file as it is, and lists the tools', async () => {
    const file = join(home.folder, 'config.toml');
    writeFileSync(file, 'model = "o3"\n');
    const { code, stdout, stderr } = await piped(['mcp', 'install', 'codex', '--file', file], env, '');
    expect(code, stderr).to.equal(0);
    expect(stdout)
      .to.match(/^\[mcp_servers\.svc\]\ncommand = /)
      .and.match(/\ncodex gets \d+ tools: .*get_overview/);
    expect(stderr.replaceAll(/\s+/g, ' ')).to.contain(`Add this to ${file}`);
    expect(readFileSync(file, 'utf8')).to.equal('model = "o3"\n');
    const { stdout: json } = await piped(['mcp', 'install', 'codex', '--file', file, '--json'], env, '');
    const { text, changed, backup } = JSON.parse(json);
    expect({ changed, backup }).to.deep.equal({ changed: false, backup: null });
    expect(stdout.startsWith(text)).to.equal(true);
  });

  it('refuses a file that it cannot parse, with the line', async () => {
    const file = join(home.folder, 'broken.json');
    writeFileSync(file, '{\n  "mcpServers": {\n    oops\n');
    const { code, stderr } = await svc(['mcp', 'install', 'zed', '--yes', '--file', file], env);
    expect(code).to.equal(2);
    expect(stderr.replaceAll(/\s+/g, ' ')).to.contain('broken.json, line 3: a word is not known');
    expect(readFileSync(file, 'utf8')).to.contain('oops');
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await svc(['mcp', 'install', 'zed', '--yes', '--file', file], env)).stderr).to.contain('UTF-8');
  });

  it('uses the variable for a client that reads it, and refuses one that would have no key', async () => {
    const keyless = new Home();
    const shell = { ...keyless.env, HOME: keyless.folder, SVC_URL: server.url, SVC_API_KEY: key };
    const target = join(keyless.folder, 'real.json');
    writeFileSync(target, '{}\n');
    const file = join(keyless.folder, 'link.json');
    symlinkSync(target, file);
    const gemini = await svc(['mcp', 'install', 'gemini-cli', '--yes', '--json', '--file', file], shell);
    expect(gemini.code, gemini.stdout).to.equal(0);
    expect(JSON.parse(gemini.stdout).tools).to.include('list_brands');
    expect(readFileSync(target, 'utf8')).to.contain('{SVC_API_KEY}').and.not.contain(key);
    const codex = await svc(['mcp', 'install', 'codex', '--json'], shell);
    expect(JSON.parse(codex.stdout).text).to.contain('bearer_token_env_var = "SVC_API_KEY"');
    for (const client of ['cursor', 'vscode'] as const) {
      const { code, stderr } = await svc(['mcp', 'install', client, '--yes'], shell);
      expect([client, code]).to.deep.equal([client, 3]);
      expect(stderr.replaceAll(/\s+/g, ' ')).to.contain(`svc login --url ${server.url}`);
    }
    keyless.remove();
  });

  it('writes the address alone where the client and the server have OAuth, unless the key is asked for', async () => {
    const keyless = new Home();
    const settings = { database: server.database, now: server.now, ...oauthSettings };
    const open = await testServer(settings);
    const closed = await testServer({ ...settings, oauthRegistration: false });
    const install = async (url: string, ...args: string[]) => {
      const shell = { ...keyless.env, HOME: keyless.folder, SVC_URL: url };
      const { code, stdout, stderr } = await svc(['mcp', 'install', ...args, '--json'], shell);
      return { code, said: stderr.replaceAll(/\s+/g, ' '), result: code === 0 ? JSON.parse(stdout) : null };
    };
    for (const [client, table] of [
      ['cursor', 'mcpServers'],
      ['claude-code', 'mcpServers'],
      ['vscode', 'servers'],
      ['zed', 'context_servers'],
    ] as const) {
      const { said, result } = await install(open.url, client, '--yes');
      expect(result, said).to.include({ client, changed: true, way: 'oauth', tools: null });
      expect(said).to.contain(`${client} signs in by OAuth`).and.contain('--key');
      const { [table]: servers } = jsoncValue(readFileSync(result.file, 'utf8')) as never;
      expect((servers as { svc: object }).svc)
        .to.include({ url: RESOURCE })
        .and.not.have.property('headers');
    }
    const codex = await install(open.url, 'codex');
    expect(codex.result.text).to.equal(`[mcp_servers.svc]\nurl = "${RESOURCE}"\n`);
    for (const [url, args, why] of [
      [closed.url, ['cursor'], 'registers itself for OAuth, which the server does not allow'],
      [server.url, ['zed'], 'the server offers no OAuth'],
      [open.url, ['claude-desktop'], 'no servers that it signs in at'],
      [open.url, ['cursor', '--key'], 'as asked for'],
    ] as const) {
      const { code, said } = await install(url, ...args, '--yes');
      expect([code, said.includes(why)], said).to.deep.equal([3, true]);
    }
    await Promise.all([open.close(), closed.close()]);
    keyless.remove();
  });

  it('knows a file for each client, inside the home of the user', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const machine = thisMachine({ HOME: '/home/me', USERPROFILE: '/home/me' }, platform);
      const files = clientNames.map((name) => clientOf(name).file(machine));
      for (const file of files) expect(file.startsWith('/home/me'), file).to.equal(true);
      expect(new Set(files).size).to.equal(clientNames.length);
    }
  });
});
