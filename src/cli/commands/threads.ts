import { label } from '../../contract/glossary.js';
import { type CommunityThread, communityThreads } from '../../contract/reads/threads.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { count, day, engines, page, type TableView, text, yesNo } from '../render/view.js';
import { listed } from '../render/wording.js';

type Data = Infer<typeof communityThreads.response>;

export default class Threads extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 5 };
  static override summary = communityThreads.summary;
  static override description =
    '“brand” says whether the brand is talked about in the thread; — is not checked, which is not a no.';
  static override examples = ['<%= config.bin %> threads', '<%= config.bin %> threads --format csv'];
  static override flags = readFlags(communityThreads);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Threads);
    return printRead(this, flags, communityThreads, {
      request: (svc, params, options) => svc.tools.call(communityThreads.tool, params, options),
      view: {
        table: () => threadsTable,
        draw,
      },
    });
  }
}

function draw({ brand, window_days, total, threads }: Data, document: Document): void {
  document.title(
    `Community threads · ${brand.name} · last ${window_days} days`,
    ...listed(total, threads.length, 'cited thread').map((text) => `${text} · ${presence(threads)}`),
  );
  document.table(null, threadsTable, threads);
}

/** The number of checked threads with the brand in them. */
function presence(threads: readonly CommunityThread[]): string {
  const checked = threads.filter(({ brand_in_thread }) => brand_in_thread !== null);
  if (checked.length === 0) return 'none checked for the brand';
  const present = checked.filter(({ brand_in_thread }) => brand_in_thread);
  return `the brand is in ${present.length} of ${checked.length} checked`;
}

const threadsTable: TableView<CommunityThread> = {
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
};
