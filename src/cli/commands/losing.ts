import { boolean } from '@oclif/core/flags';
import { capital, label, SEARCH_ENGINES, title, valueLabel } from '../../contract/glossary.js';
import { PAGE_LIMIT } from '../../contract/limits.js';
import { brand } from '../../contract/params.js';
import { lastDays } from '../../contract/wording.js';
import { ApiCommand } from '../base/api-command.js';
import { formatFlag, objectOutputFlags, paramFlags } from '../base/flags.js';
import { present, type ReadFlags } from '../base/read.js';
import type { Document } from '../render/document.js';
import { formatObject, type ObjectView } from '../render/format.js';
import { count, counted, type TableView, text } from '../render/view.js';
import { datesText } from '../render/wording.js';
import {
  extentOf,
  type Losing,
  type LosingPrompt,
  losing,
  losingPrompt,
  readLosing,
} from '../reports/prompts.js';

const params = { brand };

export default class LosingPrompts extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 7 };
  static override summary = `The ${label('absentPrompts')}, and the domains that are cited there`;
  static override description =
    `The brand is absent where a prompt was asked in the ${lastDays} and none of its answers (${SEARCH_ENGINES}) ` +
    `names it. A prompt without an answer is not measured. “${label('mostCitedElsewhere')}” is the domain that these ` +
    'answers cite most, without those of the brand; “own page” is a page of the brand that they cite although they ' +
    `do not name it. Costs 2 requests; --pages also reads all answers, ${PAGE_LIMIT.maximum} per request, and adds the ` +
    'most cited page of that domain and the name that most answers mention.';
  static override examples = [
    '<%= config.bin %> losing',
    '<%= config.bin %> losing --pages --limit 10',
    '<%= config.bin %> losing --fail-above totals.losing=5',
  ];
  static override flags = {
    ...formatFlag,
    ...paramFlags(params),
    pages: boolean({
      description: 'Add the most cited page and the name that most answers mention, from all answers',
    }),
    ...objectOutputFlags(losing, losingPrompt),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(LosingPrompts);
    const { pages } = flags;
    const { limit }: ReadFlags = flags;
    return present<typeof params, Losing>(this, flags, {
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

/** @param limit The maximum number of rows; undefined: all. */
const viewOf = (pages: boolean, limit: number | undefined): ObjectView<Losing, LosingPrompt> => ({
  schema: losingPrompt,
  rows: ({ prompts }) => prompts,
  table: () => promptsView(pages),
  isLimited: true,
  draw: ({ prompts, ...data }, document) =>
    draw({ ...data, prompts: prompts.slice(0, limit) }, document, pages),
});

function draw({ brand, totals, prompts, ...days }: Losing, document: Document, pages: boolean): void {
  const { measured } = totals;
  document.title(
    `${title('absentPrompts')} · ${brand.name} · ${datesText(days)}`,
    measured === 0
      ? `${counted(totals.prompts, 'active prompt')}, none measured: where the brand is absent is not known.`
      : capital(extentOf(totals)),
  );
  if (measured > 0) document.table(null, promptsView(pages), prompts);
  const [first] = prompts;
  if (first) document.sentences(`\`svc prompt ${first.prompt_id}\` shows the first one in full.`);
}

const NOTHING = { absence: 'nothing cited' };
const pathOf = (url: string | null): string => url?.replace(/^https?:\/\/(www\.)?/, '') ?? '';

const promptsView = (pages: boolean): TableView<LosingPrompt> => ({
  noun: `${label('absentPrompts')}: each measured prompt has an answer that names it`,
  columns: [
    // Never shortened, because it is the argument of `svc prompt`.
    text('id', ({ prompt_id }) => prompt_id),
    text(label('prompt'), (row) => row.text, { room: 'flexible' }),
    text(label('mostCitedElsewhere'), ({ winner }) => winner, { ...NOTHING, room: 'flexible' }),
    count(label('citations'), ({ winner_citations }) => winner_citations, NOTHING),
    ...(pages
      ? [
          text<LosingPrompt>(label('page'), ({ winner_page }) => pathOf(winner_page), {
            room: 'flexible',
            link: ({ winner_page }) => winner_page,
          }),
          text<LosingPrompt>('named most', ({ rival }) => rival ?? '', { room: 'flexible' }),
        ]
      : []),
    count(label('answers'), ({ run_count }) => run_count),
    text('own page', ({ own_page }) => own_page?.replace(/^https?:\/\/[^/]*/, '') ?? '', {
      room: 'spare',
      link: ({ own_page }) => own_page,
    }),
    text(
      label('kind'),
      ({ winner_classification: kind }) => (kind === null ? '' : valueLabel('kind', kind)),
      { room: 'spare' },
    ),
  ],
});
