import { spawnSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { saveProfile } from '../../../../src/cli/connection/profiles.js';
import { clientNames, clients } from '../../../../src/cli/mcp/setup.js';
import { type Environment, Home, svc } from '../../support/run.js';

const KEY = 'svc_secret0123456789012345678901234567890123456';
const URL = 'https://svc.example/metrics/api/mcp';

describe('svc mcp config', () => {
  const home = new Home();
  const env: Environment = { ...home.env, SVC_API_KEY: KEY, SVC_URL: 'https://svc.example/metrics/' };
  after(() => home.remove());

  /** The part of the configuration for the server. */
  const entry = async (client: string, ...path: string[]) => {
    const { stdout } = await svc(['mcp', 'config', client], env);
    return path.reduce((value, name) => value[name], JSON.parse(stdout));
  };

  it('prints a command for Claude Code, into which the shell inserts the key', async () => {
    const { stdout } = await svc(['mcp', 'config', 'claude-code'], env);
    expect(stdout).to.equal(
      `claude mcp add --transport http svc ${URL} --header "Authorization: Bearer \${SVC_API_KEY:?set it to your API key}"\n`,
    );
  });

  it('prints a command that fails without a key', async () => {
    const { stdout } = await svc(['mcp', 'config', 'claude-code'], env);
    const script = `claude() { printf '%s\\n' "$@"; }; ${stdout}`;
    const run = (more: object) => spawnSync('sh', ['-c', script], { env: { ...more }, encoding: 'utf8' });
    const without = run({});
    expect(without.status).to.not.equal(0);
    expect(without.stdout).to.equal('');
    expect(without.stderr).to.contain('set it to your API key');
    expect(run({ SVC_API_KEY: 'svc_x' }).stdout).to.match(/\nAuthorization: Bearer svc_x\n$/);
  });

  it('prints the format of each client, over HTTP if it can get the key from a variable or a prompt', async () => {
    expect(await entry('gemini-cli', 'mcpServers', 'svc')).to.deep.equal({
      httpUrl: URL,
      headers: { Authorization: `Bearer \${SVC_API_KEY}` },
    });
    const vscode = await entry('vscode');
    expect(vscode.servers.svc).to.deep.equal({
      type: 'http',
      url: URL,
      headers: { Authorization: `Bearer \${input:${vscode.inputs[0].id}}` },
    });
    const { stdout: codex } = await svc(['mcp', 'config', 'codex'], env);
    expect(codex).to.equal(`[mcp_servers.svc]\nurl = "${URL}"\nbearer_token_env_var = "SVC_API_KEY"\n`);
  });

  const desktop = [
    ['claude-desktop', 'mcpServers', 'svc'],
    ['cursor', 'mcpServers', 'svc'],
    ['windsurf', 'mcpServers', 'svc'],
    ['zed', 'context_servers', 'svc'],
  ] as const;
  for (const [client, ...names] of desktop) {
    it(`prints the bridge for a client that starts without the variables of the shell: ${client}`, async () => {
      const { command, args, env: variables } = await entry(client, ...names);
      expect(command).to.equal(process.execPath);
      expect(args[0]).to.equal(realpathSync(args[0]));
      // Such a client has few variables.
      expect(variables).to.deep.equal({ XDG_CONFIG_HOME: home.env.XDG_CONFIG_HOME });
      expect(args.slice(1)).to.deep.equal(['mcp', '--url', 'https://svc.example/metrics']);
      const { stderr } = await svc(['mcp', 'config', client], env);
      expect(stderr.replace(/\s+/g, ' ')).to.contain(
        'svc login --url https://svc.example/metrics --profile NAME',
      );
    });
  }

  describe('with the key in a profile', () => {
    const stored = new Home();
    before(() =>
      saveProfile(dirname(stored.profilesFile), 'work', { url: 'https://svc.example', key: KEY }, true),
    );
    after(() => stored.remove());

    /** The command of the bridge and its variables, parsed from the text for a client. */
    const bridgeOf = (client: string, text: string): { words: string[]; variables: object } => {
      if (client === 'claude-code') {
        const shell = `claude() { printf '%s\\n' "$@"; }; ${text}`;
        const { stdout, status } = spawnSync('sh', ['-c', shell], { env: {}, encoding: 'utf8' });
        expect(status).to.equal(0);
        const words = stdout.trimEnd().split('\n');
        expect(words.slice(0, 7)).to.deep.equal([
          'mcp',
          'add',
          '--env',
          words[3],
          '--transport',
          'stdio',
          'svc',
        ]);
        const [name = '', value = ''] = words[3]!.split('=');
        return { words: words.slice(words.indexOf('--') + 1), variables: { [name]: value } };
      }
      if (client === 'codex') {
        const value = (name: string) => JSON.parse(new RegExp(`^${name} = (.*)$`, 'm').exec(text)![1]!);
        expect(text)
          .to.match(/^\[mcp_servers\.svc\]\n/)
          .and.contain('\n[mcp_servers.svc.env]\n');
        const variables = { XDG_CONFIG_HOME: value('XDG_CONFIG_HOME') };
        return { words: [value('command'), ...value('args')], variables };
      }
      const config = JSON.parse(text);
      const { svc: server } = config.mcpServers ?? config.context_servers ?? config.servers;
      return { words: [server.command, ...server.args], variables: server.env };
    };

    for (const client of clientNames) {
      it(`prints the bridge with that profile, so that the default can change later: ${client}`, async () => {
        const { stdout, stderr, code } = await svc(['mcp', 'config', client], stored.env);
        expect(code).to.equal(0);
        const { words, variables } = bridgeOf(client, stdout);
        expect(words).to.deep.equal([
          process.execPath,
          realpathSync(process.argv[1]!),
          'mcp',
          '--profile',
          'work',
        ]);
        expect(variables).to.deep.equal(stored.env);
        expect(stderr.replace(/\s+/g, ' ')).to.contain('The key comes from profile work.');
        expect(stdout + stderr).to.not.contain(KEY);
      });
    }

    it('reports a profile of another server', async () => {
      const { stderr } = await svc(['mcp', 'config', 'cursor', '--url', 'http://127.0.0.1:1'], stored.env);
      expect(stderr.replace(/\s+/g, ' '))
        .to.contain('has no key for http://127.0.0.1:1 yet')
        .and.contain('The key of profile work is for https://svc.example.');
    });
  });

  for (const client of clientNames) {
    it(`prints on standard error where the text belongs, and never prints the key: ${client}`, async () => {
      const { stdout, stderr, code } = await svc(['mcp', 'config', client], env);
      expect(stderr.replace(/\s+/g, ' ')).to.contain(clients[client].place).and.contain('key');
      expect(stdout + stderr).to.not.contain(KEY);
      expect(code).to.equal(0);
      const inJson = await svc(['mcp', 'config', client, '--json'], env);
      const { key, ...rest } = JSON.parse(inJson.stdout);
      expect(rest).to.deep.equal({ client, place: clients[client].place, text: stdout });
      expect(stderr.replace(/\s+/g, ' ')).to.contain(key);
      expect(inJson.stderr).to.equal('');
    });
  }

  it('names the file from which the bridge reads the key', async () => {
    const file = join(home.folder, 'key');
    writeFileSync(file, KEY);
    const { stderr, stdout } = await svc(['mcp', 'config', 'zed', '--key-file', file], home.env);
    expect(stderr.replace(/\s+/g, ' ')).to.contain(`The key comes from the file ${file}.`);
    expect(stdout).to.contain('"--key-file"').and.not.contain(KEY);
  });

  it('quotes an address that a shell would split', async () => {
    const { stdout } = await svc(['mcp', 'config', 'claude-code', '--url', 'http://[::1]:80/a;b'], env);
    expect(stdout).to.contain(" 'http://[::1]/a;b/api/mcp' ");
  });

  it('refuses an invalid address, and one that contains a password', async () => {
    for (const url of [
      'ftp://svc.example',
      'http://user:secret@svc.example',
      'http://svc.example/?key=secret',
    ]) {
      const { stdout, stderr, code } = await svc(['mcp', 'config', 'cursor', '--url', url], env);
      expect({ stdout, code }, url).to.deep.equal({ stdout: '', code: 2 });
      expect(stderr).to.not.contain('secret');
    }
  });

  it('suggests a client and lists all if one is unknown', async () => {
    const { stdout, stderr, code } = await svc(['mcp', 'config', 'curser'], env);
    expect({ stdout, code }).to.deep.equal({ stdout: '', code: 2 });
    expect(stderr)
      .to.contain('Unknown client: curser. Did you mean cursor?')
      .and.contain(clientNames.join(', '));
    const unnamed = await svc(['mcp', 'config'], env);
    expect(unnamed.code).to.equal(2);
    expect(unnamed.stderr).to.contain(clientNames.join(', '));
    const { stdout: help } = await svc(['mcp', 'config', '--help'], env);
    for (const name of clientNames) expect(help).to.contain(name);
  });
});
