/** How `svc diff --with` shows two slices side by side. */
import { differenceText } from '../../../contract/difference-text.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../../contract/limits.js';
import type { Document } from '../../render/document.js';
import { shownMetric } from '../../render/metric.js';
import type { ObjectView } from '../../render/object-format.js';
import { runsWords } from '../../render/slice.js';
import { radiusMeans, withRadius } from '../../render/uncertainty.js';
import { type Column, counted, type TableView, text } from '../../render/view.js';
import { type ComparedMetric, type Comparison, comparedMetric, type Side } from './comparison.js';

export const comparisonView: ObjectView<Comparison, ComparedMetric> = {
  schema: comparedMetric,
  rows: ({ metrics }) => metrics,
  table: () => table,
  draw,
};

const side = (name: 'a' | 'b'): Column<ComparedMetric> => {
  const pick = (row: ComparedMetric) => [row[name], row[`${name}_interval`]] as const;
  return {
    head: name.toUpperCase(),
    text: (row) => withRadius(row.metric, ...pick(row)),
    explains: (row) => radiusMeans(...pick(row)),
    align: 'right',
    measured: true,
  };
};

/** The difference of the shown values, because that of the exact values may seem 0.1 wrong beside them. */
function shownDifference({ metric, a, b }: ComparedMetric): string | null {
  const { shown, scale } = shownMetric(metric);
  const [shownA, shownB] = [a, b].map((value) => shown(value)?.toFixed(1));
  if (shownA === undefined || shownB === undefined) return null;
  return differenceText(metric, (Number(shownA) - Number(shownB)) / (scale === '%' ? 100 : 1));
}

const table: TableView<ComparedMetric> = {
  noun: 'metrics',
  stacks: true,
  columns: [
    text('metric', ({ metric }) => `${shownMetric(metric).name} (${shownMetric(metric).scale})`),
    side('a'),
    side('b'),
    {
      head: 'A − B',
      text: shownDifference,
      align: 'right',
      measured: true,
      room: 'spare',
    },
  ],
};

function draw({ brand, a, b, metrics }: Comparison, document: Document): void {
  document.title(brand.name, line('A', a), line('B', b));
  document.table(null, table, metrics);
  document.sentences(
    ...uncertain('A', a),
    ...uncertain('B', b),
    'No verdict on A − B: the two intervals do not say whether the difference is chance. Only a window against ' +
      'the one just before has a verdict: svc diff without --with.',
  );
}

const line = (name: string, each: Side): string =>
  `${name}: ${runsWords(each)} · ${counted(each.run_count, 'answer')}`;

const uncertain = (name: string, { run_count, low_confidence }: Side): string[] =>
  low_confidence && run_count > 0
    ? [`${name} has fewer than ${LOW_CONFIDENCE_BELOW_RUNS} answers: low confidence.`]
    : [];
