import {
  type pageRank,
  type TrackedPage,
  trackedPage,
  trackedPages,
} from '../../contract/reads/tracked-pages.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import { type Column, columnsOf, count, engines, page } from '../render/view.js';
import { listed } from '../render/wording.js';

type PageRank = Infer<typeof pageRank>;

const column = columnsOf(trackedPage);

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
      page,
      column('citations_total'),
      column('last_cited', NEVER_CITED),
      ...rankColumns(pages),
      column('answers_total', { room: 'spare' }),
      column('first_cited', { ...NEVER_CITED, as: 'day' }),
      column('title', { absence: 'not stated', room: 'spare' }),
      column('added_at', { as: 'day', absence: 'not stated' }),
      engines,
    ],
  }),
});

const NEVER_CITED = { absence: 'never cited' };

const NEVER_FETCHED = { absence: 'never fetched', room: 'spare' } as const;

/** A column per metric that any page has, with the name that the provider uses; without metrics, one empty column. */
function rankColumns(pages: readonly TrackedPage[]): Column<TrackedPage>[] {
  const heads = new Set(pages.flatMap(({ ranks }) => ranks?.map(headOf) ?? []));
  if (heads.size === 0) return [column('ranks', { ...NEVER_FETCHED, text: ({ ranks }) => ranks && '' })];
  return [...heads].map((head) =>
    count(head, ({ ranks }) => ranks?.find((rank) => headOf(rank) === head)?.value ?? null, NEVER_FETCHED),
  );
}

const headOf = ({ provider, metric }: PageRank): string => `${provider} ${metric}`.replaceAll('_', ' ');
