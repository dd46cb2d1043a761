import { label } from '../../contract/glossary.js';
import { type CommunityThread, communityThreads } from '../../contract/reads/threads.js';
import { readCommand } from '../base/read-command.js';
import { count, day, engines, page, text, yesNo } from '../render/view.js';
import { listed } from '../render/wording.js';

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
      text('thread', ({ title }) => title, {
        absence: 'not stated',
        room: 'flexible',
        link: ({ url }) => url,
      }),
      text(label('domain'), ({ domain }) => domain, { room: 'flexible' }),
      text(label('kind'), ({ kind }) => kind, { absence: 'not stated' }),
      yesNo('brand', ({ brand_in_thread }) => brand_in_thread, { absence: 'not checked' }),
      count(label('citations'), ({ citations }) => citations),
      count(label('answers'), ({ answers }) => answers, { room: 'spare' }),
      day('checked', ({ checked_at }) => checked_at, 'not checked'),
      engines,
      { ...page<CommunityThread>(label('page'), ({ url }) => url), room: 'spare' },
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
