import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@oclif/core/config';
import { expect } from 'chai';
import SvcHelp from '../../src/cli/help.js';
import { type Commands, list, rootHelp, showRootHelp } from '../../src/cli/root-help.js';

const root = new URL('../../', import.meta.url).pathname;
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const program = read('package.json');
const commands: Commands = read('oclif.manifest.json').commands;

/** Draws lists as the help of commands does. */
class Lists extends SvcHelp {
  draw = (rows: [string, string][]): string => this.renderList(rows, { indentation: 2, spacer: '\n' });
}

describe('the help of svc', () => {
  it('draws lists as oclif does, at every width', async () => {
    const config = await Config.load(root);
    const all = Object.entries(commands).map(([id, { summary = '' }]): [string, string] => [id, summary]);
    const short: [string, string][] = [
      ['$ svc sources --limit 100 --format csv', 'the domains that answers cite, for a spreadsheet'],
      ['$ svc login', ''],
      ['$ svc overview', 'how visible your brand was in the last 7 days'],
    ];
    for (let width = 40; width <= 200; width++) {
      const help = new Lists(config, { maxWidth: width });
      for (const rows of [all, short])
        expect(list(rows, width).join('\n'), `${width} columns`).to.equal(help.draw(rows));
    }
  });

  it('has no text that oclif would take for a template', () => {
    expect(rootHelp(program, commands, 'svc/1', 80)).to.not.contain('<%');
  });

  it('lists commands of no group below OTHER, and no hidden ones', () => {
    const more = { ...commands, novel: { summary: 'Something new' }, secret: { summary: 'x', hidden: true } };
    const text = rootHelp(program, more, 'svc/1', 80);
    expect(text).to.contain('\nOTHER\n  novel  Something new\n');
    expect(text).to.not.contain('secret');
  });

  it('needs a manifest of this version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-help-'));
    try {
      expect(await showRootHelp(folder, program)).to.equal(false);
      writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({ commands, version: '0.0.0' }));
      expect(await showRootHelp(folder, program)).to.equal(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
