import { coveredPrompt } from '../../contract/reads/content-coverage.js';
import type { Infer } from '../../contract/schema.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, counted, grouped, type TableView, words, yesNo } from '../render/view.js';

type ContentCoverage = ToolPayloadOf<'get_content_coverage'>;
type CoveredPrompt = Infer<typeof coveredPrompt>;

export const coverageView: SheetView<ContentCoverage, CoveredPrompt> = {
  schema: coveredPrompt,
  rows: ({ prompts }) => prompts,
  table: () => promptsView,
  draw,
};

function draw({ brand, window_days, totals, prompts }: ContentCoverage, paper: Paper): void {
  paper.title(`Content coverage · ${brand.name} · last ${window_days} days`, ...extent(totals));
  paper.table(null, promptsView, prompts);
}

function extent({ prompts, measured, covered }: ContentCoverage['totals']): string[] {
  if (prompts === 0) return [];
  const all = counted(prompts, 'active prompt');
  if (measured === 0) return [`${all}, none measured`];
  return [
    `${all}, ${grouped(measured)} measured · answers to ${grouped(covered)} of these cite a page of the brand`,
  ];
}

const NO_ANSWER = { absence: 'no answer collected' };

/** Nothing is known of a prompt without an answer, which is another thing than no page or no domain. */
const ofAnswered = <T>({ cites_own }: CoveredPrompt, value: T): T | null =>
  cites_own === null ? null : value;

const winnersOf = ({ winners }: CoveredPrompt): string =>
  winners.map(({ domain, citations }) => `${domain} ${citations}`).join(', ');

/** Own pages are on the brand's own site, so the path tells them apart. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]*/, '');

const promptsView: TableView<CoveredPrompt> = {
  noun: 'active prompts',
  columns: [
    words('prompt', ({ text }) => text, { room: 'flexible' }),
    count('answers', ({ run_count }) => run_count),
    yesNo('own cited', ({ cites_own }) => cites_own, NO_ANSWER),
    count('own pages', (row) => ofAnswered(row, row.own_pages.length), NO_ANSWER),
    words('most cited elsewhere', (row) => ofAnswered(row, winnersOf(row)), {
      ...NO_ANSWER,
      room: 'flexible',
    }),
    words('most cited own page', ({ own_pages: [first] }) => (first ? pathOf(first.url) : ''), {
      room: 'spare',
      link: ({ own_pages: [first] }) => first?.url ?? null,
    }),
    words('id', ({ prompt_id }) => prompt_id, { room: 'spare' }),
  ],
};
