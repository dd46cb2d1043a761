import { discrepancy, type FactCheck, type factCheckResult } from '../../contract/reads/fact-check.js';
import type { Infer } from '../../contract/schema.js';
import type { Format } from '../render/colour.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { counted, moment, type TableView, words } from '../render/view.js';

export type Discrepancy = Infer<typeof discrepancy>;
type Result = Infer<typeof factCheckResult>;

export const factCheckView: SheetView<FactCheck, Discrepancy> = {
  schema: discrepancy,
  rows: ({ fact_check }) => fact_check?.discrepancies ?? [],
  table: () => discrepanciesView,
  draw,
};

function draw({ brand, fact_check: result }: FactCheck, paper: Paper): void {
  const name = `Fact check · ${brand.name}`;
  if (result === null) {
    paper.title(name, 'Never checked. Whether answers are right is not known.');
    return;
  }
  const { discrepancies, answers_checked } = result;
  paper.title(
    name,
    `${result.stale ? 'STALE · ' : ''}checked ${ageOf(result)} · ${answersOf(result)} · ${costOf(result)}`,
  );
  if (result.stale) paper.words(`${stalenessOf(result)} It never refreshes on its own.`);
  if (discrepancies.length === 0) {
    paper.words(
      answers_checked === 0 ? 'No answer was checked.' : 'Every checked answer matched the knowledge base.',
    );
    return;
  }
  paper.title(`Discrepancies (${discrepancies.length})`);
  for (const one of discrepancies) {
    paper.item(`${one.severity} · ${one.engine}`, looks[one.severity], [
      ['claim  ', one.claim],
      ['truth  ', one.truth],
    ]);
  }
}

const looks: { readonly [severity in Discrepancy['severity']]: readonly Format[] } = {
  high: ['red', 'bold'],
  medium: ['yellow'],
  low: [],
};

const stalenessOf = ({ age_days, stale_after_days }: Result): string =>
  age_days === null
    ? 'The age of this result is not known.'
    : `This result is ${stale_after_days} or more days old.`;

function ageOf({ checked_at, age_days }: Result): string {
  if (age_days === null) return `at an unreadable time (${checked_at})`;
  const age = age_days === 0 ? 'today' : `${counted(age_days, 'day')} ago`;
  return `${age} (${moment(checked_at)})`;
}

const answersOf = ({ answers_checked }: Result): string => `${counted(answers_checked, 'answer')} compared`;
const costOf = ({ cost_usd }: Result): string =>
  cost_usd === null ? 'cost unknown' : `cost ${cost_usd} USD`;

const discrepanciesView: TableView<Discrepancy> = {
  noun: 'discrepancies',
  columns: [
    words('severity', ({ severity }) => severity),
    words('engine', ({ engine }) => engine),
    words('claim', ({ claim }) => claim, { room: 'flexible' }),
    words('truth', ({ truth }) => truth, { room: 'flexible' }),
  ],
};
