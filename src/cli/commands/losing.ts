import { boolean } from '@oclif/core/flags';
import { PAGE_LIMIT } from '../../contract/limits.js';
import { brand } from '../../contract/params.js';
import { lastDays } from '../../contract/wording.js';
import { paramFlags } from '../base/flags.js';
import { objectOutputFlags } from '../base/output-flags.js';
import { ReadCommand, type ReadFlags } from '../base/read-command-base.js';
import type { Document } from '../render/document.js';
import { formatObject, type ObjectView } from '../render/object-format.js';
import { count, counted, grouped, type TableView, text } from '../render/view.js';
import { datesText } from '../render/wording.js';
import {
  type Losing,
  type LosingPrompt,
  losing,
  losingPrompt,
  readLosing,
} from '../reports/prompts/losing.js';

const params = { brand };

export default class LosingPrompts extends ReadCommand {
  static override summary = 'The prompts whose answers never name the brand, and who is cited there instead';
  static override description =
    `A prompt is lost when it was asked in the ${lastDays} and none of its answers (blended search-grounded ` +
    'engines) mentions the brand; prompts without an answer are not measured, and not lost. “winner” is the most ' +
    'cited domain besides the brand’s, “own page” a page of the brand that is cited although the brand is not named. ' +
    `Costs 2 requests; --pages reads all answers too, a request for ${PAGE_LIMIT.maximum}, and adds the winner’s most ` +
    'cited page and the name that most answers mention.';
  static override examples = [
    '<%= config.bin %> losing',
    '<%= config.bin %> losing --pages --limit 10',
    '<%= config.bin %> losing --fail-above totals.losing=5',
  ];
  static override flags = {
    ...paramFlags(params),
    pages: boolean({
      description: 'Name the page that wins and the rival that is named, from all answers',
    }),
    ...objectOutputFlags(losing, losingPrompt),
  };

  override async run(): Promise<void> {
    const { pages = false, limit } = await this.readFlags<ReadFlags & { readonly pages?: boolean }>();
    return this.present<Losing>({
      params,
      waiting: pages ? 'Reading prompts, coverage and answers …' : 'Reading prompts and coverage …',
      request: (svc, _, options) => readLosing(svc, pages, options),
      show: (format, data, { picked }) => formatObject(format, viewOf(pages, limit), data, picked),
      row: losingPrompt,
      response: losing,
      limited: (data, most) => ({ ...data, prompts: data.prompts.slice(0, most) }),
    });
  }
}

/** @param limit The most rows; absent: all. */
const viewOf = (pages: boolean, limit: number | undefined): ObjectView<Losing, LosingPrompt> => ({
  schema: losingPrompt,
  rows: ({ prompts }) => prompts,
  table: () => promptsView(pages),
  isLimited: true,
  draw: ({ prompts, ...data }, document) =>
    draw({ ...data, prompts: prompts.slice(0, limit) }, document, pages),
});

function draw({ brand, totals, prompts, ...days }: Losing, document: Document, pages: boolean): void {
  const { measured, losing: lost } = totals;
  document.title(
    `Lost prompts · ${brand.name} · ${datesText(days)}`,
    measured === 0
      ? `${counted(totals.prompts, 'active prompt')}, none measured: whether prompts are lost is not known.`
      : `${grouped(lost)} of ${counted(measured, 'measured prompt')} never name the brand · ${grouped(totals.prompts - measured)} not measured`,
  );
  if (measured > 0) document.table(null, promptsView(pages), prompts);
  const [first] = prompts;
  if (first) document.sentences(`\`svc prompt ${first.prompt_id}\` shows the first one in full.`);
}

const NOTHING = { absence: 'nothing cited' };
const pathOf = (url: string | null): string => url?.replace(/^https?:\/\/(www\.)?/, '') ?? '';

const promptsView = (pages: boolean): TableView<LosingPrompt> => ({
  noun: 'lost prompts: every measured prompt has an answer that names the brand',
  columns: [
    // Never shortened, because it is the argument of `svc prompt`.
    text('id', ({ prompt_id }) => prompt_id),
    text('prompt', (row) => row.text, { room: 'flexible' }),
    text('winner', ({ winner }) => winner, { ...NOTHING, room: 'flexible' }),
    count('citations', ({ winner_citations }) => winner_citations, NOTHING),
    ...(pages
      ? [
          text<LosingPrompt>('page', ({ winner_page }) => pathOf(winner_page), {
            room: 'flexible',
            link: ({ winner_page }) => winner_page,
          }),
          text<LosingPrompt>('named most', ({ rival }) => rival ?? '', { room: 'flexible' }),
        ]
      : []),
    count('answers', ({ run_count }) => run_count),
    text('own page', ({ own_page }) => own_page?.replace(/^https?:\/\/[^/]*/, '') ?? '', {
      room: 'spare',
      link: ({ own_page }) => own_page,
    }),
    text('label', ({ winner_classification }) => winner_classification ?? '', { room: 'spare' }),
  ],
});
