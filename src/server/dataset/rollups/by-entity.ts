/**
 * What slices are summed from: rows of a prompt or a region on a day, with lists of the entities, and the coarser roll-ups
 * that are summed from these rows. A coarser one follows the one that it is computed from.
 */
import { setLists, summedLists } from './lists.js';
import type { Rollup } from './working-tables.js';

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

interface OfEntities {
  readonly table: string;
  /** The key of a row besides `brand_key`. */
  readonly of: string;
  /** The condition of the runs that count, as the rest of a statement: empty for every run. */
  readonly which: '' | 'where blended';
  /** Whether the row lists its prompts with their runs too. */
  readonly withPrompts?: boolean;
}

function ofEntities({ table, of, which, withPrompts = false }: OfEntities): Rollup {
  const runs = `rebuilt_runs ${which}`;
  const and = which === '' ? 'where' : `${which} and`;
  const counted = (key: string, keys: string, counts: string, from: string): string =>
    summedLists({
      table,
      of,
      key,
      keys,
      sums: { [counts]: 'integer' },
      rows: `select ${of}, ${key}, count(*) as ${counts} from ${from} group by ${of}, ${key}`,
      changed: runs,
    });
  const entities = summedLists({
    table,
    of,
    key: 'entity',
    keys: 'entities',
    sums: ENTITY_SUMS,
    rows: `select ${of}, entity, ${ENTITY_LISTS.map((name) => `sum(${name}) as ${name}`).join(', ')}
        from run_entities ${which} group by ${of}, entity`,
    changed: runs,
  });
  const surfaces = counted('surface', 'surfaces', 'surface_runs', `rebuilt_runs ${and} surface <> ''`);
  const prompts = `left join (${counted('prompt_key', 'prompt_keys', 'prompt_runs', runs)}) p using (${of})`;
  const listed = (...names: readonly string[]) => names.map((name) => `coalesce(${name}, '{}')`).join(', ');
  const promptLists = withPrompts ? ['prompt_keys', 'prompt_runs'] : [];
  const lists = ['surfaces', 'surface_runs', 'entities', ...ENTITY_LISTS, ...promptLists];
  return {
    key: of,
    adds: ['run_count', 'citations'],
    sets: setLists(...lists),
    select: `
    select :brandKey, ${of}, run_count, citations, ${listed(...lists)}
    from (
      select ${of}, count(*) as run_count, sum(cardinality(c_url)) as citations from ${runs} group by ${of}
    ) t
    left join (${surfaces}) s using (${of})
    ${withPrompts ? prompts : ''}
    left join (${entities}) e using (${of})`,
  };
}

/** The changed rows of a roll-up that are complete by now, as a sub-query. @param which As in `OfEntities`. */
const complete = (table: string, of: string, which: string): string => `(
      select d.* from ${table} d
      join (select distinct ${of} from rebuilt_runs ${which}) c using (${of})
      where d.brand_key = :brandKey and d.day >= :firstDay and d.day <= :lastDay and d.day = any(:days)
    )`;

/** The brand's element of a list. */
const ofBrand = (list: string): string => `coalesce(${list}[array_position(entities, 0)], 0)`;

export const BY_ENTITY: Readonly<Record<string, Rollup>> = {
  /** Presence, positions, tones and citations of the brand and its competitors, of each prompt on the blended engines. */
  day_prompt_entities: ofEntities({
    table: 'day_prompt_entities',
    of: 'day, prompt_key',
    which: 'where blended',
  }),

  /** The brand. */
  day_prompt: {
    key: 'day, prompt_key',
    adds: [],
    sets: setLists('run_count', 'present_runs', 'position_sum', 'weight_sum', 'own_citations'),
    select: `
    select :brandKey, day, prompt_key, run_count, ${ofBrand('present_runs')}, ${ofBrand('position_sums')},
      ${ofBrand('weight_sums')}, ${ofBrand('entity_citations')}
    from ${complete('day_prompt_entities', 'day, prompt_key', 'where blended')} d`,
  },

  /** The same of each region, and its prompts. */
  day_region_entities: ofEntities({
    table: 'day_region_entities',
    of: 'day, region',
    which: 'where blended',
    withPrompts: true,
  }),

  /** The same of each region on each engine, every engine. */
  day_engine_region_entities: ofEntities({
    table: 'day_engine_region_entities',
    of: 'day, engine, region',
    which: '',
    withPrompts: true,
  }),

  /** In every region. */
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
      from ${complete('day_engine_region_entities', 'day, engine', '')} d offset 0
    ) e
    group by day, engine, entity`,
  },
};
