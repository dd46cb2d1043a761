import { engineIds } from '../../src/contract/engines.js';
import type { Param, Params } from '../../src/contract/params.js';
import type { ObjectSchema, Schema } from '../../src/contract/schema.js';
import { broken, comment, deprecationOf, descriptionOf, literals, member, pascal } from './declarations.js';

export type Fields = { readonly [name: string]: Schema };

/** Later versions may add values. */
const OPEN = ' | (string & {})';

/** The names of types by what they are made of: the fields of an object, or a list of values. */
export type Names = ReadonlyMap<unknown, string>;

/** Declarations of interfaces, one per object of the contract, each after the interfaces that it uses. */
export class Interfaces {
  readonly #names: Names;
  readonly #declared = new Map<string, unknown>();
  readonly declarations: string[] = [];

  /** @param names Objects without a name are named after the field that has them as value, values become literals. */
  constructor(names: Names) {
    this.#names = names;
  }

  /** The name of the interface of an object; declares it if necessary. */
  ofObject(object: ObjectSchema<Fields>, path = '', summary = descriptionOf(object as Schema)): string {
    const { fields } = object;
    const name = this.#names.get(fields) ?? path;
    if (!this.#isNew(name, fields)) return name;
    const members = Object.entries(fields).map(([field, schema]) =>
      member(field, descriptionOf(schema), this.#typeOf(schema, name + pascal(field)), deprecationOf(schema)),
    );
    const others = object.open ? ['  [value: string]: string | number | readonly string[];'] : [];
    this.#declare(name, summary, [...members, ...others]);
    return name;
  }

  /** The name of an interface that extends another by one field. */
  extended(name: string, base: string, summary: string, field: string, schema: Schema): string {
    const members = [member(field, descriptionOf(schema), this.#typeOf(schema, name + pascal(field)))];
    this.#declare(`${name} extends ${base}`, summary, members);
    return name;
  }

  /** The name of the interface of the parameters. */
  ofParams(name: string, params: Params, summary: string): string {
    const members = Object.entries(params).map(([param, each]) => {
      const optional = each.required ? ['', ''] : ['?', ' | undefined'];
      return member(param + optional[0], each.description, this.#typeOfParam(each) + optional[1]);
    });
    // An interface without members would take any object.
    this.#declare(name, summary, members.length > 0 ? members : ['  readonly [name: string]: never;']);
    return name;
  }

  /** An interface that maps names to the other interfaces, each with what it is. */
  map(name: string, summary: string, entries: readonly (readonly [string, string, string])[]): void {
    const members = entries.map(([key, type, is]) => member(/\W/.test(key) ? `'${key}'` : key, is, type));
    this.#declare(name, summary, members);
  }

  /** A type of some values, by which they are called in the interfaces. */
  union(values: readonly string[], summary: string): void {
    const head = `${comment([summary], '')}\nexport type ${this.#names.get(values)}`;
    this.declarations.push(`${broken(head, ' =', literals(values), '')}\n`);
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
      case 'variant':
        return Object.entries(schema.of)
          .map(([kind, each]) => this.#typeOf(each, path + pascal(kind)))
          .join(' | ');
      case 'object':
        return this.ofObject(schema, path);
      case 'choice':
        return this.#valuesOf(schema.values) + (schema.open ? OPEN : '');
      case 'integer':
        return 'number';
      default:
        return schema.kind;
    }
  }

  /** What a caller may write for a parameter. */
  #typeOfParam(param: Param): string {
    switch (param.kind) {
      case 'engines': {
        const engine = this.#valuesOf(engineIds) + OPEN;
        return `${engine} | readonly (${engine})[]`;
      }
      case 'values':
        return 'string | readonly string[]';
      case 'choice':
        return this.#valuesOf(param.values);
      case 'integer':
        return 'number';
      case 'boolean':
        return 'boolean';
      default:
        return 'string';
    }
  }

  #valuesOf(values: readonly (string | number)[]): string {
    return this.#names.get(values) ?? literals(values);
  }
}
