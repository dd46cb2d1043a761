import { label } from '../../contract/glossary.js';
import { type pageRank, type TrackedPage, trackedPages } from '../../contract/reads/tracked-pages.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { type Column, count, day, engines, page, type TableView, text } from '../render/view.js';
import { listed } from '../render/wording.js';

type Data = Infer<typeof trackedPages.response>;

type PageRank = Infer<typeof pageRank>;

export default class TrackedPages extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 4 };
  static override summary = trackedPages.summary;
  static override description =
    'Citations and answers are counted over all time and every engine. Ranks are what third parties state, ' +
    'in their own words; — is a page for which none was ever fetched, which is not a rank of zero.';
  static override examples = [
    '<%= config.bin %> tracked-pages',
    '<%= config.bin %> tracked-pages --format csv',
  ];
  static override flags = readFlags(trackedPages);

  override async run(): Promise<void> {
    const { flags } = await this.parse(TrackedPages);
    return printRead(this, flags, trackedPages, {
      request: (svc, params, options) => svc.tools.call(trackedPages.tool, params, options),
      view: {
        table: pagesView,
        draw,
      },
    });
  }
}

function draw(data: Data, document: Document): void {
  const { brand, total, pages } = data;
  document.title(`Tracked pages · ${brand.name} · all time`, ...listed(total, pages.length, 'page'));
  document.table(null, pagesView(data), pages);
}

const NEVER_CITED = 'never cited';

function pagesView({ pages }: Data): TableView<TrackedPage> {
  return {
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
  };
}

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
