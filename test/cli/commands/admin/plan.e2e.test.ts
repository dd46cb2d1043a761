import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, Home, svc } from '../../support/run.js';

const FILE = `# mine
[brand]
name = "Fleetfoot" # ours
domain = "fleetfoot.example"

[[prompt]]
text = "Which shoes last?"
topic = "Durability"
`;

describe('svc admin plan, prompts and competitors', () => {
  let env: Environment;
  const home = fresh(() => new Home());
  const file = () => join(home.folder, 'work', 'svc.toml');
  beforeEach(async () => {
    mkdirSync(join(home.folder, 'work'));
    writeFileSync(file(), FILE);
    env = { ...home.env, ...(await migratedDatabase(join(home.folder, 'data'))) };
  });
  const run = (...args: string[]) => svc(['admin', ...args, '--plan', file()], env, '');

  it('show, change and list the file, which keeps its comments', async () => {
    expect((await run('plan', 'show')).stdout)
      .to.contain('Fleetfoot')
      .and.contain('1 prompt');
    const dry = await run(
      'prompts',
      'add',
      'Which, if any, are wide?',
      '--topic',
      'Fit',
      '--dry-run',
      '--json',
    );
    expect(JSON.parse(dry.stdout)).to.deep.include({
      written: false,
      lines: ['+[[prompt]]', '+text = "Which, if any, are wide?"', '+topic = "Fit"'],
    });
    expect(readFileSync(file(), 'utf8')).to.equal(FILE);
    const queries = join(home.folder, 'work', 'Queries.csv');
    writeFileSync(
      queries,
      'Top queries,Clicks,Impressions,CTR,Position\nshoes for wide feet,1,20,5%,3\nfleetfoot,9,90,10%,1\n',
    );
    const ofExport = await run('prompts', 'add', '--file', queries, '--dry-run', '--json');
    const { lines, notes } = JSON.parse(ofExport.stdout);
    expect(lines).to.deep.equal(['+[[prompt]]', '+text = "shoes for wide feet"']);
    expect(notes.join()).to.contain('1 query of the export left out');
    for (const args of [
      ['prompts', 'add', 'Which, if any, are wide?'],
      ['prompts', 'reword', 'Which shoes last?', 'Which last longest?'],
      ['prompts', 'retire', 'Which, if any, are wide?'],
      ['competitors', 'add', 'Boltra=boltra.example', 'Stride'],
      ['competitors', 'rename', 'Boltra', 'Boltra Running'],
      ['competitors', 'retire', 'Stride'],
    ]) {
      const { code, stderr } = await run(...args, '--yes');
      expect(code, stderr).to.equal(0);
    }
    const text = readFileSync(file(), 'utf8');
    expect(text).to.contain('# mine').and.contain('# ours').and.contain('was = "Boltra"');
    expect(text).to.contain('text = "Which last longest?"\ntopic = "Durability"\nwas = "Which shoes last?"');
    const listed = JSON.parse((await run('competitors', 'list', '--json')).stdout);
    expect(listed.competitors).to.deep.equal([
      { name: 'Boltra Running', domain: 'boltra.example', aliases: [] },
    ]);
    expect((await run('prompts', 'list')).stdout).to.contain('Which last longest?');
    const changes = JSON.parse((await svc(['admin', 'plan', 'changes', '--json'], env, '')).stdout).changes;
    expect(changes.map(({ what }: { what: string }) => what)[0]).to.equal('Retired “Stride”');
    expect(changes).to.have.length(6);
    const { stdout } = await svc(['admin', 'apply', file(), '--dry-run', '--json'], env, '');
    expect(JSON.parse(stdout).changes).to.deep.equal([]);
  });

  it('refuse what is not there, and ask before they write', async () => {
    const unknown = await run('prompts', 'retire', 'Nope?', '--yes');
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr).to.contain('Expected a prompt of the plan, got');
    expect((await run('competitors', 'add', 'Stride')).stderr).to.contain('--yes');
    expect(readFileSync(file(), 'utf8')).to.equal(FILE);
  });
});
