import { dayOf, lengthOf, windowEndingOn } from '../days.js';
import { engineFilter } from '../engine-filter.js';
import { ENGINES } from '../engines.js';
import type { Entity } from '../entities.js';
import { entitiesOf, inSeriesOrder } from '../entities.js';
import { sentimentIndex } from '../formulas.js';
import type { ExpectedMeasured } from '../measured.js';
import { expectedMeasured } from '../measured.js';
import { WORDS } from '../open.js';
import type { SentimentParams } from '../parameters.js';
import { customWindow } from '../parameters.js';
import type { DatasetRecord, RunRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import { roundTo } from '../rounding.js';
import { newestDay, runsWithin } from '../runs.js';
import type { BrandReference, Scope } from '../scope.js';
import { findBrand, referenceTo } from '../scope.js';
import { tally } from '../tally.js';
import type { ExpectedQuote } from './quotes.js';
import { expectedQuotes } from './quotes.js';

const QUOTES_CAP = 40;
const DEFAULT_DAYS = 7;
/** Tones depend on no citation. */
const NO_URLS = { canonicalUrl: () => ({ url: '', domain: '' }) };

export interface ExpectedTones {
  name: string;
  domain: string;
  is_brand: boolean;
  sentiment_index: number | null;
  mentions: number;
  positive: number;
  neutral: number;
  negative: number;
  unscored: number;
}

export interface ExpectedSentiment {
  brand: BrandReference;
  window_days: number;
  engines: string[] | null;
  engine_scope: 'blended' | 'engine_set';
  run_count: number;
  entities: (ExpectedTones & { measured_since: null })[];
  by_engine: ({ engine: string; run_count: number } & ExpectedTones)[];
  quotes: ExpectedQuote[];
  quotes_total: number;
  note: string;
  window: { start: string | null; end: string | null; days: number };
  measured: ExpectedMeasured;
}

/** The body of sentiment; null = 404. The window ends on the newest day with a run in scope, however old it is. */
export function expectedSentiment(
  records: DatasetRecord[],
  scope: Scope,
  params: SentimentParams = {},
): ExpectedSentiment | null {
  const brand = findBrand(records, scope);
  if (brand === null) return null;
  const filter = engineFilter(params.engines);
  const collected = recordsOfBrand(records, 'run', brand.id).filter((run) => filter.counts(run.engine));
  const newest = newestDay(collected.map((run) => dayOf(run.collected_at)));
  const custom = customWindow(params);
  const asked = params.days ?? DEFAULT_DAYS;
  const window = custom ?? (newest === null ? null : windowEndingOn(newest, asked));
  const days = window === null ? asked : lengthOf(window);
  const runs =
    window === null ? [] : runsWithin(records, brand.id, window).filter((run) => filter.counts(run.engine));
  const entities = inSeriesOrder(entitiesOf(records, brand));
  const quotes = expectedQuotes(runs, entities, recordsOfBrand(records, 'prompt', brand.id));
  return {
    brand: referenceTo(brand),
    window_days: days,
    engines: filter.engines,
    engine_scope: filter.engines === null ? 'blended' : 'engine_set',
    run_count: runs.length,
    entities: entities.map((entity) => ({ ...tones(runs, entity), measured_since: null })),
    by_engine: byEngine(runs, entities[0]!),
    quotes: quotes.slice(0, QUOTES_CAP),
    quotes_total: quotes.length,
    note: WORDS,
    window: { start: window?.start ?? null, end: window?.end ?? null, days },
    measured: expectedMeasured(runs.map((run) => dayOf(run.collected_at))),
  };
}

function byEngine(runs: RunRecord[], own: Entity): ({ engine: string; run_count: number } & ExpectedTones)[] {
  return ENGINES.flatMap((engine) => {
    const ofEngine = runs.filter((run) => run.engine === engine);
    return ofEngine.length === 0 ? [] : [{ engine, run_count: ofEngine.length, ...tones(ofEngine, own) }];
  });
}

function tones(runs: RunRecord[], entity: Entity): ExpectedTones {
  const sums = tally(runs, entity, NO_URLS);
  const index = sentimentIndex(sums);
  return {
    name: entity.name,
    domain: entity.domain,
    is_brand: entity.is_brand,
    sentiment_index: index === null ? null : roundTo(index, 1),
    mentions: sums.present,
    positive: sums.positive,
    neutral: sums.neutral,
    negative: sums.negative,
    unscored: sums.unscored,
  };
}
