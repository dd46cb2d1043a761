/** Which definition a field has, and which fields a name means. */
import type { Definition } from './definition.js';
import { dotted, type ReadField, readFields } from './fields.js';
import { definitions } from './index.js';

const endsWith = (path: string, end: string): boolean => path === end || path.endsWith(`.${end}`);

/** How much of a path an end fixes, to compare ends by; 0: it is not its end. READ.FIELD is the field anywhere in the read. */
function fixed(field: ReadField, end: string): number {
  const path = dotted(field);
  const names = end.split('.').length;
  if (endsWith(path, end)) return names;
  return end.startsWith(`${field.read}.`) && endsWith(path, end.slice(field.read.length + 1)) ? names : 0;
}

/** The definition that fits a field best; undefined: none fits. */
export function bestFit(field: ReadField, among: readonly Definition[]): Definition | undefined {
  const ranked = among.map((definition) => {
    const ends = definition.fields ?? [definition.name];
    return { definition, rank: Math.max(...ends.map((end) => fixed(field, end))) };
  });
  const best = ranked.reduce((a, b) => (b.rank > a.rank ? b : a));
  return best.rank > 0 ? best.definition : undefined;
}

let byField: ReadonlyMap<ReadField, Definition> | undefined;

/** The definitions of all fields that have one, in the order of the contract. */
function fits(): ReadonlyMap<ReadField, Definition> {
  byField ??= new Map(
    readFields().flatMap((field) => {
      const definition = bestFit(field, definitions);
      return definition ? [[field, definition]] : [];
    }),
  );
  return byField;
}

/** The definition of a field of `readFields`; undefined: it has none. */
export const definitionOf = (field: ReadField): Definition | undefined => fits().get(field);

/** The fields that a definition is about, in the order of the contract. */
export const fieldsOfDefinition = (definition: Definition): ReadField[] =>
  [...fits()].flatMap(([field, its]) => (its === definition ? [field] : []));

/** A definition, and the fields that it is asked about; without one, the contract describes the fields. */
export interface Explanation {
  readonly definition: Definition | undefined;
  readonly fields: readonly ReadField[];
}

/**
 * What a name means. It is that of a definition (`visibility`); of a field anywhere (`sample_size`); the end of its path,
 * the read before it or not (`trend.delta`, `overview.visibility`); or a read or an object, which means all fields in it.
 */
export function explanationsOf(name: string): Explanation[] {
  const wanted = folded(name);
  if (wanted.includes('.')) return byDefinition(fieldsNamed(wanted));
  const own = definitions.filter((definition) => endsWith(definition.name, wanted));
  const inRead = readFields().filter(({ read }) => read === wanted);
  if (own.length === 0 && inRead.length === 0) return byDefinition(fieldsNamed(wanted));
  return [
    ...own.map((definition) => ({ definition, fields: fieldsOfDefinition(definition) })),
    ...byDefinition(inRead).filter(({ definition }) => !definition || !own.includes(definition)),
  ];
}

const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll('[]', '')
    .replaceAll('/', '.')
    .replace(/^metrics\./, '');

function fieldsNamed(wanted: string): ReadField[] {
  const all = readFields();
  const ending = all.filter((field) => fixed(field, wanted) > 0);
  if (ending.length > 0) {
    // `overview.visibility` is the field itself, and not its interval, which is deeper.
    const depth = (field: ReadField) => dotted(field).split('.').length;
    const least = Math.min(...ending.map(depth));
    return wanted.includes('.') ? ending.filter((field) => depth(field) === least) : ending;
  }
  return all.filter((field) => `.${dotted(field)}.`.includes(`.${wanted}.`));
}

function byDefinition(fields: readonly ReadField[]): Explanation[] {
  const found = new Map<Definition | string, { definition: Definition | undefined; fields: ReadField[] }>();
  for (const field of fields) {
    const definition = definitionOf(field);
    const key = definition ?? dotted(field);
    const known = found.get(key) ?? { definition, fields: [] };
    found.set(key, { definition, fields: [...known.fields, field] });
  }
  return [...found.values()];
}
