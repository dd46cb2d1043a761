import { type History, type HistorySeries, historyMetrics } from '../../../../contract/reads/history.js';
import { METRICS_VERSION } from '../../../../contract/versions.js';
import { daysIn, liveSince } from '../../../days.js';
import { type TrackedEntity, trackedEntities } from '../../../queries/tracked-entities.js';
import { chosenRunsOf, filtersIn } from '../../chosen-runs.js';
import { fromTo, measuredDays } from '../../measured.js';
import { brandRefOf, type Compute, type ReadContext } from '../../reader.js';
import { givenOf } from '../../slice.js';
import { modelChangesOf } from '../model-changes.js';
import { notes } from '../notes.js';
import { liveSeries } from './live.js';
import { type HistoryRequest, type HistoryWindow, type Placed, placeWindow, requestOf } from './request.js';
import { STORED_LIMITS, storedSeries } from './stored.js';

export const readHistory: Compute<'history'> = async (context, params) => {
  const request = requestOf(params, context.today);
  const [tracked, placed, runs] = await Promise.all([
    trackedEntities(context.db, { brandKey: context.brand.key }),
    placeWindow(context, request),
    chosenRunsOf(context, params),
  ]);
  const isSliced = filtersIn(params).length > 0;
  const shown = params.competitors ? tracked : tracked.slice(0, 1);
  const [{ series, note, measured }, model_changes] = await Promise.all([
    seriesOf(context, placed, { request, runs, tracked, shown }, isSliced),
    placed.window ? modelChangesOf(context, request.engines, placed.window) : [],
  ]);
  return {
    brand: brandRefOf(context.brand),
    metric: request.metric,
    unit: historyMetrics[request.metric].unit,
    window: placed.window
      ? { ...placed.window, days: daysIn(placed.window) }
      : { start: null, end: null, days: request.days },
    ...echoOf(request),
    source: request.source,
    metrics_version: METRICS_VERSION,
    series,
    note,
    model_changes,
    slice: isSliced ? givenOf(params) : null,
    measured,
  };
};

function echoOf({ filter }: HistoryRequest): Pick<History, 'engine' | 'engines' | 'engine_scope'> {
  if (filter === null) return { engine: null, engines: null, engine_scope: 'blended_search_grounded' };
  const engines = [...filter];
  return engines.length === 1
    ? { engine: engines[0]!, engines, engine_scope: 'single_engine' }
    : { engine: null, engines, engine_scope: 'engine_set' };
}

async function seriesOf(
  context: ReadContext,
  placed: Placed,
  asked: Omit<HistoryWindow, 'window'>,
  isSliced: boolean,
): Promise<Pick<History, 'series' | 'note' | 'measured'>> {
  const { window } = placed;
  const { request, runs, shown } = asked;
  if (window === null) {
    return { series: shown.map(emptySeries), measured: null, note: emptyNote(placed.newest, context.today) };
  }
  const of = { ...asked, window };
  const { series, reasons } =
    request.source === 'runs'
      ? await liveSeries(context, of)
      : { series: await storedSeries(context, of), reasons: [STORED_LIMITS] };
  const days = series[0]!.points.filter(({ sample_size }) => sample_size > 0).map(({ date }) => date);
  const { measured, caveat } =
    request.source === 'runs'
      ? await measuredDays(context, { window, engines: request.engines, runs }, days)
      : { measured: fromTo(days), caveat: null };
  return {
    series,
    measured,
    note: notes([
      placed.clamped &&
        `The window was cut to begin with the live run horizon (${window.start}): ${daysIn(window)} of ${request.days} days.`,
      measured === null &&
        caveat === null &&
        `Nothing was collected in this ${isSliced ? 'slice' : 'scope'} from ${window.start} to ${window.end}.`,
      caveat,
      ...reasons,
    ]),
  };
}

const emptySeries = ({ entity, id, name }: TrackedEntity): HistorySeries => ({
  id,
  name,
  is_brand: entity === 0,
  points: [],
  window_value: null,
  interval: null,
  window_run_count: 0,
  low_confidence: true,
  trend: null,
});

const emptyNote = (newest: string | null, today: string): string =>
  newest === null
    ? 'Nothing was ever collected in this scope.'
    : `Nothing was collected in this scope since ${newest}, which is before the live run horizon (${liveSince(today)}). Ask for older days with from and to.`;
