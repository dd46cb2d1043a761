/** Definitions as data: what GET /docs/metrics.json and `svc explain --json` have. */
import { API_ROOT } from '../paths.js';
import type { Read } from '../read.js';
import { type HistoryMetric, historyMetricNames } from '../reads/history.js';
import { reads } from '../registry.js';
import { METRICS_VERSION } from '../versions.js';
import { type Definition, UNROUNDED } from './definition.js';
import { nameOf, type ReadField, readFields } from './fields.js';
import { definitionGroups } from './index.js';
import { type Explanation, fieldsOfDefinition } from './lookup.js';

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

/** A definition with everything that follows from the contract. Of a field without a definition only `what` is known. */
export interface Described extends Record<keyof Omit<Definition, 'name' | 'what' | 'fields'>, string | null> {
  readonly name: string;
  /** The id of its group; null: a field without a definition. */
  readonly group: string | null;
  readonly what: string;
  readonly metrics_version: number | null;
  readonly fields: readonly DescribedField[];
}

/** The parts of a definition with their labels, in the order in which people read them; those that it has. */
export const labelled = (definition: Described): (readonly [label: string, text: string])[] =>
  (
    [
      ['formula', definition.formula],
      ['unit', definition.unit],
      ['scale', definition.scale],
      ['rounded to', definition.rounding],
      ['denominator', definition.denominator],
      ['nothing measured', definition.empty],
      ['95 % interval', definition.interval],
    ] as const
  ).flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]));

/** All definitions, by group. */
export const describedGroups = () =>
  definitionGroups.map(({ id, title, definitions }) => ({
    id,
    title,
    definitions: definitions.map((definition) =>
      described({ definition, fields: fieldsOfDefinition(definition) }),
    ),
  }));

/** The document of GET /docs/metrics.json. */
export const definitionsDocument = () => ({
  metrics_version: METRICS_VERSION,
  definitions: describedGroups().flatMap(({ definitions }) => definitions),
});

/** The definition with its fields and everything that the contract states about them. */
export function described({ definition, fields }: Explanation): Described {
  const places = fields.map(placeOf);
  if (!definition) {
    const [field] = fields;
    const unknown = { formula: null, unit: null, scale: null, rounding: null, denominator: null };
    return {
      name: nameOf(field!),
      group: null,
      what: field!.schema.description,
      ...unknown,
      ...{ empty: null, interval: null, metrics_version: null, fields: places },
    };
  }
  const { name, what, formula, unit, rounding, denominator, empty, interval } = definition;
  return {
    ...{ name, group: groupOf(definition), what, formula, unit, scale: scaleOf(definition), rounding },
    ...{ denominator, empty, interval, metrics_version: METRICS_VERSION },
    fields:
      fields.length === fieldsOfDefinition(definition).length ? [...places, ...inHistory(name)] : places,
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

const groupOf = (definition: Definition): string =>
  definitionGroups.find(({ definitions }) => definitions.includes(definition))!.id;

function placeOf({ read, path, schema }: ReadField): DescribedField {
  const { path: resource, tool }: Read = reads[read];
  return {
    ...{ read, path: resource === undefined ? null : `${API_ROOT}/${resource}`, tool },
    ...{ field: path, description: schema.description },
  };
}

/** The least and the largest value, from the contract where the definition does not state them. */
export function scaleOf(definition: Definition): string {
  if (definition.scale !== undefined) return definition.scale;
  const scales = fieldsOfDefinition(definition).map(({ schema }) => {
    const { minimum, maximum } = schema as { readonly minimum?: number; readonly maximum?: number };
    if (minimum === undefined) return UNROUNDED;
    return maximum === undefined ? `${minimum} and up` : `${minimum} to ${maximum}`;
  });
  return [...new Set(scales)].join(', ');
}
