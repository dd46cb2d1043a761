/** The rows of a read as CSV for people: names instead of ids, an interval in two columns, no JSON in cells. */
import { engineLabel } from '../../../contract/glossary.js';
import { type BodyOf, reads as definitions, type ReadName } from '../../../contract/registry.js';
import { csv, type Field, mainRowSchema, mainRows, valueAt, withoutNull } from '../../../contract/rows.js';
import type { Schema } from '../../../contract/schema.js';
import { loadedOr } from './parts/card.js';
import { regionName } from './parts/text.js';
import type { PageReads } from './reads.js';

/** A column with the names of what the cells of a field identify. */
interface Column extends Field {
  readonly textOf: (value: unknown) => unknown;
}

type NameOf = (id: string) => string;

interface Names {
  readonly prompt: NameOf;
  readonly topic: NameOf;
  readonly entity: NameOf;
}

const itself: NameOf = (id) => id;

/** What names the ids of a field, by its last word in the singular. Values of other fields are texts already. */
const namesOfFields = ({ prompt, topic, entity }: Names): { readonly [field: string]: NameOf } => ({
  engine: engineLabel,
  region: regionName,
  entity,
  prompt,
  prompt_id: prompt,
  topic,
  topic_id: topic,
  crawler: itself,
});

/** What a row of a list within a cell is called by: the first of these that it has. */
const CALLED = ['name', 'label', 'title', 'text', 'query', 'url', 'domain', 'engine', 'id'] as const;

/** An element of a list, in words. */
function worded(value: unknown, nameOf: NameOf): string {
  if (typeof value !== 'object' || value === null) return nameOf(String(value));
  const row = value as { readonly [field: string]: unknown };
  const called = CALLED.find((field) => typeof row[field] === 'string' && row[field] !== '');
  if (called !== undefined)
    return called === 'engine' ? engineLabel(String(row.engine)) : String(row[called]);
  return Object.values(row)
    .filter((each) => each !== null && typeof each !== 'object')
    .join(' ');
}

function columnsIn(schema: Schema, names: Names, path: readonly string[] = []): Column[] {
  const bare = withoutNull(schema);
  const name = path.join('.');
  // Facts are no columns: the sentences that state them are.
  if (bare.kind === 'object' && bare.open) return [];
  if (bare.kind === 'object') {
    const { fields } = bare;
    return Object.entries(fields)
      .filter(([field]) => !isNamedBeside(field, fields))
      .flatMap(([field, of]) => columnsIn(of, names, [...path, field]));
  }
  if (bare.kind === 'pair')
    return ['lower', 'upper'].map((bound, at) => ({
      name: `${name}.${bound}`,
      path: [...path, String(at)],
      schema: bare.items as Schema,
      textOf: (value) => value,
    }));
  const last = path.at(-1)!;
  const named = namesOfFields(names);
  if (bare.kind === 'list') {
    const { items } = bare;
    if (items.kind === 'object' && items.open) return [];
    const nameOf = named[last.replace(/s$/, '')] ?? itself;
    const textOf = (value: unknown) =>
      Array.isArray(value) ? value.map((each) => worded(each, nameOf)).join('; ') : value;
    return [{ name, path, schema, textOf }];
  }
  const nameOf = named[last];
  return [
    {
      name: last === 'prompt_id' ? [...path.slice(0, -1), 'prompt'].join('.') : name,
      path,
      schema,
      textOf: (value) => (nameOf && typeof value === 'string' ? nameOf(value) : value),
    },
  ];
}

/** Whether a field is an id whose name another field has: `id` next to `name`, `prompt_id` next to `prompt`. */
function isNamedBeside(field: string, fields: { readonly [field: string]: unknown }): boolean {
  if (field === 'id') return 'name' in fields || 'text' in fields;
  const [, noun] = /^(.+)_id$/.exec(field) ?? [];
  return (
    noun !== undefined &&
    (noun in fields || `${noun}_name` in fields || (noun === 'prompt' && 'text' in fields))
  );
}

/** Names of the brand's prompts, topics and tracked entities; of what is not active any more the id. */
async function namesOf(reads: PageReads): Promise<Names> {
  const [prompts, rivals] = await Promise.all([
    reads.loadIfPossible('prompts'),
    reads.loadIfPossible('competitors'),
  ]);
  const active = loadedOr(null, prompts)?.body.prompts ?? [];
  const tracked = loadedOr(null, rivals)?.body.competitors ?? [];
  const by = (pairs: readonly (readonly [string, string])[]): NameOf => {
    const map = new Map(pairs);
    return (id) => map.get(id) ?? id;
  };
  return {
    prompt: by(active.map(({ id, text }) => [id, text])),
    topic: by(active.map(({ topic_id, topic_name }) => [topic_id ?? '', topic_name ?? topic_id ?? ''])),
    entity: by(tracked.map(({ id, name }) => [id, name])),
  };
}

/** The main rows of a read, each column with its name. */
export async function spreadsheet<N extends ReadName>(
  reads: PageReads,
  name: N,
  body: BodyOf<N>,
): Promise<string> {
  const read = definitions[name];
  const names = reads.brand.hasRuns
    ? await namesOf(reads)
    : { prompt: itself, topic: itself, entity: itself };
  const columns = columnsIn(mainRowSchema(read, body), names);
  const rows = mainRows(read, body).map((row) =>
    columns.map((column) => column.textOf(valueAt(row, column))),
  );
  const fields = columns.map((column, at) => ({ ...column, path: [String(at)] }));
  return csv(fields, rows, true);
}
