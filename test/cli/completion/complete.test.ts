import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { captureOutput } from '@oclif/test';
import { expect } from 'chai';
import { remember } from '../../../src/cli/completion/cache.js';
import { complete } from '../../../src/cli/completion/complete.js';
import { cacheFolder, configFolder } from '../../../src/cli/connection/folders.js';
import { saveProfile } from '../../../src/cli/connection/profiles.js';
import { engineIds } from '../../../src/contract/engines.js';
import { builtModules } from '../support/built.js';
import { Home, svc } from '../support/run.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('completion', () => {
  const before = process.env;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-completion-'));
    const own = Object.entries(before).filter(([name]) => !/^(SVC|XDG)_/.test(name));
    process.env = { ...Object.fromEntries(own), XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  });
  afterEach(() => {
    process.env = before;
    rmSync(folder, { recursive: true, force: true });
  });

  /** The proposed values. */
  async function proposed(...words: string[]): Promise<string[]> {
    const { stdout, error } = await captureOutput(async () => complete(words, root));
    if (error) throw error;
    const lines = stdout.trimEnd().split('\n');
    expect(lines.pop()).to.match(/^:\d+$/);
    return lines.map((line) => line.split('\t')[0]!);
  }

  it('proposes commands, also below topics', async () => {
    expect(await proposed('ov')).to.deep.equal(['overview']);
    expect(await proposed('')).to.include.members(['overview', 'admin', 'ingest', 'completion']);
    expect(await proposed('admin', 'k')).to.deep.equal(['keys']);
    expect(await proposed('admin', 'keys', '')).to.deep.equal(['create', 'list', 'revoke']);
  });

  it('proposes flags and the choices of their values', async () => {
    expect(await proposed('sources', '--fo')).to.deep.equal(['--format']);
    expect(await proposed('sources', '--format', '')).to.include.members(['table', 'tsv', 'csv']);
    expect(await proposed('history', '--engine', 'chat')).to.deep.equal(['chatgpt']);
    expect(await proposed('sources', '--engine', 'perp')).to.deep.equal(['perplexity']);
    expect(await proposed('sources', '--tag', '')).to.deep.equal([]);
    expect(await proposed('history', 'sent')).to.deep.equal(['sentiment']);
    expect(await proposed('why', 'sent')).to.deep.equal(['sentiment']);
    expect(await proposed('explain', 'presence')).to.deep.equal(['presence_rate']);
    expect(await proposed('explain', 'competitors.vis')).to.deep.equal(['competitors.visibility']);
    expect(await proposed('mcp', 'config', 'cur')).to.deep.equal(['cursor']);
    expect(await proposed('completion', '')).to.deep.equal(['bash', 'zsh', 'fish', 'powershell']);
  });

  it('proposes the next of several values behind a comma', async () => {
    expect(await proposed('sources', '--engine', 'chatgpt,per')).to.deep.equal(['chatgpt,perplexity']);
    expect(await proposed('sources', '--engine=chatgpt,per')).to.deep.equal(['chatgpt,perplexity']);
    expect(await proposed('sources', '--engine', 'chatgpt,')).to.have.length(engineIds.length - 1);
  });

  it('proposes the fields of a command', async () => {
    expect(await proposed('sources', '--fields', 'c')).to.deep.equal(['classification', 'citations']);
    expect(await proposed('sources', '--fields=dom')).to.deep.equal(['domain']);
    expect(await proposed('sources', '--fields', 'domain,c')).to.deep.equal([
      'domain,classification',
      'domain,citations',
    ]);
    expect(await proposed('sources', '--fields', 'citations,c')).to.deep.equal(['citations,classification']);
    expect(await proposed('overview', '--fields', 'brand.')).to.include('brand.id');
    expect(await proposed('losing', '--fields', 'own')).to.deep.equal(['own_page']);
  });

  it('proposes to sort by fields with one value, and the directions behind a colon', async () => {
    expect(await proposed('answers', '--fields', 'men')).to.deep.equal(['mentions']);
    expect(await proposed('answers', '--sort', 'men')).to.deep.equal([]);
    expect(await proposed('threads', '--sort', 'cit')).to.deep.equal(['citations']);
    expect(await proposed('threads', '--sort', 'citations:')).to.deep.equal([
      'citations:asc',
      'citations:desc',
    ]);
  });

  it('proposes numbers outside of lists for thresholds', async () => {
    expect(await proposed('losing', '--fail-above', '')).to.deep.equal([
      ...['window_days', 'window.days', 'totals.prompts', 'totals.measured', 'totals.losing'],
    ]);
    expect(await proposed('overview', '--fail-if-missing', 'vis')).to.deep.equal(['visibility']);
  });

  it('has the fields of every command that takes them', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
      commands: {
        [id: string]: { flags: { [name: string]: { helpValue?: string; fieldNames?: string[] } } };
      };
    };
    const flags = Object.entries(commands).flatMap(([id, { flags }]) =>
      Object.entries(flags).map(([name, flag]) => ({ name: `${id} --${name}`, ...flag })),
    );
    const lacking = flags.filter(
      ({ helpValue, fieldNames }) => helpValue?.startsWith('FIELD') && !fieldNames?.length,
    );
    expect(lacking).to.deep.equal([]);
    expect(flags.filter(({ fieldNames }) => fieldNames)).to.have.length.above(50);
  });

  it('proposes brands and prompts of the server in use, and the stored profiles', async () => {
    saveProfile(configFolder(), 'work', { url: 'https://svc.example' }, true);
    remember(cacheFolder(), 'https://svc.example', {
      brand: { id: 'torvello', name: 'Torvello' },
      prompts: [{ id: 'p01', text: 'Which?' }],
    });
    remember(cacheFolder(), 'http://127.0.0.1:8080', { brand: { id: 'other', name: 'Other' } });
    expect(await proposed('overview', '--brand', '')).to.deep.equal(['torvello']);
    expect(await proposed('prompt', '')).to.deep.equal(['p01']);
    expect(await proposed('answers', '--prompt', '')).to.deep.equal(['p01']);
    expect(await proposed('overview', '--profile', '')).to.deep.equal(['work']);
    expect(await proposed('profiles', 'use', 'w')).to.deep.equal(['work']);
  });

  it('proposes nothing, without an error, where settings are invalid', async () => {
    process.env.SVC_PROFILE = 'missing';
    expect(await proposed('overview', '--brand', '')).to.deep.equal([]);
  });

  it('finds the configuration where oclif has it', async () => {
    for (const variables of [{}, { XDG_CONFIG_HOME: '' }, { SVC_CONFIG_DIR: join(folder, 'own') }]) {
      Object.assign(process.env, variables);
      const config = await Config.load({ root });
      expect(configFolder()).to.equal(config.configDir);
    }
  });

  it('is one file that loads only modules of Node', () => {
    const built = readFileSync(join(builtModules(), 'cli', 'completion', 'complete.js'), 'utf8');
    const imports = [...built.matchAll(/(?:^|;)import[^;]*?["']([^"']+)["']/g)].map(([, from]) => from!);
    expect(imports.length).to.be.above(0);
    expect(imports.filter((from) => !/^node:|^(?:assert|fs|path|os)$/.test(from))).to.deep.equal([]);
  });
});

describe('svc completion', () => {
  const home = new Home();
  after(() => home.remove());

  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    it(`prints the script for ${shell}`, async () => {
      const { stdout, code } = await svc(['completion', shell], home.env);
      expect(code).to.equal(0);
      expect(stdout).to.match(/svc complete '?--/);
    });
  }

  it('refuses another shell, and names the known ones', async () => {
    const { stderr, code } = await svc(['completion', 'csh'], home.env);
    expect(code).to.equal(2);
    expect(stderr).to.contain('csh').and.contain('bash, zsh, fish, powershell');
  });

  it('completes in bash, without the package bash-completion', async function () {
    if (spawnSync('bash', ['--version']).error) this.skip();
    const { stdout: script } = await svc(['completion', 'bash'], home.env);
    const answers = String.raw`svc() { printf '%s\t%s\n' '--brand' 'Brand id' '--browse' ''; echo :4; }`;
    const typed =
      'compopt() { :; }; COMP_WORDS=(svc overview --br); COMP_CWORD=2; _get_comp_words_by_ref; __svc_complete';
    const printed = execFileSync(
      'bash',
      ['--norc', '-c', `${script}\n${answers}\n${typed}\nprintf '%s\\n' "\${COMPREPLY[@]}"`],
      {
        encoding: 'utf8',
      },
    );
    expect(printed).to.equal('--brand\n--browse\n');
  });

  it('can be loaded twice in bash, also behind the script of another command of the same library', async function () {
    if (spawnSync('bash', ['--version']).error) this.skip();
    const { stdout: script } = await svc(['completion', 'bash'], home.env);
    const other = 'readonly ShellCompDirectiveError=1';
    const { stderr, status } = spawnSync('bash', ['--norc', '-ec', [other, script, script].join('\n')], {
      encoding: 'utf8',
    });
    expect({ stderr, status }).to.deep.equal({ stderr: '', status: 0 });
  });
});
