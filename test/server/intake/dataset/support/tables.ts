/** All that a database holds, in words: keys that an import assigns are replaced by what they stand for. */
import { expect } from 'chai';
import type { Knex } from 'knex';

type Row = Record<string, unknown>;
export type Tables = Record<string, string[]>;

/** Tables that hold no data of a dataset. What was told keeps its id, which depends on when data came. */
const APART = [
  'moves',
  'events',
  'deliveries',
  'secrets',
  'api_keys',
  'rate_buckets',
  'import_locks',
  'sign_in_links',
  'ended_sessions',
  'shares',
  'oauth_grants',
  'oauth_records',
  'people',
];
/** Columns with the time or the number of writes. */
const BOOKKEEPING = ['data_version', 'received_at'];

/** Dictionaries: which column of theirs names an entry, and which columns elsewhere hold its key. */
const DICTIONARIES = [
  { table: 'prompts', key: 'prompt_key', text: 'id', arrays: ['prompt_keys'] },
  { table: 'mention_names', key: 'name_key', text: 'name', arrays: ['m_name'] },
  { table: 'cited_domains', key: 'domain_key', text: 'domain', arrays: ['domain_keys'] },
  { table: 'cited_urls', key: 'url_key', text: 'url', arrays: ['c_url', 'url_keys'] },
  { table: 'page_titles', key: 'title_key', text: 'title', arrays: ['c_title'] },
  { table: 'fanout_queries', key: 'query_key', text: 'query', arrays: ['f_query'] },
] as const;

/** Roll-ups are the tables by day, imported statistics aside. */
export const rollupsOf = (tables: Tables): Tables =>
  Object.fromEntries(Object.entries(tables).filter(([table]) => table.startsWith('day_')));

/** Fails on the first table that differs. */
export function expectSame(found: Tables, wanted: Tables): void {
  expect(Object.keys(found)).to.deep.equal(Object.keys(wanted));
  for (const [table, rows] of Object.entries(wanted)) {
    // A deep comparison of thousands of equal rows takes seconds.
    if (rows.join('\n') !== found[table]!.join('\n')) expect(found[table], table).to.deep.equal(rows);
  }
}

export async function tablesOf(db: Knex): Promise<Tables> {
  const { rows } = await db.raw(
    "select tablename from pg_tables where schemaname = 'public' and tablename not like 'knex_%' order by 1",
  );
  const names = rows
    .map((row: { tablename: string }) => row.tablename)
    .filter((t: string) => !APART.includes(t));
  const words = await wordsOf(db);
  const tables: Tables = {};
  for (const name of names) {
    const found = (await db.raw(`select * from ${name}`)).rows as Row[];
    tables[name] = found.map((row) => JSON.stringify(sortedCounts(inWords(row, words)))).sort();
  }
  return tables;
}

type Words = Map<string, string>;

async function wordsOf(db: Knex): Promise<Words> {
  const words: Words = new Map();
  const read = async (column: string, sql: string) => {
    for (const { b, key, text } of (await db.raw(sql)).rows) words.set(`${column} ${b} ${key}`, text);
  };
  await read('brand_key', 'select brand_key as b, brand_key as key, id as text from brands');
  await read('entity', 'select brand_key as b, 0 as key, id as text from brands');
  await read('entity', 'select brand_key as b, entity as key, id as text from competitors');
  for (const { table, key, text } of DICTIONARIES) {
    await read(key, `select brand_key as b, ${key} as key, ${text} as text from ${table}`);
  }
  // The hash of a panel is that of prompt keys, so it is replaced by their prompts.
  for (const asked of [
    'select brand_key, day, engine, unnest(prompt_keys) as prompt_key from day_engine_prompts',
    "select distinct brand_key, day, '' as engine, unnest(prompt_keys) as prompt_key from day_region_entities",
  ])
    await read(
      'panel_hash',
      `select d.brand_key as b, md5(string_agg(cast(d.prompt_key as text), ',' order by d.prompt_key)) as key,
         string_agg(p.id, ',' order by p.id) as text
       from (${asked}) d
       join prompts p on p.brand_key = d.brand_key and p.prompt_key = d.prompt_key
       group by d.brand_key, d.day, d.engine`,
    );
  return words;
}

/** Columns of the numbers of entities. */
const ENTITIES: readonly string[] = ['entities', 'leaders', 'rivals'];

/** Columns of keys, which are in any order, and those of their counts in the same row. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  domain_keys: ['citations', 'present_citations', 'domain_answers'],
  url_keys: ['citations'],
  prompt_keys: [
    'run_counts',
    'prompt_runs',
    'brand_runs',
    'brand_positions',
    'brand_weights',
    ...['citations', 'presences', 'brand_positives', 'brand_neutrals', 'brand_negatives', 'brand_citations'],
    'unshown_runs',
  ],
  surfaces: ['surface_runs'],
  entities: [
    'entity_runs',
    'present_runs',
    'position_sums',
    'weight_sums',
    'positives',
    'neutrals',
    'negatives',
    'entity_citations',
  ],
  leaders: ['leader_answers'],
  rivals: ['rival_answers'],
};

/** The row with each key next to its counts. */
function sortedCounts(row: Row): Row {
  const sorted = { ...row };
  for (const [keys, names] of Object.entries(COUNTED)) {
    if (!Array.isArray(row[keys])) continue;
    const counts = names.filter((name) => Array.isArray(row[name]));
    const each = (row[keys] as string[]).map((key, at) => [
      key,
      ...counts.map((name) => (row[name] as number[])[at]),
    ]);
    sorted[keys] = each.sort(([a], [b]) => (a! < b! ? -1 : 1));
    for (const name of counts) sorted[name] = undefined;
  }
  return sorted;
}

function inWords(row: Row, words: Words): Row {
  const brand = row.brand_key;
  const word = (column: string, key: unknown) =>
    key === null ? null : (words.get(`${column} ${brand} ${key}`) ?? `no ${column} ${key}`);
  const entries = Object.entries(row).flatMap(([column, value]): [string, unknown][] => {
    if (BOOKKEEPING.includes(column)) return [];
    const list = DICTIONARIES.find(({ arrays }) => (arrays as readonly string[]).includes(column));
    const listed = ENTITIES.includes(column) ? 'entity' : list?.key;
    if (listed) return [[column, (value as unknown[] | null)?.map((key) => word(listed, key)) ?? null]];
    const single = [
      'brand_key',
      'entity',
      'panel_hash',
      ...DICTIONARIES.map(({ key }) => key as string),
    ].includes(column);
    return [[column, single ? word(column, value) : value]];
  });
  return Object.fromEntries(entries);
}
