import { readdirSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { expect } from 'chai';
import { filesIn, read, root, withoutComments } from './texts.js';

/** Which folders of src may import from which others; the command loads server and demo lazily. */
const allowed: Record<string, { eager: string[]; lazy: string[] }> = {
  contract: { eager: [], lazy: [] },
  logs: { eager: [], lazy: [] },
  sdk: { eager: ['contract'], lazy: [] },
  server: { eager: ['contract', 'logs'], lazy: [] },
  demo: { eager: ['contract', 'server'], lazy: [] },
  collect: { eager: ['contract', 'server'], lazy: [] },
  cli: { eager: ['sdk', 'contract', 'logs'], lazy: ['server', 'demo', 'collect'] },
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly how: 'type' | 'eager' | 'lazy';
}

const source = join(root, 'src');
const STATEMENT = /^(?:import|export)(?<type> type)?\b(?:[^;'"]*?\bfrom)?\s*['"](?<from>[^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"](?<from>[^'"]+)['"]\s*\)/g;

function importsOf(file: string): Import[] {
  const text = withoutComments(read(join('src', file)));
  const stated = [...text.matchAll(STATEMENT)].map(({ groups }): Import => {
    return { file, from: groups!.from!, how: groups!.type ? 'type' : 'eager' };
  });
  const dynamic = [...text.matchAll(DYNAMIC)].map(
    ({ groups }): Import => ({ file, from: groups!.from!, how: 'lazy' }),
  );
  return [...stated, ...dynamic];
}

const everything = readdirSync(source, { recursive: true, encoding: 'utf8' });
const files = everything.filter((name) => name.endsWith('.ts'));
const imports = files.flatMap(importsOf);
const isRelative = ({ from }: Import) => from.startsWith('.');
const roomOf = (file: string) => file.split(sep)[0]!;
/** The file that a relative import leads to, as `.ts`. */
const fileOf = ({ file, from }: Import) => normalize(join(dirname(file), from)).replace(/\.js$/, '.ts');
/** The folder that a relative import leads to. */
const target = (each: Import) => roomOf(fileOf(each));
const written = ({ file, from, how }: Import) => `${file} ${how} ${from}`;

/** The wings of the server. Each imports only from those after it. */
const wings = ['run', 'web', 'alerts', 'intake', 'answers', 'accounts', 'database', 'base'];

/** The folder of a file: of the server a room of a wing, elsewhere the folder below the first one. A file directly in the first one stands for itself. */
const partOf = (file: string) =>
  file
    .split(sep)
    .slice(0, file.startsWith(join('server', '')) ? 3 : 2)
    .join('/');

/** A circle of imports between the parts that contain the files; empty: there is none. */
function circle(part: (file: string) => string): string[] {
  const next = new Map<string, Set<string>>();
  for (const each of imports.filter(isRelative)) {
    const [from, to] = [part(each.file), part(fileOf(each))];
    if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const done = new Set<string>();
  const visit = (at: string, path: readonly string[]): string[] => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (done.has(at)) return [];
    for (const to of next.get(at) ?? []) {
      const found = visit(to, [...path, at]);
      if (found.length > 0) return found;
    }
    done.add(at);
    return [];
  };
  for (const start of next.keys()) {
    const found = visit(start, []);
    if (found.length > 0) return found;
  }
  return [];
}

describe('rule: imports point one way', () => {
  it('cli → sdk → contract ← server, cli → logs ← server ← demo, cli → collect → server', () => {
    const wrong = imports.filter(isRelative).filter((each) => {
      const [own, other] = [roomOf(each.file), target(each)];
      if (own === other) return false;
      const may = allowed[own] ?? { eager: [], lazy: [] };
      const open = each.how === 'eager' ? may.eager : [...may.eager, ...may.lazy];
      return !open.includes(other);
    });
    expect(wrong.map(written)).to.deep.equal([]);
  });

  it('the collector imports the clock, repeated work, collections, the names of settings, first plans and changes of plans, the dataset format, the state of the schema, days, errors of the database, files, requests to language models and the guard of addresses, and no other part of the server', () => {
    const parts = imports
      .filter((each) => isRelative(each) && roomOf(each.file) === 'collect' && target(each) === 'server')
      .map(({ file, from }) => partOf(relative('server', normalize(join(dirname(file), from)))));
    expect([...new Set(parts)].sort()).to.deep.equal([
      'answers/collections.js',
      'base/clock.js',
      'base/days.js',
      'base/errors.js',
      'base/fields.js',
      'base/guarded-request.js',
      'base/language-model.js',
      'base/repeat.js',
      'base/vendor-request.js',
      'database/connections.js',
      'database/data-folder.js',
      'database/database.js',
      'database/folder-socket.js',
      'database/schema-state.js',
      'intake/dataset',
      'intake/first-plan.js',
      'intake/plan-settings.js',
      'run/config.js',
    ]);
  });

  it('a wing of the server imports only from the wings after it', () => {
    const wing = (file: string) => wings.indexOf(file.split(sep)[1]!);
    const inside = imports.filter((each) => isRelative(each) && roomOf(each.file) === 'server');
    const upwards = inside.filter(
      (each) => target(each) === 'server' && wing(fileOf(each)) < wing(each.file),
    );
    expect(upwards.map(written)).to.deep.equal([]);
    expect(inside.filter(({ file }) => wing(file) < 0).map(written)).to.deep.equal([]);
  });

  it('no circle leads from a file to itself, types included', () => {
    expect(circle((file) => file)).to.deep.equal([]);
  });

  it('no circle leads from a folder to itself; a file next to the folders counts by itself', () => {
    expect(circle(partOf)).to.deep.equal([]);
  });

  it('every file of src is in a known folder', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in allowed))).to.deep.equal([]);
  });

  it('contract and logs load no package, not even one of Node’s', () => {
    const pure = imports.filter((each) => !isRelative(each) && each.how !== 'type');
    const loaded = (room: string) => pure.filter((each) => roomOf(each.file) === room);
    expect([...loaded('contract'), ...loaded('logs')].map(written)).to.deep.equal([]);
  });

  it('logs do not read the clock', () => {
    const reading = filesIn('src/logs', '.ts').filter((file) =>
      /Date\.now|new Date\(\)|performance\.|process\./.test(read(file)),
    );
    expect(reading).to.deep.equal([]);
  });

  it('only src/server/web/oauth imports the authorization server', () => {
    const users = imports.filter(({ from }) => from === 'oidc-provider');
    expect(users).to.not.deep.equal([]);
    expect(users.filter(({ file }) => partOf(file) !== 'server/web/oauth').map(written)).to.deep.equal([]);
  });

  it('relative imports lead to files that are there, by the name that runs', () => {
    const there = new Set(everything.map((file) => file.replace(/\.ts$/, '.js')));
    const lost = imports
      .filter(isRelative)
      .filter((each) => !there.has(normalize(join(dirname(each.file), each.from))));
    expect(lost.map(written)).to.deep.equal([]);
  });

  it('benchmarks, scripts and tests load modules of the build that are there', () => {
    const users = ['bench', 'scripts', 'test', 'bin'].flatMap((folder) =>
      ['.ts', '.mjs', '.js'].flatMap((ending) => filesIn(folder, ending)),
    );
    const loaded = users.flatMap((file) =>
      [...read(file).matchAll(/['"](?:\.\.\/)+dist\/(?<module>[\w/.-]+\.js)['"]/g)].map(({ groups }) => ({
        file,
        module: groups!.module!,
      })),
    );
    const there = new Set(everything.map((file) => file.replace(/\.ts$/, '.js')));
    expect(loaded.filter(({ module }) => !there.has(module))).to.deep.equal([]);
    expect(loaded.length).to.be.greaterThan(10);
  });

  it('the check sees every kind of import', () => {
    expect(imports.some((each) => each.how === 'type')).to.equal(true);
    expect(imports.some((each) => each.how === 'lazy')).to.equal(true);
    expect(imports.filter((each) => each.how === 'eager').length).to.be.greaterThan(files.length);
  });
});
