/**
 * The fields that were released, frozen. A field may be added: then add its line to the snapshot, which
 * `UPDATE_RELEASED_FIELDS=1` does. A field that is gone, or means another type, fails: there is no update for that. The
 * scores of overview and competitors allow null since slices exist, and only an answer with a slice has it.
 *
 * The codes of errors, which programs compare, are frozen in the same way.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { type ErrorName, errorCode, errors } from '../../src/contract/errors.js';
import type { Read } from '../../src/contract/read.js';
import { resources } from '../../src/contract/registry.js';
import type { Schema } from '../../src/contract/schema.js';
import { tools } from '../../src/contract/tools.js';

type Released = Record<string, Record<string, string>>;

const file = new URL('../fixtures/released-fields.json', import.meta.url);

/** A type as text: `number 0..1 or null`, `[low, high]` as `pair`, a list by what follows its path. */
function typeOf(schema: Schema): string {
  switch (schema.kind) {
    case 'nullable':
      return `${typeOf(schema.of)} or null`;
    case 'choice':
      return `${schema.open ? 'open' : 'closed'} choice: ${schema.values.join(' | ')}`;
    case 'integer':
    case 'number':
      return [schema.kind, schema.minimum === undefined ? '' : `${schema.minimum}..${schema.maximum ?? ''}`]
        .join(' ')
        .trim();
    default:
      return schema.kind;
  }
}

/** Every path of a schema with its type. */
function fieldsOf(schema: Schema, path: string): [string, string][] {
  const own: [string, string][] = path === '' ? [] : [[path, typeOf(schema)]];
  const bare = schema.kind === 'nullable' ? schema.of : schema;
  if (bare.kind === 'list' || bare.kind === 'pair') return [...own, ...fieldsOf(bare.items, `${path}[]`)];
  if (bare.kind === 'variant')
    return [
      ...own,
      ...Object.entries(bare.of).flatMap(([kind, each]) => fieldsOf(each, `${path}(${kind})`).slice(1)),
    ];
  if (bare.kind !== 'object') return own;
  const inner = Object.entries(bare.fields).flatMap(([name, field]) =>
    fieldsOf(field, path === '' ? name : `${path}.${name}`),
  );
  return [...own, ...inner];
}

type Definition = Pick<Read, 'response' | 'params' | 'rows'>;

/** The reads by their path, and the tools that mirror none by their name. */
const definitions: Readonly<Record<string, Definition>> = {
  ...resources,
  ...Object.fromEntries(
    Object.entries<Definition & { path?: string }>(tools).filter(([, { path }]) => path === undefined),
  ),
};

const released = ({ response, params, rows }: Definition): Record<string, string> => {
  const parameters = Object.entries(params).map(([each, param]) => [`?${each}`, param.kind]);
  // Only in pages.
  const page = rows === undefined ? [] : [['next_cursor', 'string or null']];
  return Object.fromEntries([...parameters, ...page, ...fieldsOf(response, '')]);
};

const now: Released = Object.fromEntries(
  Object.entries(definitions).map(([name, each]) => [name, released(each)]),
);
if (process.env.UPDATE_RELEASED_FIELDS) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
const frozen = JSON.parse(readFileSync(file, 'utf8')) as Released;

const codesFile = new URL('../fixtures/released-error-codes.json', import.meta.url);
const codes = Object.keys(errors).map((name) => errorCode(name as ErrorName));
if (process.env.UPDATE_RELEASED_FIELDS) writeFileSync(codesFile, `${JSON.stringify(codes, null, 2)}\n`);
const frozenCodes = JSON.parse(readFileSync(codesFile, 'utf8')) as string[];

/**
 * An open choice may get more values, as may one that repeats a parameter: only who asks for a new value is told it. Nothing
 * else may change.
 */
function stillMeans(before: string, after: string | undefined, isEcho = false): boolean {
  if (after === undefined || before === after) return after !== undefined;
  const [, kind, former] = /^(open|closed) choice: (.*)$/.exec(before) ?? [];
  const [, newKind, values] = /^(open|closed) choice: (.*)$/.exec(after) ?? [];
  if (kind === undefined || kind !== newKind || !(isEcho || kind === 'open')) return false;
  const known = former!.split(' | ');
  return (
    values!
      .split(' | ')
      .filter((value) => known.includes(value))
      .join(' | ') === former
  );
}

/** The fields of a read that repeat a parameter, whose values they share. */
function echoesOf({ params, response }: Definition): ReadonlySet<string> {
  const fields = Object.entries(response.kind === 'object' ? response.fields : {});
  return new Set(
    fields.flatMap(([name, schema]) => {
      const param = params[name];
      const isSame = param?.kind === 'choice' && schema.kind === 'choice' && param.values === schema.values;
      return isSame ? [name] : [];
    }),
  );
}

describe('rule: a released field never changes', () => {
  for (const [name, fields] of Object.entries(frozen)) {
    it(`${name}: every released field is there, with its type, its range and its null`, () => {
      const served = now[name] ?? {};
      const echoes = definitions[name] ? echoesOf(definitions[name]) : new Set();
      const changed = Object.entries(fields).filter(
        ([path, type]) => !stillMeans(type, served[path], echoes.has(path)),
      );
      expect(
        changed.map(([path, type]) => `${path}: ${type} became ${served[path] ?? 'nothing'}`),
      ).to.deep.equal([]);
    });
  }

  it('every field that is served is in the snapshot: add new ones with UPDATE_RELEASED_FIELDS=1', () => {
    const added = Object.entries(now).flatMap(([name, fields]) =>
      Object.keys(fields)
        .filter((path) => frozen[name]?.[path] === undefined)
        .map((path) => `${name} ${path}`),
    );
    expect(added).to.deep.equal([]);
  });

  it('every released code of an error is there, so that its definition keeps its name', () => {
    expect(frozenCodes.filter((code) => !codes.includes(code))).to.deep.equal([]);
  });

  it('every code of an error is in the snapshot: add new ones with UPDATE_RELEASED_FIELDS=1', () => {
    expect(codes.filter((code) => !frozenCodes.includes(code))).to.deep.equal([]);
    expect(errors.unknownBrand()).to.include({ code: 'unknown_brand', message: 'Unknown brand' });
    expect(errors.mcpDisabled().code).to.equal('mcp_disabled');
  });

  it('a removed field, another type, another null and another word order would each fail', () => {
    expect(stillMeans('number', undefined)).to.equal(false);
    expect(stillMeans('number', 'integer')).to.equal(false);
    expect(stillMeans('number or null', 'number')).to.equal(false);
    expect(stillMeans('number', 'number or null')).to.equal(false);
    expect(stillMeans('closed choice: a', 'closed choice: a | b')).to.equal(false);
    expect(stillMeans('open choice: a | b', 'open choice: b | a')).to.equal(false);
    expect(stillMeans('closed choice: a | b', 'closed choice: a', true)).to.equal(false);
    expect(stillMeans('open choice: a', 'open choice: a | b')).to.equal(true);
    expect(stillMeans('closed choice: a | b', 'closed choice: a | c | b', true)).to.equal(true);
  });
});
