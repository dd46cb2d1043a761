import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PlanReader, readPlanFile } from '../../../src/collect/plan/read-plan.js';

const brand = (prompts: string) => `${prompts}\n[brand]\nname = "Fleetfoot"\ndomain = "fleetfoot.example"\n`;

describe('a plan file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-plan-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error) => error.message,
    );

  it('takes prompts from its folder and below, also through links that stay there', async () => {
    mkdirSync(join(folder, '..data'));
    write('..data/prompts.txt', 'Which shoes last?\n');
    symlinkSync(join('..data', 'prompts.txt'), join(folder, 'linked.txt'));
    for (const name of ['..data/prompts.txt', 'linked.txt', join(folder, 'linked.txt')]) {
      const { catalog } = await readPlanFile(write('svc.toml', brand(`prompts = "${name}"`)), false);
      expect(catalog!.prompts.map(({ text }) => text)).to.deep.equal(['Which shoes last?']);
    }
  });

  it('takes no prompts from elsewhere: their lines would be sent to engines', async () => {
    mkdirSync(join(folder, 'plans'));
    write('secrets.txt', 'a secret line');
    symlinkSync(join(folder, 'secrets.txt'), join(folder, 'plans', 'linked.txt'));
    for (const name of ['../secrets.txt', '/etc/passwd', 'linked.txt', join(folder, 'secrets.txt')]) {
      const file = write('plans/svc.toml', brand(`prompts = "${name}"`));
      const message = await failure(readPlanFile(file, false));
      expect(message, name).to.include('prompts: expected a file in the folder of the plan or below it');
    }
  });

  it('is no device, which may have no end', async () => {
    expect(await failure(readPlanFile('/dev/zero', false))).to.include('expected a file, got a device');
  });

  it('has a bounded size', async () => {
    const message = await failure(readPlanFile(write('svc.toml', '#'.repeat(9_000_000)), false));
    expect(message).to.include('expected at most 8388608 bytes, got more');
  });

  it('is not read again by a server until it or the file of its prompts is another one', async () => {
    const file = write('svc.toml', brand('prompts = "prompts.txt"'));
    const prompts = write('prompts.txt', 'Which shoes last?\n');
    // Of files that were changed just now two changes may look alike.
    const later = () => new Date(Date.now() + 10_000);
    const reader = new PlanReader(file, later);
    const first = await reader.read();
    expect(await reader.read()).to.equal(first);
    utimesSync(prompts, 1, 1);
    const touched = await reader.read();
    expect(touched).to.not.equal(first);
    writeFileSync(prompts, 'Which shoes are wide?\nWhich shoes are new?\n');
    expect((await reader.read()).catalog!.prompts).to.have.length(2);
    rmSync(prompts);
    expect(await failure(reader.read())).to.include('ENOENT');
    write('prompts.txt', 'Which shoes last?\n');
    expect((await reader.read()).catalog!.prompts).to.have.length(1);
    const unsettled = new PlanReader(file, () => new Date());
    expect(await unsettled.read()).to.not.equal(await unsettled.read());
  });
});
