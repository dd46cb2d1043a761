import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkPlans, checkServerSettings } from '../../../src/cli/doctor/server.js';

describe('checks of the settings of a server', () => {
  it('say of a missing operator key that it is missing here, unless the server needs none', async () => {
    const settings = async (env: Record<string, string>) => (await checkServerSettings(env)).checks[0]!;
    const missing = await settings({});
    expect(missing.status).to.equal('warning');
    expect(missing.finding).to.include('in this environment').and.include('`svc serve --plan`');
    expect((await settings({ SVC_PLAN: 'svc.toml' })).status).to.equal('ok');
    const open = await settings({ SVC_PLAN: 'svc.toml', PUBLIC_URL: 'https://svc.example.com' });
    expect(open.status).to.equal('warning');
  });

  it('say that the page cannot write a plan, if it is to', async function () {
    // Nothing is kept from root.
    if (process.getuid!() === 0) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
    const file = join(folder, 'svc.toml');
    writeFileSync(file, '[brand]\nname = "B"\ndomain = "b.example"\n[[prompt]]\ntext = "Which?"\n');
    const findings = async (edit: boolean) =>
      (await checkPlans({ plans: [file], edit })).map(({ finding }) => finding).join('\n');
    try {
      expect(await findings(true)).to.not.contain('written');
      chmodSync(folder, 0o500);
      expect(await findings(true)).to.contain(`${folder} cannot be written (EACCES)`);
      expect(await findings(false)).to.not.contain('written');
    } finally {
      chmodSync(folder, 0o700);
      rmSync(folder, { recursive: true });
    }
  });

  it('report the faults of the plan that the server follows, and a plan that names no time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
    const file = join(folder, 'svc.toml');
    const target =
      '[[target]]\nengine = "llama"\nprotocol = "openai-chat"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n';
    const checkPlan = async (plan: string) => (await checkPlans({ plans: [plan], edit: false }))[0]!;
    const brand = '[brand]\nname = "B"\ndomain = "b.example"\n[[prompt]]\ntext = "Which?"\n';
    try {
      writeFileSync(file, 'samples = 0');
      const faulty = await checkPlan(file);
      expect([faulty.status, faulty.finding.includes('samples')]).to.deep.equal(['failure', true]);
      writeFileSync(file, 'samples = 0\nconcurrent = 1');
      expect((await checkPlan(file)).finding).to.match(/cannot be used: line 1: .*; line 2: /);
      writeFileSync(file, brand + target);
      expect((await checkPlan(file)).finding).to.equal(`${file} has no [schedule].`);
      writeFileSync(file, `${brand}${target}[schedule]\nevery = "1d"\n`);
      expect((await checkPlan(file)).status).to.equal('ok');
      expect((await checkPlan(join(folder, 'none'))).status).to.equal('failure');
      const other = join(folder, 'other.toml');
      writeFileSync(other, `${brand}${target}[schedule]\nevery = "7d"\n`);
      const [one, two, same] = await checkPlans({ plans: [file, other], edit: false });
      expect([one!.status, two!.status, same!.status]).to.deep.equal(['ok', 'ok', 'failure']);
      expect(same!.finding).to.equal(
        `${other} has the brand b, as ${file} has: expected one plan for each brand.`,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
