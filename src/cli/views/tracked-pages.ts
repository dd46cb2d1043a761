import { type pageRank, type TrackedPage, trackedPage } from '../../contract/reads/tracked-pages.js';
import type { Infer } from '../../contract/schema.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import { day, engines, page } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { type Column, count, type TableView, words } from '../render/view.js';
import { listed } from '../render/wording.js';

type PageRank = Infer<typeof pageRank>;
type TrackedPages = ToolPayloadOf<'list_tracked_pages'>;

export const trackedPagesView: SheetView<TrackedPages, TrackedPage> = {
  schema: trackedPage,
  rows: ({ pages }) => pages,
  table: pagesView,
  draw,
};

function draw(data: TrackedPages, paper: Paper): void {
  const { brand, total, pages } = data;
  paper.title(`Tracked pages · ${brand.name} · all time`, ...listed(total, pages.length, 'page'));
  paper.table(null, pagesView(data), pages);
}

const NEVER_CITED = 'never cited';

function pagesView({ pages }: TrackedPages): TableView<TrackedPage> {
  return {
    noun: 'tracked pages',
    columns: [
      page('page', ({ url }) => url),
      count('citations', ({ citations_total }) => citations_total),
      words('last cited', ({ last_cited }) => last_cited, { absence: NEVER_CITED }),
      ...rankColumns(pages),
      count('answers', ({ answers_total }) => answers_total, { room: 'spare' }),
      day('first cited', ({ first_cited }) => first_cited, NEVER_CITED),
      words('title', ({ title }) => title, { absence: 'not stated', room: 'spare' }),
      day('tracked since', ({ added_at }) => added_at, 'not stated'),
      engines,
    ],
  };
}

const NEVER_FETCHED = { absence: 'never fetched', room: 'spare' } as const;

/** A column per metric that any page has, in the provider's words; where there is none, one that says so. */
function rankColumns(pages: readonly TrackedPage[]): Column<TrackedPage>[] {
  const heads = new Set(pages.flatMap(({ ranks }) => ranks?.map(headOf) ?? []));
  if (heads.size === 0) return [words('ranks', ({ ranks }) => ranks && '', NEVER_FETCHED)];
  return [...heads].map((head) =>
    count(head, ({ ranks }) => ranks?.find((rank) => headOf(rank) === head)?.value ?? null, NEVER_FETCHED),
  );
}

const headOf = ({ provider, metric }: PageRank): string => `${provider} ${metric}`.replaceAll('_', ' ');
