import { blendedEngineIds, inTableOrder } from '../../../contract/engines.js';
import { CAPS } from '../../../contract/limits.js';
import { tones } from '../../../contract/reads/answers.js';
import { type Quote, type Sentiment, sentiment } from '../../../contract/reads/sentiment.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import { daysIn, type Window, windowEnding } from '../../days.js';
import { NO_SUMS } from '../../metrics/entity-metrics.js';
import { tonesOf } from '../../metrics/tones.js';
import { newestRunDay } from '../../queries/collected-days.js';
import { entitySums } from '../../queries/entity-sums.js';
import { hasPrunedRuns, runsSince } from '../../queries/retention.js';
import { brandTonesByEngine, type QuoteRow, quotedRuns, worstQuotes } from '../../queries/tones.js';
import { type TrackedEntity, trackedEntities } from '../../queries/tracked-entities.js';
import { measuredDays } from '../measured.js';
import { brandRefOf, type Compute, type ReadContext } from '../reader.js';
import { notes } from './notes.js';

type Params = ParsedParamsOf<'sentiment'>;

const READING_RULES =
  'sentiment_index is 50 + 50 × (positive − negative) / (positive + neutral + negative): 50 is neutral, null means that ' +
  'no mention was scored and never neutral. An answer counts once per entity, with the tone of its first scored mention; ' +
  'unscored mentions have no tone, stay outside the index and are not neutral. Quotes are verbatim and worst first; they ' +
  'also cover competitors and names that are not tracked (tracked: false), which no entity’s counts include.';
const NOTHING_COLLECTED = 'No answer was ever collected in this scope: the zeros stand for “not measured”.';

/** Without a window the body has the same form, with zeros. */
export const readSentiment: Compute<'sentiment'> = async (context, params) => {
  const { db, brand } = context;
  const engines = params.engine ?? blendedEngineIds;
  const [window, tracked] = await Promise.all([
    windowOf(context, params, engines),
    trackedEntities(db, { brandKey: brand.key }),
  ]);
  const days = window ? daysIn(window) : daysOf(params);
  const [tones, found, pruned] = await Promise.all([
    window ? measure(context, tracked, engines, window) : nothing(tracked),
    window && measuredDays(context, { window, engines, runs: null }),
    window && prunedQuotes(context, engines, window),
  ]);
  return {
    brand: brandRefOf(brand),
    window_days: days,
    engines: params.engine ? [...params.engine] : null,
    engine_scope: params.engine ? 'engine_set' : 'blended',
    ...tones,
    note: notes([
      window === null && NOTHING_COLLECTED,
      window && !found?.measured && (found?.caveat ?? noAnswer(window)),
      found?.measured && found.caveat,
      pruned,
      READING_RULES,
    ])!,
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

const noAnswer = ({ start, end }: Window): string => `No answer was collected from ${start} to ${end}.`;

/** Counts are kept when runs are pruned, quotes are not. */
async function prunedQuotes(
  { db, brand }: ReadContext,
  engines: readonly string[],
  window: Window,
): Promise<string | null> {
  const brandKey = brand.key;
  const [row] = await runsSince(db, { brandKey });
  const since = row?.day ?? null;
  if (since === null || window.start >= since) return null;
  const [found] = await hasPrunedRuns(db, { brandKey, engines, ...window, since });
  return found!.pruned
    ? `Quotes are those of stored answers: answers from before ${since} were deleted, their counts are kept.`
    : null;
}

type Measured = Pick<Sentiment, 'run_count' | 'entities' | 'by_engine' | 'quotes' | 'quotes_total'>;

const nothing = (tracked: readonly TrackedEntity[]): Measured => ({
  run_count: 0,
  entities: tracked.map((entity) => ({ ...identityOf(entity), ...tonesOf(NO_SUMS) })),
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
      ...tonesOf(sumsOf.get(entity.entity) ?? NO_SUMS),
    })),
    by_engine: inTableOrder(tonesOn.keys()).map((engine) => ({
      engine,
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
