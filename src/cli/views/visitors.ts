import { TOOL_CAPS } from '../../contract/limits.js';
import { visitedPage } from '../../contract/reads/visitor-stats.js';
import type { Infer } from '../../contract/schema.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { type Column, count, counted, grouped, type TableView, words } from '../render/view.js';

type VisitorStats = ToolPayloadOf<'get_visitor_stats'>;
type VisitedPage = Infer<typeof visitedPage>;

export const visitorsView: SheetView<VisitorStats, VisitedPage> = {
  schema: visitedPage,
  rows: ({ top_pages }) => top_pages,
  table: pagesView,
  draw,
};

function draw(stats: VisitorStats, paper: Paper): void {
  const { brand, window_days, totals, top_pages, ai_sources, countries } = stats;
  const name = `Visitors · ${brand.name} · last ${window_days} days`;
  if (totals === null) {
    paper.title(name, 'The tracking snippet never reported: whether anybody came is not known.');
    return;
  }
  const { visits, ai_referred } = totals;
  paper.title(
    name,
    `${counted(visits, 'visit')} · ${grouped(ai_referred)} of them referred by AI assistants`,
  );
  paper.table(heading('Pages', top_pages), pagesView(stats), top_pages);
  paper.table(heading('AI assistants', ai_sources), sourcesView, ai_sources);
  paper.table(heading('Countries', countries), countriesView, countries);
}

/** More rows than the cap are never sent, and whether there are more is not told. */
const heading = (name: string, rows: readonly unknown[]): string =>
  rows.length < TOOL_CAPS.visitorRows ? name : `${name}, the first ${rows.length}`;

const visitsColumn: Column<{ readonly visits: number }> = count('visits', ({ visits }) => visits);

function pagesView({ brand }: VisitorStats): TableView<VisitedPage> {
  return {
    noun: 'visited pages',
    columns: [
      words('page', ({ path }) => path, {
        room: 'flexible',
        link: ({ path }) => `https://${brand.domain}${path}`,
      }),
      visitsColumn,
      count('AI-referred', ({ ai_referred }) => ai_referred),
    ],
  };
}

const sourcesView: TableView<VisitorStats['ai_sources'][number]> = {
  noun: 'visits referred by AI assistants',
  columns: [words('assistant', ({ source }) => source, { room: 'flexible' }), visitsColumn],
};

const countriesView: TableView<VisitorStats['countries'][number]> = {
  noun: 'visits of known country',
  columns: [words('country', ({ country }) => country, { room: 'flexible' }), visitsColumn],
};
