/** Histories as the API sends them. */
import type { History, HistorySeries } from '../../../src/contract/reads/history.js';
import { brand } from './fixtures.js';

const day = (at: number) => new Date(Date.UTC(2026, 9, 24 + at)).toISOString().slice(0, 10);

const series = (
  id: string,
  name: string,
  values: readonly (number | null)[],
  rest: Partial<HistorySeries>,
): HistorySeries => ({
  id,
  name,
  is_brand: false,
  points: values.map((value, at) => ({
    date: day(at),
    value,
    sample_size: at === 9 ? 4 : value === null ? 0 : 96,
  })),
  window_value: 41.2,
  interval: [39.4, 43],
  window_run_count: 2592,
  low_confidence: false,
  trend: {
    previous_window_value: 44.4,
    delta: -7.2,
    delta_unit: 'relative_pct',
    difference: -3.2,
    verdict: 'down',
    reason: null,
    reason_fact: null,
  },
  measured_since: null,
  ...rest,
});

/** 28 days; nothing collected on days 4 to 6 and nothing measurable on day 9. */
const withGaps = (values: (at: number) => number) =>
  Array.from({ length: 28 }, (_, at) => ((at >= 4 && at <= 6) || at === 9 ? null : values(at)));

export const history: History = {
  brand,
  metric: 'visibility',
  unit: 'score_0_100',
  window: { start: day(0), end: day(27), days: 28 },
  engine: null,
  engines: null,
  engine_scope: 'blended_search_grounded',
  source: 'runs',
  metrics_version: 1,
  series: [
    series(
      'br_fernweh',
      brand.name,
      withGaps((at) => 55 + (at % 7)),
      {
        is_brand: true,
        window_value: 58.3,
        interval: [55.9, 60.7],
        trend: {
          previous_window_value: 57.1,
          delta: 2.1,
          delta_unit: 'relative_pct',
          difference: 1.2,
          verdict: 'no_clear_change',
          reason: null,
          reason_fact: null,
        },
      },
    ),
    series(
      'northroast',
      'North Roast Collective',
      withGaps(() => 41),
      {},
    ),
    series(
      'kaffeewerk',
      'Kaffeewerk',
      withGaps(() => 12),
      {
        window_value: null,
        interval: null,
        window_run_count: 3,
        low_confidence: true,
        trend: null,
      },
    ),
  ],
  note: 'A day of the window was not collected.',
  notes: [{ code: 'of_a_newer_server' }],
  marks: [],
  model_changes: [{ engine: 'chatgpt', model: 'gpt-5.2', since: '2026-11-10' }],
  shown: null,
  slice: null,
  measured: { first_day: day(0), last_day: day(27) },
};

/** Nothing was ever collected in the scope. */
export const emptyHistory: History = {
  ...history,
  window: { start: null, end: null, days: 28 },
  measured: null,
  series: [
    {
      ...history.series[0]!,
      points: [],
      window_value: null,
      interval: null,
      window_run_count: 0,
      low_confidence: true,
      trend: null,
    },
  ],
};
