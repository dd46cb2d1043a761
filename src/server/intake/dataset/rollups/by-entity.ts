/**
 * What slices are summed from: rows of a prompt or a region on a day, with lists of the entities, and the coarser roll-ups
 * that are summed from these rows. A coarser one follows the one that it is computed from.
 */
import { type StoredLists, setLists, summedLists } from './lists.js';
import { ON_DAYS, type Rollup } from './working-tables.js';

/** What is summed of an entity: columns of `run_entities`, and of the lists. */
const ENTITY_SUMS = {
  present_runs: 'integer',
  position_sums: 'bigint',
  weight_sums: 'bigint',
  positives: 'integer',
  neutrals: 'integer',
  negatives: 'integer',
  entity_citations: 'integer',
} as const;
const ENTITY_LISTS = Object.keys(ENTITY_SUMS);

/** The surfaces that runs state, under another name because some rows have theirs. */
const SURFACE_SUMS = { surface_runs: 'integer' } as const;
const PROMPT_SUMS = { prompt_runs: 'integer' } as const;

/** Queries of what the rows of a roll-up are summed from. */
interface Parts {
  /** `run_count` and `citations` of each row. */
  readonly totals: string;
  readonly entities: string;
  readonly surfaces: string;
  readonly prompts: string;
}

/** The parts of a roll-up of runs. @param which The condition of the runs that count. */
const partsOfRuns = (of: string, which: string): Parts => ({
  totals: `select ${of}, count(*) as run_count, sum(cardinality(c_url)) as citations
      from rebuilt_runs where ${which} group by ${of}`,
  entities: `select ${of}, entity, ${ENTITY_LISTS.join(', ')} from run_entities where ${which}`,
  surfaces: `select ${of}, surface as stated, 1 as surface_runs from rebuilt_runs where ${which} and surface <> ''`,
  prompts: `select ${of}, prompt_key, 1 as prompt_runs from rebuilt_runs where ${which}`,
});

/** The parts of a roll-up of the rows of a finer one. @param rows A sub-query. */
const partsOfRows = (of: string, rows: string): Parts => {
  const unnested = (columns: readonly (readonly [list: string, column: string])[]): string =>
    `select ${of}, ${columns.map(([list, column]) => `unnest(${list}) as ${column}`).join(', ')} from ${rows} d`;
  return {
    totals: `select ${of}, sum(run_count) as run_count, sum(citations) as citations from ${rows} d group by ${of}`,
    entities: unnested([['entities', 'entity'], ...ENTITY_LISTS.map((list) => [list, list] as const)]),
    surfaces: unnested([
      ['surfaces', 'stated'],
      ['surface_runs', 'surface_runs'],
    ]),
    prompts: unnested([
      ['prompt_keys', 'prompt_key'],
      ['prompt_runs', 'prompt_runs'],
    ]),
  };
};

interface OfEntities {
  /** The key of a row besides `brand_key`. */
  readonly of: string;
  readonly parts: Parts;
  /** What the parts are added to; if omitted, they are of complete rows. */
  readonly stored?: StoredLists;
  /** Whether a row lists its prompts. */
  readonly hasPrompts: boolean;
}

function ofEntities({ of, parts, stored, hasPrompts }: OfEntities): Rollup {
  const entities = { key: 'entity', keys: 'entities', sums: ENTITY_SUMS, rows: parts.entities };
  const surfaces = { key: 'stated', keys: 'surfaces', sums: SURFACE_SUMS, rows: parts.surfaces };
  const prompts = { key: 'prompt_key', keys: 'prompt_keys', sums: PROMPT_SUMS, rows: parts.prompts };
  const listed = [surfaces, entities, ...(hasPrompts ? [prompts] : [])];
  const names = listed.flatMap(({ keys, sums }) => [keys, ...Object.keys(sums)]);
  const select = (added?: StoredLists): string => {
    const joined = listed.map(
      (each, at) => `left join (${summedLists({ of, ...each }, added)}) l${at} using (${of})`,
    );
    return `
    select :brandKey, ${of}, run_count, citations, ${names.map((name) => `coalesce(${name}, '{}')`).join(', ')}
    from (${parts.totals}) t ${joined.join(' ')}`;
  };
  return {
    key: of,
    adds: stored ? ['run_count', 'citations'] : [],
    sets: setLists(...(stored ? [] : ['run_count', 'citations']), ...names),
    select: select(),
    selectSum: select(stored),
  };
}

/** The rows of a roll-up that are complete by now and have the days, and the other keys, of changed runs, as a sub-query. */
const complete = (table: string, of: string, which = 'true'): string => `(
      select d.* from ${table} d
      join (select distinct ${of} from rebuilt_runs where ${which}) c using (${of})
      where brand_key = :brandKey and ${ON_DAYS}
    )`;

/** The brand's element of a list. */
const ofBrand = (list: string): string => `coalesce(${list}[array_position(entities, 0)], 0)`;

export const BY_ENTITY: Readonly<Record<string, Rollup>> = {
  /** Presence, positions, tones and citations of the brand and its competitors, of each prompt on the blended engines. */
  day_prompt_entities: ofEntities({
    of: 'day, prompt_key',
    parts: partsOfRuns('day, prompt_key', 'blended'),
    stored: { table: 'day_prompt_entities', changed: 'rebuilt_runs where blended' },
    hasPrompts: false,
  }),

  /** The brand. */
  day_prompt: {
    key: 'day, prompt_key',
    adds: [],
    sets: setLists('run_count', 'present_runs', 'position_sum', 'weight_sum', 'own_citations'),
    select: `
    select :brandKey, day, prompt_key, run_count, ${ofBrand('present_runs')}, ${ofBrand('position_sums')},
      ${ofBrand('weight_sums')}, ${ofBrand('entity_citations')}
    from ${complete('day_prompt_entities', 'day, prompt_key', 'blended')} d`,
  },

  /** Entities by region and surface of each engine, blended or not, with the prompts. Runs without a surface have ''. */
  day_engine_region_entities: ofEntities({
    of: 'day, engine, region, surface',
    parts: partsOfRuns('day, engine, region, surface', 'true'),
    stored: { table: 'day_engine_region_entities', changed: 'rebuilt_runs' },
    hasPrompts: true,
  }),

  /** Entities by region, of the blended engines and all surfaces together. */
  day_region_entities: ofEntities({
    of: 'day, region',
    parts: partsOfRows(
      'day, region',
      `(select * from ${complete('day_engine_region_entities', 'day, region', 'blended')} e where engine = any(:blended))`,
    ),
    hasPrompts: true,
  }),

  /** All regions together: what a list of many brands reads. */
  day_brand: {
    key: 'day',
    adds: [],
    sets: setLists(
      ...['run_count', 'presences', 'present_runs', 'weight_sum', 'surfaces', 'surface_runs'],
      ...['entities', 'entity_runs', 'panel_hash'],
    ),
    select: `
    select :brandKey, day, run_count, coalesce(presences, 0), coalesce(present_runs, 0), coalesce(weight_sum, 0),
      coalesce(surfaces, '{}'), coalesce(surface_runs, '{}'), coalesce(entities, '{}'), coalesce(entity_runs, '{}'), panel_hash
    from (select day, sum(run_count) as run_count from ${complete('day_region_entities', 'day', 'blended')} r group by day) t
    join (
      select day, md5(string_agg(cast(prompt_key as text), ',' order by prompt_key)) as panel_hash
      from (
        select distinct day, unnest(prompt_keys) as prompt_key from ${complete('day_region_entities', 'day', 'blended')} r
      ) asked
      group by day
    ) p using (day)
    left join (
      select day, array_agg(entity) as entities, array_agg(present) as entity_runs, sum(present) as presences,
        sum(present) filter (where entity = 0) as present_runs, sum(weights) filter (where entity = 0) as weight_sum
      from (
        select day, entity, cast(sum(present) as integer) as present, sum(weights) as weights
        from (
          select day, unnest(entities) as entity, unnest(present_runs) as present, unnest(weight_sums) as weights
          from ${complete('day_region_entities', 'day', 'blended')} r offset 0
        ) each
        group by day, entity
      ) summed
      group by day
    ) e using (day)
    left join (
      select day, array_agg(surface) as surfaces, array_agg(runs) as surface_runs
      from (
        select day, surface, cast(sum(runs) as integer) as runs
        from (
          select day, unnest(surfaces) as surface, unnest(surface_runs) as runs
          from ${complete('day_region_entities', 'day', 'blended')} r offset 0
        ) each
        group by day, surface
      ) summed
      group by day
    ) s using (day)`,
  },

  /** Entities by engine, of all regions together. */
  day_entity: {
    key: 'day, engine, entity',
    adds: [],
    sets: setLists(
      'present_runs',
      'position_sum',
      'weight_sum',
      'positive',
      'neutral',
      'negative',
      'citations',
    ),
    select: `
    select :brandKey, day, engine, entity, ${ENTITY_LISTS.map((name) => `sum(${name})`).join(', ')}
    from (
      select day, engine, unnest(entities) as entity, ${ENTITY_LISTS.map((name) => `unnest(${name}) as ${name}`).join(', ')}
      from ${complete('day_engine_region_entities', 'day, engine')} d offset 0
    ) e
    group by day, engine, entity`,
  },
};
