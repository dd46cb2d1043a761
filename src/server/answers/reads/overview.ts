import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../contract/limits.js';
import { averagePosition, measureNames } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import { daysIn } from '../../base/days.js';
import { changesOf } from '../metrics/change.js';
import { intervalsOf } from '../metrics/intervals.js';
import { shownIn } from '../metrics/shown.js';
import { scoresOf } from '../metrics/values.js';
import { modelChangesOf, surfacesOf } from '../sums/collection.js';
import { askedByDay } from '../sums/outcomes.js';
import { comparisons } from './comparison.js';
import { brandRefOf, type Reader } from './reader.js';
import { sliceOf, sumsSourceOf } from './slice.js';
import { daysFields } from './slice-days.js';

export const reader: Reader<'overview'> = async (context, params) => {
  const { brand } = context;
  const slice = await sliceOf(context, params);
  const from = await sumsSourceOf(context, slice, slice.prior.start, params);
  const { window, engines } = slice;
  const [{ compare, surfaces, days, gaps }, model_changes, asked] = await Promise.all([
    comparisons(context, 'brand', slice, from),
    modelChangesOf(context, engines, window),
    askedByDay(context.db, { brandKey: brand.key, engines, ...window }, slice.runs, from),
  ]);
  const {
    note: _,
    notes: caveats,
    ...extent
  } = await daysFields(context, slice, { hasZeros: true, days, gaps });
  const comparison = compare({ entity: 0, domain: brand.domain });
  const change = changesOf(measureNames, comparison);
  const hasMoved = measureNames.some((name) => ['up', 'down'].includes(change[name].verdict));
  const { note, notes } = noted([caveats, params.prompt?.length === 1 && hasMoved && fact('judged_alone')]);
  const { current } = comparison;
  const { totals } = current;
  return {
    brand: brandRefOf(brand),
    window_days: daysIn(window),
    run_count: totals.runs,
    ...scoresOf(measureNames, current),
    avg_position: averagePosition.value(current.entity),
    low_confidence: totals.runs < LOW_CONFIDENCE_BELOW_RUNS,
    has_prior_window: comparison.previous.totals.runs > 0,
    note,
    notes,
    surfaces: surfacesOf(surfaces, totals.runs),
    shown: shownIn(window, asked),
    intervals: intervalsOf(measureNames, current),
    change,
    model_changes,
    ...extent,
  };
};
