import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { proposeChange, writeChange } from '../../../src/collect/settings/plan-editor.js';
import { planChanges } from '../../../src/server/intake/plan-settings.js';
import { emptyDatabase } from '../../support/database.js';
import { fresh } from '../../support/hooks.js';

const PLAN = `# mine
[brand]
name = "Fleetfoot" # ours
domain = "fleetfoot.example"

[[prompt]]
text = "Which shoes last?"
`;
const ADD = { do: 'add_prompts', pasted: 'Which are wide?' } as const;
const NOW = new Date('2026-11-20T08:00:00Z');

describe('changing a plan', () => {
  const database = fresh(emptyDatabase);
  const home = fresh(() => {
    const path = mkdtempSync(join(tmpdir(), 'svc-plan-'));
    return { path, remove: () => rmSync(path, { recursive: true }) };
  });
  const folder = () => home.path;
  const file = () => join(folder(), 'svc.toml');
  beforeEach(() => writeFileSync(file(), PLAN));

  const options = { now: NOW, afterDays: async () => undefined, keyId: 'k1' };
  const shown = (change: object = ADD) => proposeChange(database.knex, file(), change, NOW);
  const write = (token: string, change: object = ADD, path = file()) =>
    writeChange(database.knex, path, change, token, options);

  it('writes what was shown to the file and the database, and lists it', async () => {
    chmodSync(file(), 0o640);
    const proposed = await shown();
    expect(readFileSync(file(), 'utf8')).to.equal(PLAN);
    expect(proposed.lines).to.deep.equal([
      { sign: '+', text: '[[prompt]]' },
      { sign: '+', text: 'text = "Which are wide?"' },
    ]);
    expect((await write(proposed.token)).written).to.equal(true);
    expect(readFileSync(file(), 'utf8')).to.equal(`${PLAN}\n[[prompt]]\ntext = "Which are wide?"\n`);
    expect(statSync(file()).mode & 0o777).to.equal(0o640);
    const { rows } = await database.knex.raw('select text from prompts order by text');
    expect(rows.map(({ text }: { text: string }) => text)).to.deep.equal([
      'Which are wide?',
      'Which shoes last?',
    ]);
    const [listed] = await planChanges(database.knex, { brandKey: 1, most: 10 });
    expect(listed).to.deep.include({ words: 'Added 1 prompt: “Which are wide?”', keyId: 'k1', at: NOW });
    expect(readdirSync(folder())).to.deep.equal(['svc.toml']);
  });

  it('writes nothing if the file or the database changed since, and shows what would change now', async () => {
    const { token } = await shown();
    const edited = PLAN.replace('last?', 'last longest?');
    writeFileSync(file(), edited);
    const outcome = await write(token);
    if (outcome.written) throw new Error('It was written.');
    expect(readFileSync(file(), 'utf8')).to.equal(edited);
    expect(await write(outcome.proposed.token)).to.deep.equal({ written: true });
    expect(await write(token).catch((error: Error) => error.message)).to.contain('No prompt is new');
  });

  it('is written once, and says so, if somebody presses the button twice', async () => {
    const { token } = await shown();
    expect(await write(token)).to.deep.equal({ written: true });
    const text = readFileSync(file(), 'utf8');
    expect(await write(token)).to.deep.equal({ written: true });
    expect(readFileSync(file(), 'utf8')).to.equal(text);
    expect(await planChanges(database.knex, { brandKey: 1, most: 10 })).to.have.length(1);
    // Taken back in the file, it is no longer written.
    writeFileSync(file(), PLAN);
    expect((await write(token)).written).to.equal(false);
  });

  it('lets one of two that change it at the same time be first', async () => {
    const other = { do: 'add_competitors', pasted: 'Stride' };
    const [a, b] = [await shown(), await shown(other)];
    const outcomes = await Promise.all([write(a.token), write(b.token, other)]);
    expect(outcomes.map(({ written }) => written)).to.deep.equal([true, false]);
  });

  it('follows a symbolic link, and leaves the link', async () => {
    mkdirSync(join(folder(), 'real'));
    const real = join(folder(), 'real', 'plan.toml');
    const link = join(folder(), 'link.toml');
    writeFileSync(real, PLAN);
    symlinkSync(real, link);
    const { token } = await proposeChange(database.knex, link, ADD, NOW);
    await write(token, ADD, link);
    expect(readFileSync(real, 'utf8')).to.contain('wide');
    expect(readdirSync(join(folder(), 'real'))).to.deep.equal(['plan.toml']);
  });

  it('takes over from a process that was killed while it wrote', async () => {
    writeFileSync(join(folder(), '.svc.toml.new'), 'half');
    writeFileSync(join(folder(), '.svc.toml.lock'), '999999 1');
    expect((await write((await shown()).token)).written).to.equal(true);
    expect(readdirSync(folder())).to.deep.equal(['svc.toml']);
  });

  it('keeps the old file whole if the new one cannot be written', async () => {
    const { token } = await shown();
    mkdirSync(join(folder(), '.svc.toml.new'));
    writeFileSync(join(folder(), '.svc.toml.new', 'x'), '');
    expect(await write(token).catch((error: Error) => error.message)).to.contain('cannot be used');
    expect(readFileSync(file(), 'utf8')).to.equal(PLAN);
  });
});
