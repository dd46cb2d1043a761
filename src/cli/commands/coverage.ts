import { contentCoverage, coveredPrompt } from '../../contract/reads/coverage.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf, counted, grouped } from '../render/view.js';
import { headingLines } from '../render/wording.js';

type Data = Infer<typeof contentCoverage.response>;

type CoveredPrompt = Infer<typeof coveredPrompt>;

const column = columnsOf(coveredPrompt);
const NO_ANSWER = { absence: 'no answer collected' };

export default readCommand(contentCoverage, {
  inHelp: { group: 'CITATIONS', place: 3 },
  description:
    'One row per active prompt: whether an answer cites a page of the brand, how many of its pages, and the ' +
    'three other domains that are cited most. — is a prompt without an answer, which is not a no.',
  title: ({ totals, prompts: _, ...about }) => [
    ...headingLines(about, 'Content coverage'),
    ...extent(totals),
  ],
  table: {
    noun: 'active prompts',
    columns: [
      // Never shortened, because it is the argument of `svc prompt`.
      column('prompt_id', { head: 'id' }),
      column('text', { room: 'flexible' }),
      column('run_count'),
      column('cites_own', NO_ANSWER),
      column('own_pages', {
        ...NO_ANSWER,
        head: 'own pages',
        text: (row) => ofAnswered(row, grouped(row.own_pages.length)),
        align: 'right',
      }),
      column('winners', {
        ...NO_ANSWER,
        text: (row) => ofAnswered(row, winnersOf(row)),
        room: 'flexible',
      }),
      column('own_pages', {
        text: ({ own_pages: [first] }) => (first ? pathOf(first.url) : ''),
        room: 'spare',
        link: ({ own_pages: [first] }) => first?.url ?? null,
      }),
    ],
  },
});

function extent({ prompts, measured, covered }: Data['totals']): string[] {
  if (prompts === 0) return [];
  const all = counted(prompts, 'active prompt');
  if (measured === 0) return [`${all}, none measured`];
  return [
    `${all}, ${grouped(measured)} measured · answers to ${grouped(covered)} of these cite a page of the brand`,
  ];
}

/** Null for a prompt without an answer: its pages and domains are unknown, which is not the same as none. */
const ofAnswered = <T>({ cites_own }: CoveredPrompt, value: T): T | null =>
  cites_own === null ? null : value;

const winnersOf = ({ winners }: CoveredPrompt): string =>
  winners.map(({ domain, citations }) => `${domain} ${citations}`).join(', ');

/** The path identifies a page, because all own pages are on the site of the brand. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]*/, '');
