import { type CommunityThread, communityThread, communityThreads } from '../../contract/reads/threads.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf, engines, page } from '../render/view.js';
import { listed } from '../render/wording.js';

const column = columnsOf(communityThread);

export default readCommand(communityThreads, {
  inHelp: { group: 'CITATIONS', place: 5 },
  description:
    '“brand” says whether the brand is talked about in the thread; — is not checked, which is not a no.',
  title: ({ brand, window_days, total, threads }) => [
    `Community threads · ${brand.name} · last ${window_days} days`,
    ...listed(total, threads.length, 'cited thread').map((text) => `${text} · ${presence(threads)}`),
  ],
  table: {
    noun: 'cited threads on record in this window',
    columns: [
      column('title', { absence: 'not stated', room: 'flexible', link: ({ url }) => url }),
      column('domain', { room: 'flexible' }),
      column('kind', { absence: 'not stated' }),
      column('brand_in_thread', { absence: 'not checked' }),
      column('citations'),
      column('answers', { room: 'spare' }),
      column('checked_at', { as: 'day', absence: 'not checked' }),
      engines,
      { ...page, room: 'spare' },
    ],
  },
});

/** The number of checked threads with the brand in them. */
function presence(threads: readonly CommunityThread[]): string {
  const checked = threads.filter(({ brand_in_thread }) => brand_in_thread !== null);
  if (checked.length === 0) return 'none checked for the brand';
  const present = checked.filter(({ brand_in_thread }) => brand_in_thread);
  return `the brand is in ${present.length} of ${checked.length} checked`;
}
