import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import type { Param } from '../../../src/contract/params.js';
import { readNames, reads } from '../../../src/contract/registry.js';
import { tools } from '../../../src/contract/tools.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';
import { toolCommands } from '../support/tool-commands.js';

const manifestFile = new URL('../../../oclif.manifest.json', import.meta.url);

describe('a read of the contract', () => {
  it('has one command, with its summary and a flag or an argument for each parameter', () => {
    const { commands } = JSON.parse(readFileSync(manifestFile, 'utf8')) as {
      commands: { [name: string]: { summary?: string; flags: object; args: object } };
    };
    for (const name of readNames) {
      const own = Object.values(commands).filter(({ summary }) => summary === reads[name].summary);
      expect(own, name).to.have.length(1);
      const params = Object.entries<Param>(reads[name].params);
      const isId = ([, { required, kind }]: (typeof params)[number]) => required && kind === 'text';
      const flags = params.filter((each) => !isId(each)).map(([flag]) => flag);
      expect(own[0]!.flags, name).to.include.all.keys('format', 'json', ...flags);
      if (params.some(isId))
        expect(own[0]!.args, name).to.have.all.keys(
          params.filter(isId).map(([arg]) => (arg === 'url' ? 'address' : 'id')),
        );
    }
  });
});

describe('a command of a tool', () => {
  const now = session();

  for (const [command, tool] of toolCommands) {
    it(`has the summary of the catalog, and accepts the brand and every global flag: ${command}`, async () => {
      const { stdout } = await svc([command, '--help'], now.home.env);
      expect(stdout.replace(/\s+/g, ' ').startsWith(`${tools[tool].summary} USAGE`)).to.equal(true);
      for (const flag of ['brand', 'format', 'json', 'quiet', 'url', 'profile', 'key-file'])
        expect(stdout).to.contain(`--${flag}`);
    });

    it(`calls its tool once, for the selected brand: ${command}`, async () => {
      await svc([command, '--json'], now.env);
      await svc([command, '--json', '--brand', 'br_tide'], now.env);
      await svc([command, '--json'], { ...now.env, SVC_BRAND: 'br_other' });
      expect(now.server.requests).to.deep.equal(['/api/mcp', '/api/mcp', '/api/mcp']);
      expect(now.server.tools.calls).to.deep.equal([
        { name: tool, arguments: {} },
        { name: tool, arguments: { brand_id: 'br_tide' } },
        { name: tool, arguments: { brand_id: 'br_other' } },
      ]);
    });

    it(`reports a refusal of the tool, and prints no data: ${command}`, async () => {
      now.server.tools.refuse(tool, errors.unknownBrand('br_none'));
      const { stdout, stderr, code } = await svc([command, '--brand', 'br_none'], now.env);
      expect(code).to.equal(5);
      expect(stdout).to.equal('');
      expect(stderr).to.contain('Unknown brand: br_none');
    });
  }

  it('exits with 4 if the plan is too low, and prints JSON under --json', async () => {
    const refusal = errors.planTooLow('Site health', 'growth', 'starter');
    const { message } = refusal;
    now.server.tools.refuse('get_site_health', refusal);
    const { stdout, code } = await svc(['site-health', '--json'], now.env);
    expect(code).to.equal(4);
    expect(JSON.parse(stdout).error).to.include({ code: 'not_allowed', message, retryable: false });
  });
});
