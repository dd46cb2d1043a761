import { type CommunityThread, communityThread } from '../../contract/reads/community-threads.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import { day, engines, page } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, type TableView, words, yesNo } from '../render/view.js';
import { listed } from '../render/wording.js';

type CommunityThreads = ToolPayloadOf<'list_community_threads'>;

export const threadsView: SheetView<CommunityThreads, CommunityThread> = {
  schema: communityThread,
  rows: ({ threads }) => threads,
  table: () => threadsTable,
  draw,
};

function draw({ brand, window_days, total, threads }: CommunityThreads, paper: Paper): void {
  paper.title(
    `Community threads · ${brand.name} · last ${window_days} days`,
    ...listed(total, threads.length, 'cited thread').map((text) => `${text} · ${presence(threads)}`),
  );
  paper.table(null, threadsTable, threads);
}

/** In how many the brand is, of those that were looked at. */
function presence(threads: readonly CommunityThread[]): string {
  const checked = threads.filter(({ brand_in_thread }) => brand_in_thread !== null);
  if (checked.length === 0) return 'none checked for the brand';
  const present = checked.filter(({ brand_in_thread }) => brand_in_thread);
  return `the brand is in ${present.length} of ${checked.length} checked`;
}

const threadsTable: TableView<CommunityThread> = {
  noun: 'cited threads on record in this window',
  columns: [
    words('thread', ({ title }) => title, {
      absence: 'not stated',
      room: 'flexible',
      link: ({ url }) => url,
    }),
    words('domain', ({ domain }) => domain, { room: 'flexible' }),
    words('kind', ({ kind }) => kind, { absence: 'not stated' }),
    yesNo('brand', ({ brand_in_thread }) => brand_in_thread, { absence: 'not checked' }),
    count('citations', ({ citations }) => citations),
    count('answers', ({ answers }) => answers, { room: 'spare' }),
    day('checked', ({ checked_at }) => checked_at, 'not checked'),
    engines,
    { ...page<CommunityThread>('url', ({ url }) => url), room: 'spare' },
  ],
};
