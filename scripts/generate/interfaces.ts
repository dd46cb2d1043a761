import { engineIds } from '../../src/contract/engines.js';
import type { Param, Params } from '../../src/contract/params.js';
import type { ObjectSchema, Schema } from '../../src/contract/schema.js';

export type Fields = { readonly [name: string]: Schema };

const MOST_COLUMNS = 110;
const ENGINE = 'EngineId | (string & {})';

/** Declarations of interfaces, one per object of the contract, each after the interfaces that it uses. */
export class Interfaces {
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #declared = new Map<string, unknown>();
  readonly declarations: string[] = [];

  /** @param names Names of objects, by their fields; other objects are named after the field that has them as value. */
  constructor(names: ReadonlyMap<unknown, string>) {
    this.#names = names;
  }

  /** The name of the interface of an object; declares it if necessary. */
  ofObject({ fields, description }: ObjectSchema<Fields>, path = '', summary = description): string {
    const name = this.#names.get(fields) ?? path;
    if (!this.#isNew(name, fields)) return name;
    const members = Object.entries(fields).map(([field, schema]) =>
      member(field, descriptionOf(schema), this.#typeOf(schema, name + pascal(field)), deprecationOf(schema)),
    );
    this.#declare(name, summary, members);
    return name;
  }

  /** The name of an interface that extends another by one field. */
  extended(name: string, base: string, field: string, schema: Schema): string {
    const members = [member(field, descriptionOf(schema), this.#typeOf(schema, name + pascal(field)))];
    this.#declare(`${name} extends ${base}`, '', members);
    return name;
  }

  /** The name of the interface of the parameters. */
  ofParams(name: string, params: Params): string {
    const members = Object.entries(params).map(([param, each]) => {
      const optional = each.required ? ['', ''] : ['?', ' | undefined'];
      return member(param + optional[0], each.description, typeOfParam(each) + optional[1]);
    });
    // An interface without members would take any object.
    this.#declare(name, '', members.length > 0 ? members : ['  readonly [name: string]: never;']);
    return name;
  }

  /** An interface that maps names to the other interfaces. */
  map(name: string, summary: string, entries: readonly (readonly [string, string])[]): void {
    const members = entries.map(([key, type]) => `  ${/\W/.test(key) ? `'${key}'` : key}: ${type};`);
    this.#declare(name, summary, members);
  }

  #isNew(name: string, fields: unknown): boolean {
    const known = this.#declared.get(name);
    if (known !== undefined && known !== fields) throw new Error(`Two objects would be called ${name}.`);
    this.#declared.set(name, fields);
    return known === undefined;
  }

  #declare(head: string, summary: string, members: readonly string[]): void {
    const doc = summary === '' ? '' : `${comment([summary], '')}\n`;
    this.declarations.push(`${doc}export interface ${head} {\n${members.join('\n')}\n}\n`);
  }

  #typeOf(schema: Schema, path: string): string {
    switch (schema.kind) {
      case 'nullable':
        return `${this.#typeOf(schema.of, path)} | null`;
      case 'list': {
        const items = this.#typeOf(schema.items, path);
        return items.includes('|') ? `(${items})[]` : `${items}[]`;
      }
      case 'pair': {
        const items = this.#typeOf(schema.items, path);
        return `[${items}, ${items}]`;
      }
      case 'object':
        return this.ofObject(schema, path);
      case 'choice':
        if (schema.values === engineIds) return ENGINE;
        return literals(schema.values) + (schema.open ? ' | (string & {})' : '');
      case 'integer':
        return 'number';
      default:
        return schema.kind;
    }
  }
}

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, first: string) => first.toUpperCase());

const literals = (values: readonly (string | number)[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(' | ');

/** What a caller may write for a parameter. */
function typeOfParam(param: Param): string {
  switch (param.kind) {
    case 'engines':
      return `${ENGINE} | readonly (${ENGINE})[]`;
    case 'choice':
      return literals(param.values);
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'string';
  }
}

/** The description, and the scale if the description does not contain it. */
function descriptionOf(schema: Schema): string {
  const { description } = schema;
  const { minimum, maximum } = (schema.kind === 'nullable' ? schema.of : schema) as {
    minimum?: number;
    maximum?: number;
  };
  const scale = `${minimum} to ${maximum}`;
  if (minimum === undefined || maximum === undefined || description.includes(scale)) return description;
  return `${description}. Scale: ${scale}.`;
}

/** The field that replaces a frozen field. */
const deprecationOf = (schema: Schema & { deprecated?: string }): string | undefined => schema.deprecated;

function member(name: string, description: string, type: string, use?: string): string {
  const lines = [description, ...(use ? [`@deprecated Use ${use}.`] : [])].filter((line) => line !== '');
  const doc = lines.length > 0 ? `${comment(lines, '  ')}\n` : '';
  const line = `  ${name}: ${type};`;
  const broken = `  ${name}:\n    | ${type.replaceAll(' | ', '\n    | ')};`;
  return doc + (line.length > MOST_COLUMNS ? broken : line);
}

function comment(lines: readonly string[], indent: string): string {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  if (safe.length === 1) return `${indent}/** ${safe[0]} */`;
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
}
