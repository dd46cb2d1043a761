import { TOOL_CAPS } from '../../contract/limits.js';
import { aiSource, visitedPage, visitorCountry, visitorStats } from '../../contract/reads/visitors.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { columnsOf, counted, grouped, type TableView } from '../render/view.js';

type Data = Infer<typeof visitorStats.response>;

type VisitedPage = Infer<typeof visitedPage>;

export default readCommand(visitorStats, {
  inHelp: { group: 'YOUR SITE', place: 3 },
  description:
    'Visits of people, not of crawlers. The totals also count visits of unknown origin, which no list of ' +
    'assistants or countries has. Formats other than the table print one page per row.',
  table: pagesView,
  draw,
});

function draw(stats: Data, document: Document): void {
  const { brand, window_days, totals, top_pages, ai_sources, countries } = stats;
  const name = `Visitors · ${brand.name} · last ${window_days} days`;
  if (totals === null) {
    document.title(name, 'The tracking snippet never reported: whether anybody came is not known.');
    return;
  }
  const { visits, ai_referred } = totals;
  document.title(
    name,
    `${counted(visits, 'visit')} · ${grouped(ai_referred)} of them referred by AI assistants`,
  );
  document.table(heading('Pages', top_pages), pagesView(stats), top_pages);
  document.table(heading('AI assistants', ai_sources), sourcesView, ai_sources);
  document.table(heading('Countries', countries), countriesView, countries);
}

/** The API sends at most as many rows as the cap, without the total number. */
const heading = (name: string, rows: readonly unknown[]): string =>
  rows.length < TOOL_CAPS.visitorRows ? name : `${name}, the first ${rows.length}`;

const ofPage = columnsOf(visitedPage);
const ofSource = columnsOf(aiSource);
const ofCountry = columnsOf(visitorCountry);

function pagesView({ brand }: Data): TableView<VisitedPage> {
  return {
    noun: 'visited pages',
    columns: [
      ofPage('path', { room: 'flexible', link: ({ path }) => `https://${brand.domain}${path}` }),
      ofPage('visits'),
      ofPage('ai_referred'),
    ],
  };
}

const sourcesView: TableView<Data['ai_sources'][number]> = {
  noun: 'visits referred by AI assistants',
  columns: [ofSource('source', { room: 'flexible' }), ofSource('visits')],
};

const countriesView: TableView<Data['countries'][number]> = {
  noun: 'visits of known country',
  columns: [ofCountry('country', { room: 'flexible' }), ofCountry('visits')],
};
