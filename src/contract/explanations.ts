/** The definitions of all fields, by name: what docs/metrics.md, /docs/metrics, /docs/metrics.json and `svc explain` show. */
import { type Definition, definitionGroups, type GroupId, NONE } from './definition.js';
import { ownHead } from './glossary.js';
import { API_ROOT } from './paths.js';
import type { Read } from './read.js';
import { type HistoryMetric, historyMetricNames } from './reads/history.js';
import { type ReadName, readNames, reads } from './registry.js';
import type { Schema } from './schema.js';
import { METRICS_VERSION } from './versions.js';

export interface ReadField {
  readonly read: ReadName;
  /** Its names in the body, as in `series[].points[].value`. */
  readonly path: string;
  /** Its schema; that of the elements for a list and a pair of numbers. */
  readonly schema: Schema;
  /** Whether null is one of its values. */
  readonly isNullable: boolean;
  /** The heads that it and the objects and lists around it have in tables, without words of the glossary and names. */
  readonly heads: readonly string[];
}

const readOf = (name: ReadName): Read => reads[name];

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

/** Every field of every read, except objects. Each call returns the same list. */
export const readFields = once((): readonly ReadField[] =>
  readNames.flatMap((read) =>
    fieldsIn({ read, path: '', isNullable: false, heads: [] }, readOf(read).response),
  ),
);

function fieldsIn(at: Omit<ReadField, 'schema'>, schema: Schema): ReadField[] {
  const { path } = at;
  const own = ownHead(schema);
  const inside = own === undefined || at.heads.includes(own) ? at : { ...at, heads: [...at.heads, own] };
  switch (schema.kind) {
    case 'nullable':
      return fieldsIn({ ...inside, isNullable: true }, schema.of);
    case 'list':
      return fieldsIn({ ...inside, path: `${path}[]` }, schema.items);
    case 'pair':
      return [{ ...inside, schema: { ...schema.items, description: schema.description } }];
    case 'variant':
      return Object.values(schema.of).flatMap((each) => fieldsIn({ ...inside, isNullable: false }, each));
    case 'object':
      return Object.entries(schema.fields).flatMap(([name, field]) =>
        fieldsIn({ ...inside, path: path === '' ? name : `${path}.${name}`, isNullable: false }, field),
      );
    default:
      return [{ ...inside, path: path.replace(/\[\]$/, ''), schema }];
  }
}

/** The names in a path, with the read first: `history.series.points.value`. */
export const dotted = ({ read, path }: Pick<ReadField, 'read' | 'path'>): string =>
  `${read}.${path.replaceAll('[]', '')}`;

/** The last name of a path. */
const nameOf = ({ path }: Pick<ReadField, 'path'>): string => path.split('.').at(-1)!;

/** The names by which a field is asked for: its own, with the read before it, and those of the reads. */
export const askedNames = (): string[] => [
  ...new Set(readFields().flatMap((field) => [nameOf(field), field.read, `${field.read}.${nameOf(field)}`])),
];

/** A definition with its name and its fields, in the order of the contract. */
export interface NamedDefinition extends Definition {
  readonly name: string;
  readonly group: GroupId;
  readonly fields: readonly ReadField[];
}

/** All definitions, by group. */
const groups = once(() => {
  const found = new Map<Definition, ReadField[]>();
  for (const field of readFields()) {
    const definition = 'definition' in field.schema ? field.schema.definition : undefined;
    if (definition) found.set(definition, [...(found.get(definition) ?? []), field]);
  }
  const all = [...found].map(([definition, fields]): NamedDefinition => {
    const first = fields[0]!;
    const { name = nameOf(first), group = readOf(first.read).group! } = definition;
    return { ...definition, name, group, fields };
  });
  return definitionGroups.map((group) => {
    const first: readonly string[] = 'first' in group ? group.first : [];
    const place = ({ name }: NamedDefinition) => (first.includes(name) ? first.indexOf(name) : first.length);
    const inGroup = all.filter((definition) => definition.group === group.id);
    return { ...group, definitions: inGroup.sort((a, b) => place(a) - place(b)) };
  });
});

/** All definitions, in the order of documents. */
export const definitions = once(() => groups().flatMap((group) => group.definitions));

export const definitionNamed = (name: string): NamedDefinition =>
  definitions().find((definition) => definition.name === name)!;

const byField = once(
  () => new Map(definitions().flatMap((each) => each.fields.map((field) => [field, each] as const))),
);

/** @returns Undefined if the field has no definition. */
export const definitionOf = (field: ReadField): NamedDefinition | undefined => byField().get(field);

/** Fields that a name means, with their definition; without one, the contract describes the field. */
export interface Explanation {
  readonly definition: NamedDefinition | undefined;
  readonly fields: readonly ReadField[];
}

/**
 * What a name means. It is that of a definition (`visibility`); of a field anywhere (`sample_size`); the end of its path,
 * the read before it or not (`trend.delta`, `overview.visibility`); or a read or an object, which means all fields in it.
 */
export function explanationsOf(name: string): Explanation[] {
  const wanted = folded(name);
  if (wanted.includes('.')) return byDefinition(fieldsNamed(wanted));
  const own = definitions().filter((definition) => endsWith(definition.name, wanted));
  const inRead = readFields().filter(({ read }) => read === wanted);
  if (own.length === 0 && inRead.length === 0) return byDefinition(fieldsNamed(wanted));
  return [
    ...own.map((definition) => ({ definition, fields: definition.fields })),
    ...byDefinition(inRead).filter(({ definition }) => !definition || !own.includes(definition)),
  ];
}

/** The explanations of a name of fields, even if a read has the name too. */
export const explanationsOfField = (name: string): Explanation[] => byDefinition(fieldsNamed(name));

/** What the head of a column means that is neither the name of its field nor a word of the glossary. */
export const explanationsOfHead = (head: string): Explanation[] =>
  byDefinition(
    readFields().filter(
      (field) =>
        nameOf(field) !== head &&
        field.heads.some((each) => each.toLowerCase().replace(/ \(.*/, '') === head),
    ),
  );

const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll('[]', '')
    .replaceAll('/', '.')
    .replace(/^metrics\./, '');

function fieldsNamed(wanted: string): ReadField[] {
  const all = readFields();
  const ending = all.filter((field) => isEnd(field, wanted));
  if (ending.length > 0) {
    // `overview.visibility` is the field itself, and not its interval, which is deeper.
    const depth = (field: ReadField) => dotted(field).split('.').length;
    const least = Math.min(...ending.map(depth));
    return wanted.includes('.') ? ending.filter((field) => depth(field) === least) : ending;
  }
  return all.filter((field) => `.${dotted(field)}.`.includes(`.${wanted}.`));
}

/** Whether a name is the end of the path of a field. READ.FIELD is the field anywhere in the read. */
function isEnd(field: ReadField, name: string): boolean {
  const path = dotted(field);
  const [read, ...rest] = name.split('.');
  return endsWith(path, name) || (read === field.read && rest.length > 0 && endsWith(path, rest.join('.')));
}

const endsWith = (path: string, end: string): boolean => path === end || path.endsWith(`.${end}`);

function byDefinition(fields: readonly ReadField[]): Explanation[] {
  const found = new Map<NamedDefinition | ReadField, ReadField[]>();
  for (const field of fields) {
    const key = definitionOf(field) ?? field;
    found.set(key, [...(found.get(key) ?? []), field]);
  }
  return [...found].map(([key, its]) => ({ definition: 'what' in key ? key : undefined, fields: its }));
}

export interface DescribedField {
  readonly read: string;
  /** The REST path; null: only the tool has the read. */
  readonly path: string | null;
  readonly tool: string;
  /** As in `series[].points[].value`. */
  readonly field: string;
  /** The description of the field in the contract. */
  readonly description: string;
}

/** The parts of a definition with their labels, in the order in which people read them. */
const parts = {
  formula: 'formula',
  unit: 'unit',
  scale: 'scale',
  rounding: 'rounded to',
  denominator: 'denominator',
  empty: 'nothing measured',
  interval: '95 % interval',
} as const;
type Part = keyof typeof parts;

/** A definition as GET /docs/metrics.json and `svc explain --json` have it. Of a field without one, only `what` is known. */
export interface Described extends Readonly<Record<Part, string | null>> {
  readonly name: string;
  /** The id of its group; null: a field without a definition. */
  readonly group: string | null;
  readonly what: string;
  readonly metrics_version: number | null;
  readonly fields: readonly DescribedField[];
}

/** The labels and texts of the parts that a definition has. */
export const labelled = (definition: Described): (readonly [label: string, text: string])[] =>
  Object.entries(parts).flatMap(([part, label]) => {
    const text = definition[part as Part];
    return text === null ? [] : [[label, text] as const];
  });

/** All definitions, by group. */
export const describedGroups = () =>
  groups().map(({ id, title, definitions }) => ({
    id,
    title,
    definitions: definitions.map((definition) => described({ definition, fields: definition.fields })),
  }));

/** The document of GET /docs/metrics.json. */
export const definitionsDocument = () => ({
  metrics_version: METRICS_VERSION,
  definitions: describedGroups().flatMap(({ definitions }) => definitions),
});

/** A definition with everything that the contract states about its fields. */
export function described({ definition, fields }: Explanation): Described {
  const places = fields.map(placeOf);
  if (!definition) {
    const { description: what } = places[0]!;
    const unknown = { formula: null, unit: null, scale: null, rounding: null, denominator: null };
    return {
      name: nameOf(fields[0]!),
      group: null,
      what,
      ...unknown,
      empty: null,
      interval: null,
      metrics_version: null,
      fields: places,
    };
  }
  const { name, group, what, formula, denominator = null, unit = NONE, empty, interval = null } = definition;
  const isWhole = fields.length === definition.fields.length;
  return {
    name,
    group,
    what,
    formula,
    unit,
    scale: scaleOf(definition),
    rounding: roundingOf(definition),
    denominator,
    empty,
    interval,
    metrics_version: METRICS_VERSION,
    fields: isWhole ? [...places, ...inHistory(name)] : places,
  };
}

/** The fields of the history that hold a metric if the request names it. */
const inHistory = (name: string): DescribedField[] =>
  historyMetricNames.includes(name as HistoryMetric)
    ? readFields()
        .filter((field) => field.read === 'history' && HOLDS_METRIC.test(field.path))
        .map(placeOf)
    : [];

const HOLDS_METRIC = /\.(?:value|window_value)$/;

function placeOf({ read, path, schema }: ReadField): DescribedField {
  const { path: resource, tool } = readOf(read);
  return {
    read,
    path: resource === undefined ? null : `${API_ROOT}/${resource}`,
    tool,
    field: path,
    description: schema.description,
  };
}

// What a definition does not state follows from the schemas of its fields.

const roundingOf = ({ rounding, fields }: NamedDefinition): string =>
  rounding ?? (fields.every(({ schema }) => schema.kind === 'integer') ? 'whole number' : NONE);

const scaleOf = ({ scale, fields }: NamedDefinition): string =>
  scale ?? [...new Set(fields.map(({ schema }) => scaleIn(schema)))].join(', ');

function scaleIn(schema: Schema): string {
  if (schema.kind === 'boolean') return 'true or false';
  if (schema.kind === 'choice') return schema.values.join(', ');
  if (!('minimum' in schema) || schema.minimum === undefined) return NONE;
  const { minimum, maximum } = schema;
  return maximum === undefined ? `${minimum} and up` : `${minimum} to ${maximum}`;
}
