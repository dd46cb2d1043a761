import { blendedEngineIds, inTableOrder } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import { type EntitySums, measureValue } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import type { Fact } from '../../../contract/read.js';
import { tones } from '../../../contract/reads/answers.js';
import { type Quote, sentiment } from '../../../contract/reads/sentiment.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import type { Infer } from '../../../contract/schema.js';
import { daysIn, type Window, windowEnding } from '../../base/days.js';
import { statement, type WindowBindings } from '../../base/statement.js';
import { NO_RUNS, NO_SUMS } from '../metrics/samples.js';
import { roundedValue } from '../metrics/values.js';
import { hasPrunedRuns, newestRunDay, runsSince } from '../sums/collected-days.js';
import { entitySums } from '../sums/entity-sums.js';
import { gapOf, gapsBehind } from '../sums/name-gaps.js';
import { type TrackedEntity, trackedEntities } from '../sums/tracked-entities.js';
import { gapFacts } from './name-notes.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';
import { measuredDays } from './slice-days.js';

/** Runs and quotes of a window on some engines. Always one row. */
const quotedRuns = statement<{ runs: number; quotes: number }, WindowBindings>(
  'quoted_runs',
  `select coalesce(sum(run_count), 0)::bigint as runs, coalesce(sum(quotes), 0)::bigint as quotes
   from day_scope where brand_key = :brandKey and day between :start and :end and engine = any(:engines)`,
);

/** The brand's tones on each engine that ran. */
const brandTonesByEngine = statement<ToneSums & { engine: string; runs: number }, WindowBindings>(
  'brand_tones_by_engine',
  `select s.engine, sum(s.run_count)::bigint as runs, coalesce(sum(e.present_runs), 0)::bigint as present,
     coalesce(sum(e.positive), 0)::bigint as positive, coalesce(sum(e.neutral), 0)::bigint as neutral,
     coalesce(sum(e.negative), 0)::bigint as negative
   from day_scope s
   left join day_entity e
     on e.brand_key = :brandKey and e.day = s.day and e.engine = s.engine and e.entity = 0
   where s.brand_key = :brandKey and s.day between :start and :end and s.engine = any(:engines)
   group by s.engine`,
);

interface QuoteRow {
  runId: string;
  day: string;
  engine: string;
  promptId: string;
  prompt: string;
  /** As captured. */
  name: string;
  /** 0 is the brand itself; null: not tracked. */
  entity: number | null;
  /** −1, 0 or 1. */
  tone: number;
  quote: string;
}

/** The newest runs with a quote of one tone, engine by engine: each of them has one at least. */
const newestWith = (tone: number, quotes: string) => `
  (select r.*, ${tone} as wanted from unnest(cast(:engines as text[])) as e(engine)
   cross join lateral (
     select day, id, runs.engine, prompt_key, m_name, m_order, m_tone, m_evidence from runs
     where brand_key = :brandKey and runs.engine = e.engine and day between :start and :end and ${quotes} > 0
     order by day desc, id desc limit :rows
   ) r
   order by r.day desc, r.id desc limit :rows)`;

/** Quotes of a window on some engines: negative, neutral, positive, and newest first within a tone. */
const worstQuotes = statement<QuoteRow, WindowBindings & { rows: number }>(
  'worst_quotes',
  `with quoted as materialized (
     ${newestWith(-1, 'quotes_negative')} union all
     ${newestWith(0, 'quotes_neutral')} union all
     ${newestWith(1, 'quotes_positive')}
   )
   select r.id as "runId", r.day, r.engine, p.id as "promptId", p.text as prompt, n.name, n.entity, m.tone,
     m.evidence as quote
   from quoted r
   cross join lateral unnest(r.m_name, r.m_order, r.m_tone, r.m_evidence)
     with ordinality as m(name_key, position, tone, evidence, place)
   join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key
   join prompts p on p.brand_key = :brandKey and p.prompt_key = r.prompt_key
   where m.tone = r.wanted and m.evidence is not null
   order by m.tone, r.day desc, r.id desc, m.position, m.place
   limit :rows`,
);

type Params = ParsedParamsOf<'sentiment'>;

export const reader: Reader<'sentiment'> = async (context, params) => {
  const { db, brand } = context;
  const engines = params.engine ?? blendedEngineIds;
  const [window, tracked] = await Promise.all([
    windowOf(context, params, engines),
    trackedEntities(db, { brandKey: brand.key }),
  ]);
  const days = window ? daysIn(window) : daysOf(params);
  const [gaps, tones, found, pruned] = await Promise.all([
    window ? gapsBehind(db, brand, window.start) : [],
    window ? measure(context, tracked, engines, window) : nothing(tracked),
    window && measuredDays(context, { window, engines, runs: null }),
    window && prunedQuotes(context, engines, window),
  ]);
  const caveats = noted([
    window === null && fact('zeros_in_scope'),
    window && !found?.measured && (found?.caveat ?? fact('no_answer', window)),
    found?.measured && found.caveat,
    pruned,
    gapFacts(context, gaps),
    fact('how_to_read_tones'),
  ]);
  return {
    brand: brandRefOf(brand),
    window_days: days,
    engines: params.engine ? [...params.engine] : null,
    engine_scope: params.engine ? 'engine_set' : 'blended',
    ...tones,
    entities: tones.entities.map((row, at) => ({
      ...row,
      measured_since: gapOf(gaps, tracked[at]!.entity)?.measuredSince ?? null,
    })),
    // How to read the numbers is always said.
    note: caveats.note!,
    notes: caveats.notes,
    window: window ? { ...window, days } : { start: null, end: null, days },
    measured: found?.measured ?? null,
  };
};

const daysOf = ({ days = sentiment.params.days.default }: Params): number => days;

/** From and to, or the days that end on the newest day collected on the engines; null: there is no such day. */
async function windowOf(
  { db, brand }: ReadContext,
  params: Params,
  engines: readonly string[],
): Promise<Window | null> {
  const { from, to } = params;
  if (from && to) return { start: from, end: to };
  const [newest] = await newestRunDay(db, { brandKey: brand.key, engines });
  return newest!.day === null ? null : windowEnding(newest!.day, daysOf(params));
}

/** Counts are kept when runs are pruned, quotes are not. */
async function prunedQuotes(
  { db, brand }: ReadContext,
  engines: readonly string[],
  window: Window,
): Promise<Fact | null> {
  const brandKey = brand.key;
  const [row] = await runsSince(db, { brandKey });
  const since = row?.day ?? null;
  if (since === null || window.start >= since) return null;
  const [found] = await hasPrunedRuns(db, { brandKey, engines, ...window, since });
  return found!.pruned ? fact('quotes_pruned', { since }) : null;
}

type Body = Infer<typeof sentiment.response, null>;
/** The entities are the tracked ones, in their order. */
type Measured = Pick<Body, 'run_count' | 'by_engine' | 'quotes' | 'quotes_total'> & {
  readonly entities: readonly Omit<Body['entities'][number], 'measured_since'>[];
};

const UNMEASURED = {
  sentiment_index: null,
  mentions: null,
  positive: null,
  neutral: null,
  negative: null,
  unscored: null,
};

const nothing = (tracked: readonly TrackedEntity[]): Measured => ({
  run_count: 0,
  entities: tracked.map((entity) => ({ ...identityOf(entity), ...UNMEASURED })),
  by_engine: [],
  quotes: [],
  quotes_total: 0,
});

async function measure(
  { db, brand }: ReadContext,
  tracked: readonly TrackedEntity[],
  engines: readonly string[],
  window: Window,
): Promise<Measured> {
  const bindings = { brandKey: brand.key, engines, ...window };
  const [[totals], sums, byEngine, quotes] = await Promise.all([
    quotedRuns(db, bindings),
    entitySums(db, bindings),
    brandTonesByEngine(db, bindings),
    worstQuotes(db, { ...bindings, rows: CAPS.quotes }),
  ]);
  const sumsOf = new Map(sums.map((row) => [row.entity, row]));
  const tonesOn = new Map(byEngine.map((row) => [row.engine, row]));
  const own = identityOf(tracked[0]!);
  return {
    run_count: totals!.runs,
    entities: tracked.map((entity) => ({
      ...identityOf(entity),
      ...(totals!.runs === 0 ? UNMEASURED : tonesOf(sumsOf.get(entity.entity) ?? NO_SUMS)),
    })),
    by_engine: inTableOrder(tonesOn.keys()).map((engine) => ({
      engine,
      run_count: tonesOn.get(engine)!.runs,
      ...own,
      ...tonesOf(tonesOn.get(engine)!),
    })),
    quotes: quotes.map((row) => quoteOf(row, tracked)),
    quotes_total: totals!.quotes,
  };
}

const identityOf = ({ entity, name, domain }: TrackedEntity) => ({ name, domain, is_brand: entity === 0 });

const quoteOf = (row: QuoteRow, tracked: readonly TrackedEntity[]): Quote => ({
  run_id: row.runId,
  date: row.day,
  engine: row.engine,
  prompt_id: row.promptId,
  prompt: row.prompt,
  entity: tracked.find(({ entity }) => entity === row.entity)?.name ?? row.name,
  is_brand: row.entity === 0,
  tracked: row.entity !== null,
  sentiment: tones[row.tone + 1]!,
  quote: row.quote,
});

type ToneSums = Pick<EntitySums, 'present' | 'positive' | 'neutral' | 'negative'>;

/** Counts of runs that name the entity; positive + neutral + negative + unscored = mentions. */
function tonesOf({ present, positive, neutral, negative }: ToneSums) {
  const entity = { ...NO_SUMS, positive, neutral, negative };
  const value = measureValue('sentiment_index', { entity, totals: NO_RUNS, hasDomain: false });
  return {
    sentiment_index: roundedValue('sentiment_index', value),
    mentions: present,
    positive,
    neutral,
    negative,
    unscored: present - positive - neutral - negative,
  };
}
