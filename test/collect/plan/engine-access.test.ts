import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { engineAccess } from '../../../src/collect/plan/engine-access.js';

const document = readFileSync(join(import.meta.dirname, '../../../docs/collecting.md'), 'utf8');

describe('the table of engines', () => {
  it('is that of the documentation', () => {
    const [, section = ''] = /\n## Which engines\n([\s\S]*?)\n## /.exec(document) ?? [];
    const rows = [...section.matchAll(/^\| ([a-z]+) \| ([a-z, -]+) \| ?(true|false)? \| (.+) \|$/gm)];
    const expected = engineAccess.map(({ engine, protocols, search, through }) => [
      engine,
      protocols.length === 0 ? 'none' : protocols.join(', '),
      protocols.length === 0 ? undefined : String(search),
      through,
    ]);
    expect(rows.map(([, ...cells]) => cells).filter(([engine]) => engine !== 'engine')).to.deep.equal(
      expected,
    );
  });
});
