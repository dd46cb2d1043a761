import { boolean, integer } from '@oclif/core/flags';
import { capital, label, SEARCH_ENGINES, title, valueLabel } from '../../contract/glossary.js';
import { PAGE_LIMIT } from '../../contract/limits.js';
import { lastDays } from '../../contract/wording.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { givenDays, printRead, type ReadFlags } from '../base/read.js';
import type { Document } from '../render/document.js';
import type { Drawing } from '../render/format.js';
import { columnsOf, counted, grouped, type TableView } from '../render/view.js';
import { headingLines, lastDays as lastWeek } from '../render/wording.js';
import {
  extentOf,
  type Losing,
  type LosingPrompt,
  losing,
  readLosing,
  readSeldom,
  type Seldom,
  type SeldomPrompt,
  seldom,
} from '../reports/prompts.js';

export default class LosingPrompts extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 7 };
  static override summary = `The ${label('absentPrompts')}, and the domains that are cited there`;
  static override description =
    `The brand is absent where a prompt was asked in the ${lastDays} and none of its answers (${SEARCH_ENGINES}) ` +
    `names it. A prompt without an answer is not measured. “${label('mostCitedElsewhere')}” is the domain that these ` +
    'answers cite most, without those of the brand; “own page” is a page of the brand that they cite although they ' +
    `do not name it. Costs 2 requests; --pages also reads all answers, ${PAGE_LIMIT.maximum} per request, and adds the ` +
    'most cited page of that domain and the winner: the tracked competitor that most answers name, by any of its ' +
    'spellings. --below 10 lists the prompts whose answers seldom name the brand instead, with their winner.';
  static override examples = [
    '<%= config.bin %> losing',
    '<%= config.bin %> losing --pages --limit 10',
    '<%= config.bin %> losing --below 10',
    '<%= config.bin %> losing --fail-above totals.losing=5',
  ];
  static override flags = {
    ...readFlags(losing),
    pages: boolean({
      description: 'Add the most cited page and the rival that most answers name, from all answers',
    }),
    below: integer({
      description:
        'The prompts that name the brand in less than N % of their answers, and the rival that most answers name; reads all answers',
      helpValue: 'N',
      min: 1,
      max: 100,
      exclusive: ['pages'],
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(LosingPrompts);
    const { pages, below } = flags;
    const { limit }: ReadFlags = flags;
    const days = givenDays(flags) ?? lastWeek();
    const limited = <D extends { readonly prompts: readonly unknown[] }>(data: D, most: number): D => ({
      ...data,
      prompts: data.prompts.slice(0, most),
    });
    const all = 'Reading prompts, coverage and answers …';
    if (below === undefined)
      await printRead<typeof losing.params, Losing, LosingPrompt>(this, flags, losing, {
        waiting: pages ? all : 'Reading prompts and coverage …',
        request: (svc, _, options) => readLosing(svc, pages, days, options),
        view: viewOf(pages, limit),
        limited,
      });
    else
      await printRead<typeof seldom.params, Seldom, SeldomPrompt>(this, flags, seldom, {
        waiting: all,
        request: (svc, _, options) => readSeldom(svc, below / 100, days, options),
        view: seldomView(below, limit),
        limited,
      });
  }
}

/** @param limit The maximum number of rows; undefined: all. */
const viewOf = (pages: boolean, limit: number | undefined): Drawing<Losing, LosingPrompt> => ({
  table: () => promptsView(pages),
  isLimited: true,
  draw: ({ prompts, ...data }, document) =>
    draw({ ...data, prompts: prompts.slice(0, limit) }, document, pages),
});

function draw({ totals, prompts, ...about }: Losing, document: Document, pages: boolean): void {
  const { measured } = totals;
  document.title(
    ...headingLines(about, title('absentPrompts')),
    measured === 0
      ? `${counted(totals.prompts, 'active prompt')}, none measured: where the brand is absent is not known.`
      : capital(extentOf(totals)),
  );
  if (measured > 0) document.table(null, promptsView(pages), prompts);
  const [first] = prompts;
  if (first) document.sentences(`\`svc prompt ${first.prompt_id}\` shows the first one in full.`);
}

const NOTHING = { absence: 'nothing cited' };
const column = columnsOf(losing.response.fields.prompts.items);
const ofSeldom = columnsOf(seldom.response.fields.prompts.items);

const NO_RIVAL = { absence: 'no rival named' };

type Won = Pick<LosingPrompt, 'winner' | 'winner_answers'>;
const winnerColumns: TableView<Won>['columns'] = [
  column('winner', { ...NO_RIVAL, room: 'flexible' }),
  column('winner_answers', NO_RIVAL),
];

/** Empty if no page was read. */
const citedPage = column('cited_page', {
  as: 'page',
  text: ({ cited_page }) => cited_page?.replace(/^https?:\/\/(www\.)?/, '') ?? '',
});

const promptsView = (pages: boolean): TableView<LosingPrompt> => ({
  noun: `${label('absentPrompts')}: each measured prompt has an answer that names it`,
  columns: [
    // Never shortened, because it is the argument of `svc prompt`.
    column('prompt_id', { head: 'id' }),
    column('text', { room: 'flexible' }),
    column('cited', { ...NOTHING, room: 'flexible' }),
    column('cited_citations', NOTHING),
    ...(pages ? [citedPage, ...winnerColumns] : []),
    column('run_count'),
    column('own_page', {
      text: ({ own_page }) => own_page?.replace(/^https?:\/\/[^/]*/, '') ?? '',
      room: 'spare',
      link: ({ own_page }) => own_page,
    }),
    column('cited_classification', {
      text: ({ cited_classification: kind }) => (kind === null ? '' : valueLabel('kind', kind)),
      room: 'spare',
    }),
  ],
});

const seldomView = (below: number, limit: number | undefined): Drawing<Seldom, SeldomPrompt> => ({
  table: () => seldomTable,
  isLimited: true,
  draw: (data, document) => drawSeldom(data, document, below, limit),
});

function drawSeldom(
  { totals, prompts, ...about }: Seldom,
  document: Document,
  below: number,
  limit: number | undefined,
): void {
  const { measured } = totals;
  document.title(
    ...headingLines(about, `Prompts that name the brand in less than ${below} % of their answers`),
    measured === 0
      ? `${counted(totals.prompts, 'active prompt')}, none measured: how often they name the brand is not known.`
      : `${grouped(totals.below)} of ${counted(measured, 'measured prompt')} · ${grouped(totals.prompts - measured)} not measured`,
  );
  if (measured > 0) document.table(null, seldomTable, prompts.slice(0, limit));
  const [first] = prompts;
  if (first) document.sentences(`\`svc prompt ${first.prompt_id}\` shows the first one in full.`);
}

const seldomTable: TableView<SeldomPrompt> = {
  noun: 'prompts that name the brand so seldom',
  columns: [
    ofSeldom('prompt_id', { head: 'id' }),
    ofSeldom('text', { room: 'flexible' }),
    ofSeldom('presence_rate'),
    ...winnerColumns,
    ofSeldom('run_count'),
    ofSeldom('cited', { ...NOTHING, room: 'flexible' }),
    ofSeldom('cited_citations', { ...NOTHING, room: 'spare' }),
  ],
};
