import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { expect } from 'chai';
import type { Schema } from '../../src/contract/schema.js';
import { tools } from '../../src/contract/tools.js';
import { sdkClient } from '../generate/sdk-client.js';
import { sdkTypes } from '../generate/sdk-types.js';
import { read, root } from './texts.js';

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

interface Field {
  readonly path: string;
  readonly name: string;
  readonly schema: Schema & { readonly deprecated?: string };
}

/** What the contract says about a field: its description, for an object also what the object is. */
function wordsOf(schema: Schema): string {
  const bare = schema.kind === 'nullable' ? schema.of : schema;
  return schema.description || (bare.kind === 'object' && bare.about) || '';
}

/** All fields of a schema. */
function fieldsOf(schema: Schema, path: string): Field[] {
  if (schema.kind === 'nullable') return fieldsOf(schema.of, path);
  if (schema.kind === 'list' || schema.kind === 'pair') return fieldsOf(schema.items, path);
  if (schema.kind === 'variant') return Object.values(schema.of).flatMap((each) => fieldsOf(each, path));
  if (schema.kind !== 'object') return [];
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    const own = { path: `${path}.${name}`, name, schema: field };
    return [own, ...fieldsOf(field, own.path)];
  });
}

const fields = Object.entries(tools).flatMap(([name, { response }]) => fieldsOf(response, name));
const rangeOf = (schema: Schema) => {
  const bare = schema.kind === 'nullable' ? schema.of : schema;
  const { minimum, maximum } = bare as { minimum?: number; maximum?: number };
  return maximum === undefined ? undefined : `${minimum} to ${maximum}`;
};
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Wrong calls of the SDK, which must cause readable type errors. */
const WRONG = `
const svc = new SvcClient();
svc.sources.top({ limit: 5 });
svc.overview({ brnad: 'b' });
svc.brands.top({ brand: 'b' });
svc.tools.call('list_fanouts', { brand: 'b' });
svc.answers.list().all();
svc.history({ days: 28 });
const overview = await svc.overview();
export const text: string = overview;
`;

describe('rule: the types of the SDK are generated, and explain themselves', () => {
  let folder: string;
  /** The published declarations. */
  let declarations: string;
  let errors: string[];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-types-'));
    const index = join(root, 'src', 'sdk', 'index.ts');
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'wrong.ts'), `import { SvcClient } from ${JSON.stringify(index)};${WRONG}`);
    const compilerOptions = {
      rootDir: '/',
      outDir: join(folder, 'out'),
      emitDeclarationOnly: true,
      allowImportingTsExtensions: true,
      typeRoots: [join(root, 'node_modules', '@types')],
    };
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: [],
      files: ['wrong.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    errors = stdout.split(/^(?=\S)/m);
    declarations = readFileSync(join(folder, 'out', root, 'src', 'sdk', 'types.d.ts'), 'utf8');
  });

  after(() => rmSync(folder, { recursive: true }));

  it('equal the output of npm run generate', async () => {
    expect(read('src/sdk/types.ts')).to.equal(await sdkTypes());
    expect(read('src/sdk/client.ts')).to.equal(sdkClient());
  });

  it('contain every field of the contract with its description', () => {
    const bare = fields.filter(({ name, schema }) => {
      const documented = new RegExp(`/\\*\\*[\\s*]+${escaped(wordsOf(schema))}[^/]*\\*/\\s+${name}:`);
      return !documented.test(declarations);
    });
    expect(fields.length).to.be.above(200);
    expect(bare.map(({ path }) => path)).to.deep.equal([]);
  });

  it('have a comment on every declaration and every member', () => {
    const lines = declarations.split('\n');
    const bare = lines.filter((line, index) => {
      const isDeclared = /^export |^ {4}'?[\w/-]+'?\??:/.test(line);
      return isDeclared && !lines[index - 1]!.endsWith('*/');
    });
    expect(lines.filter((line) => line.startsWith('export ')).length).to.be.above(80);
    expect(bare).to.deep.equal([]);
  });

  it('state the scale of every number that has one', () => {
    const scaled = fields.filter(({ schema }) => rangeOf(schema) !== undefined);
    const unsaid = scaled.filter(({ name, schema }) => {
      const said = new RegExp(`/\\*\\*[^/]*\\b${rangeOf(schema)}\\b[^/]*\\*/\\s+${name}:`);
      return !said.test(declarations);
    });
    expect(scaled.length).to.be.above(10);
    expect(unsaid.map(({ path }) => path)).to.deep.equal([]);
  });

  it('mark frozen fields as deprecated, and name the replacement', () => {
    const frozen = fields.filter(({ schema }) => schema.deprecated !== undefined);
    const names = frozen.map(({ name }) => name);
    expect(new Set(names)).to.deep.equal(new Set(['share_of_voice', 'topic', 'engine']));
    for (const { path, name, schema } of frozen) {
      const marked = new RegExp(`@deprecated Use ${escaped(schema.deprecated!)}\\.\\s+\\*/\\s+${name}:`);
      expect(declarations, path).to.match(marked);
    }
  });

  it('appear by name in type errors, which explain the mistake', () => {
    const told = errors.map((error) => error.replaceAll(/\s+/g, ' '));
    const expected = [
      /'limit' does not exist in type 'SourcesTopParams'/,
      /'brnad' does not exist in type 'OverviewParams'/,
      /'brand' does not exist in type 'BrandsTopParams'/,
      /'brand' does not exist in type 'FanoutsArguments'/,
      /Expected 1 arguments, but got 0/,
      /Property 'metric' is missing in type '\{ days: 28; \}' but required in type 'HistoryParams'/,
      /Type 'Overview' is not assignable to type 'string'/,
    ];
    expect(told.filter((error) => error.includes('error TS'))).to.have.length(expected.length);
    for (const words of expected) expect(told.join('\n')).to.match(words);
    expect(told.join('\n')).not.to.match(/Omit<|Flat<|Infer</);
  });
});

describe('rule: the contract describes its fields', () => {
  it('state the meaning of null for every nullable field', () => {
    const silent = fields.filter(
      ({ schema }) => schema.kind === 'nullable' && !/\bnull\b/.test(schema.description),
    );
    expect(silent.map(({ path }) => path)).to.deep.equal([]);
  });

  it('exist for every field', () => {
    const bare = fields.filter(({ schema }) => wordsOf(schema) === '');
    expect(bare.map(({ path }) => path)).to.deep.equal([]);
  });
});
