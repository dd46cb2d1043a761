import { label } from '../../contract/glossary.js';
import { type pageRank, type TrackedPage, trackedPages } from '../../contract/reads/tracked-pages.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import { type Column, count, day, engines, page, text } from '../render/view.js';
import { listed } from '../render/wording.js';

type PageRank = Infer<typeof pageRank>;

export default readCommand(trackedPages, {
  inHelp: { group: 'CITATIONS', place: 4 },
  description:
    'Citations and answers are counted over all time and every engine. Ranks are what third parties state, ' +
    'in their own words; — is a page for which none was ever fetched, which is not a rank of zero.',
  title: ({ brand, total, pages }) => [
    `Tracked pages · ${brand.name} · all time`,
    ...listed(total, pages.length, 'page'),
  ],
  table: ({ pages }) => ({
    noun: 'tracked pages',
    columns: [
      page(label('page'), ({ url }) => url),
      count(label('citations'), ({ citations_total }) => citations_total),
      text('last cited', ({ last_cited }) => last_cited, { absence: NEVER_CITED }),
      ...rankColumns(pages),
      count(label('answers'), ({ answers_total }) => answers_total, { room: 'spare' }),
      day('first cited', ({ first_cited }) => first_cited, NEVER_CITED),
      text('title', ({ title }) => title, { absence: 'not stated', room: 'spare' }),
      day('tracked since', ({ added_at }) => added_at, 'not stated'),
      engines,
    ],
  }),
});

const NEVER_CITED = 'never cited';

const NEVER_FETCHED = { absence: 'never fetched', room: 'spare' } as const;

/** A column per metric that any page has, with the name that the provider uses; without metrics, one empty column. */
function rankColumns(pages: readonly TrackedPage[]): Column<TrackedPage>[] {
  const heads = new Set(pages.flatMap(({ ranks }) => ranks?.map(headOf) ?? []));
  if (heads.size === 0) return [text('ranks', ({ ranks }) => ranks && '', NEVER_FETCHED)];
  return [...heads].map((head) =>
    count(head, ({ ranks }) => ranks?.find((rank) => headOf(rank) === head)?.value ?? null, NEVER_FETCHED),
  );
}

const headOf = ({ provider, metric }: PageRank): string => `${provider} ${metric}`.replaceAll('_', ' ');
