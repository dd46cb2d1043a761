import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fresh } from '../../../support/hooks.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, Home, svc } from '../../support/run.js';

const FILE = `[brand]
name = "Fleetfoot"
domain = "fleetfoot.example"
[[competitor]]
name = "Stride"
[[prompt]]
text = "Which shoes last?"
topic = "Durability"
[[prompt]]
text = "Which shoes are wide?"
`;

const RUN = {
  ...{
    type: 'run',
    id: 'r',
    brand: 'fleetfoot',
    prompt: 'which-shoes-last',
    engine: 'chatgpt',
    region: 'us',
  },
  ...{ collected_at: '2026-11-20T04:00:00Z', mentions: [], citations: [] },
};

describe('svc admin apply', () => {
  let env: Environment;
  const home = fresh(() => new Home());
  beforeEach(async () => {
    mkdirSync(join(home.folder, 'work'));
    env = { ...home.env, ...(await migratedDatabase(join(home.folder, 'data'))) };
  });

  const file = () => join(home.folder, 'work', 'svc.toml');
  const apply = (toml: string, ...flags: string[]) => {
    writeFileSync(file(), toml);
    return svc(['admin', 'apply', file(), ...flags], env, '');
  };

  it('searches stored answers for a competitor that it adds, where only tracked names were looked for', async () => {
    const more = FILE.replace('[[prompt]]', '[[competitor]]\nname = "Boltra"\n[[prompt]]');
    const note = 'Stored answers are searched for Boltra;';
    await apply(FILE, '--yes');
    const runs = join(home.folder, 'work', 'runs.ndjson');
    const store = async (run: object) => {
      writeFileSync(runs, `${JSON.stringify(run)}\n`);
      const imported = await svc(['admin', 'import', runs], env);
      expect(imported.code, imported.stderr).to.equal(0);
    };
    await store({ ...RUN, answer: 'Nothing.' });
    expect((await apply(more, '--dry-run')).stderr).to.not.include(note);
    await store({ ...RUN, id: 's', answer: 'Stride, then Boltra.', names: 'tracked' });
    const added = (await apply(more, '--yes')).stderr.replace(/\s+/g, ' ');
    expect(added).to.include(note).and.to.include('1 stored answer searched.');
    expect((await svc(['admin', 'brands', 'list', '--json'], env)).stdout).to.include('"names_since":null');
    expect((await svc(['admin', 'export'], env)).stdout).to.include('{"name":"Boltra","order":2}');
  });

  it('prints what would change, and writes only with a yes', async () => {
    const dry = await apply(FILE, '--dry-run');
    expect(dry.stdout).to.match(/add +prompt +Which shoes last\? +topic Durability +which-shoes-last/);
    expect(dry.stdout).to.include('6 changes for fleetfoot: 6 to add.');
    const unasked = await apply(FILE);
    expect(unasked.code).to.equal(2);
    expect(unasked.stderr).to.include('Nothing was written.').and.to.include('--yes');
    expect((await svc(['admin', 'brands', 'list', '--json'], env)).stdout).to.equal('{"brands":[]}\n');
    const written = await apply(FILE, '--yes');
    expect(written.code).to.equal(0);
    expect(written.stderr).to.include('Written.').and.to.include('svc admin import');
    const again = await apply(FILE, '--yes');
    expect(again.stdout).to.include('nothing to change for fleetfoot');
    expect(again.code).to.equal(0);
  });

  it('says that a former name stays a spelling, what drops it, and how many stored mentions that takes', async () => {
    await apply(FILE, '--yes');
    const renamed = FILE.replace('name = "Stride"', 'name = "Apex"\nwas = "Stride"');
    const shown = await apply(renamed, '--yes');
    expect(shown.stdout).to.match(/rename +competitor +Apex +name Stride → Apex; aliases "Stride"/);
    expect(shown.stderr.replace(/\s+/g, ' ')).to.include(
      'Stride stays a spelling of Apex, so that stored answers count for it; forget = ["Stride"] in its entry drops it.',
    );
    const runs = join(home.folder, 'work', 'runs.ndjson');
    const mentions = [{ name: 'Stride', order: 1 }];
    writeFileSync(runs, `${JSON.stringify({ ...RUN, mentions })}\n`);
    await svc(['admin', 'import', runs], env);
    const forgotten = await apply(renamed.replace('was =', 'forget = ["Stride"]\nwas ='), '--dry-run');
    expect(forgotten.stderr.replace(/\s+/g, ' ')).to.include(
      'Stride is no longer a spelling of Apex: 1 stored mention does not count for it any more.',
    );
    const taken = await apply(`${renamed.replace('was = "Stride"', '')}[[competitor]]\nname = "Stride"\n`);
    expect(taken.code).to.equal(2);
    expect(taken.stderr.replace(/\s+/g, ' ')).to.include('Stride is a spelling of Apex in the database');
    const record = { type: 'competitor', id: 'stride', brand: 'fleetfoot', name: 'Apex' };
    writeFileSync(runs, `${JSON.stringify(record)}\n`);
    const imported = await svc(['admin', 'import', runs], env);
    expect(imported.stderr.replace(/\s+/g, ' ')).to.include(
      'Stride is no longer a spelling of Apex: 1 stored',
    );
  });

  it('asks whether what begins without a past is a stored brand or competitor under another name', async () => {
    const sited = FILE.replace('name = "Stride"', 'name = "Stride"\ndomain = "stride.example"');
    await apply(sited, '--yes');
    const noteOf = async (toml: string) => {
      const { stderr } = await apply(toml, '--dry-run');
      return stderr.replace(/\s+/g, ' ').trim();
    };
    const was =
      'and Stride is retired with its history. If both are one under another name, was = "Stride" in its entry keeps it.';
    expect(await noteOf(sited.replace('"Stride"', '"Apex"'))).to.equal(`Apex is a new competitor, ${was}`);
    expect(await noteOf(FILE.replace('"Stride"', '"Stride Labs"'))).to.equal(
      `Stride Labs is a new competitor, ${was}`,
    );
    expect(await noteOf(FILE.replace('"Stride"', '"Striders"'))).to.equal('');
    expect(await noteOf(FILE.replace('"Fleetfoot"', '"Veloquay"'))).to.equal(
      'Veloquay is a new brand, without the history of Fleetfoot. If it is that brand under another name, id = "fleetfoot" in [brand] keeps it.',
    );
  });

  it('retires what the file no longer has, and keeps the id of a text that was another', async () => {
    await apply(FILE, '--yes');
    const changed = FILE.replace(
      'text = "Which shoes last?"',
      'text = "Which shoes last longest?"\nwas = "Which shoes last?"',
    )
      .replace('[[competitor]]\nname = "Stride"\n', '')
      .replace('"fleetfoot.example"', '"www.fleetfoot.example"');
    const { stdout } = await apply(changed, '--yes', '--json');
    const { changes, ...head } = JSON.parse(stdout);
    const none = { likely_renames: [], kept: [], lost: [] };
    expect(head).to.deep.equal({ brand: 'fleetfoot', dry_run: false, written: true, ...none });
    expect(changes).to.deep.equal([
      {
        ...{ action: 'change', type: 'brand', id: 'fleetfoot', name: 'Fleetfoot' },
        fields: [{ field: 'domain', before: 'fleetfoot.example', after: 'www.fleetfoot.example' }],
      },
      { action: 'retire', type: 'competitor', id: 'stride', name: 'Stride', fields: [] },
      {
        ...{ action: 'rename', type: 'prompt', id: 'which-shoes-last', name: 'Which shoes last longest?' },
        fields: [{ field: 'text', before: 'Which shoes last?', after: 'Which shoes last longest?' }],
      },
    ]);
    const exported = await svc(['admin', 'export'], env);
    expect(exported.stdout).to.match(/"id":"stride".*"retired_at":/);
  });

  it('refuses a file that cannot be used with every fault, and one without a brand', async () => {
    const bad = await apply(FILE.replace('domain = ', 'site = '), '--yes');
    expect(bad.code).to.equal(2);
    expect(bad.stderr)
      .to.include('line 1: brand.domain: expected')
      .and.to.include('line 3: brand.site: no such field');
    const plan =
      '[[target]]\nengine = "llama"\nprotocol = "openai-chat"\nbase_url = "http://h/v1"\nmodel = "m"\n';
    expect((await apply(plan)).stderr).to.include('has no [brand]');
    const missing = await svc(['admin', 'apply', join(home.folder, 'none.toml')], env, '');
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include('none.toml cannot be read (ENOENT)');
  });
});
