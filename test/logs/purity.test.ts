import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const folder = new URL('../../src/logs/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

describe('src/logs', () => {
  it('imports only its own files, because server and command line both use it', () => {
    for (const name of sources) {
      const source = readFileSync(new URL(name, folder), 'utf8');
      const imported = Array.from(
        source.matchAll(/from '([^']+)'|import\('([^']+)'\)/g),
        (match) => match[1] ?? match[2] ?? '',
      );
      for (const path of imported) {
        expect(path, name).to.match(/^\.\.?\//);
        expect(new URL(path, new URL(name, folder)).href, name).to.satisfy((href: string) =>
          href.startsWith(folder.href),
        );
      }
    }
  });

  it('does not read the clock', () => {
    for (const name of sources) {
      expect(readFileSync(new URL(name, folder), 'utf8'), name).to.not.match(
        /Date\.now|new Date\(\)|performance\.|process\./,
      );
    }
  });
});
