import { label } from '../../contract/glossary.js';
import { contentCoverage, type coveredPrompt } from '../../contract/reads/coverage.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { count, counted, grouped, type TableView, text, yesNo } from '../render/view.js';
import { headingLines } from '../render/wording.js';

type Data = Infer<typeof contentCoverage.response>;

type CoveredPrompt = Infer<typeof coveredPrompt>;

export default class Coverage extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 3 };
  static override summary = contentCoverage.summary;
  static override description =
    'One row per active prompt: whether an answer cites a page of the brand, how many of its pages, and the ' +
    'three other domains that are cited most. — is a prompt without an answer, which is not a no.';
  static override examples = ['<%= config.bin %> coverage', '<%= config.bin %> coverage --format csv'];
  static override flags = readFlags(contentCoverage);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Coverage);
    return printRead(this, flags, contentCoverage, {
      request: (svc, params, options) => svc.tools.call(contentCoverage.tool, params, options),
      view: {
        table: () => promptsView,
        draw,
      },
    });
  }
}

function draw({ totals, prompts, ...about }: Data, document: Document): void {
  document.title(...headingLines(about, 'Content coverage'), ...extent(totals));
  document.table(null, promptsView, prompts);
}

function extent({ prompts, measured, covered }: Data['totals']): string[] {
  if (prompts === 0) return [];
  const all = counted(prompts, 'active prompt');
  if (measured === 0) return [`${all}, none measured`];
  return [
    `${all}, ${grouped(measured)} measured · answers to ${grouped(covered)} of these cite a page of the brand`,
  ];
}

const NO_ANSWER = { absence: 'no answer collected' };

/** Null for a prompt without an answer: its pages and domains are unknown, which is not the same as none. */
const ofAnswered = <T>({ cites_own }: CoveredPrompt, value: T): T | null =>
  cites_own === null ? null : value;

const winnersOf = ({ winners }: CoveredPrompt): string =>
  winners.map(({ domain, citations }) => `${domain} ${citations}`).join(', ');

/** The path identifies a page, because all own pages are on the site of the brand. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]*/, '');

const promptsView: TableView<CoveredPrompt> = {
  noun: 'active prompts',
  columns: [
    // Never shortened, because it is the argument of `svc prompt`.
    text('id', ({ prompt_id }) => prompt_id),
    text(label('prompt'), ({ text }) => text, { room: 'flexible' }),
    count(label('answers'), ({ run_count }) => run_count),
    yesNo('own cited', ({ cites_own }) => cites_own, NO_ANSWER),
    count('own pages', (row) => ofAnswered(row, row.own_pages.length), NO_ANSWER),
    text(`${label('mostCitedElsewhere')} (citations)`, (row) => ofAnswered(row, winnersOf(row)), {
      ...NO_ANSWER,
      room: 'flexible',
    }),
    text('most cited own page', ({ own_pages: [first] }) => (first ? pathOf(first.url) : ''), {
      room: 'spare',
      link: ({ own_pages: [first] }) => first?.url ?? null,
    }),
  ],
};
