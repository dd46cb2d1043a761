import { label } from '../../contract/glossary.js';
import { type fanout, fanouts } from '../../contract/reads/fanouts.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { count, engines, type TableView, text, yesNo } from '../render/view.js';
import { datesText, listed } from '../render/wording.js';

type Data = Infer<typeof fanouts.response>;

type Fanout = Infer<typeof fanout>;

export default class Fanouts extends ApiCommand {
  static override inHelp = { group: 'CITATIONS', place: 8 };
  static override summary = fanouts.summary;
  static override description =
    'Before it answers, an assistant runs searches of its own. Some only repeat the prompt; the others ' +
    'show what else the assistant searched for. Volumes are measured or unknown, never estimated.';
  static override examples = ['<%= config.bin %> fanouts', '<%= config.bin %> fanouts --format csv'];
  static override flags = readFlags(fanouts);

  override async run(): Promise<void> {
    const { flags } = await this.parse(Fanouts);
    return printRead(this, flags, fanouts, {
      request: (svc, params, options) => svc.tools.call(fanouts.tool, params, options),
      view: {
        table: () => searchesView,
        draw,
      },
    });
  }
}

function draw({ brand, total, fanouts, ...days }: Data, document: Document): void {
  document.title(
    `Searches behind the answers · ${brand.name} · ${datesText(days)}`,
    ...listed(total, fanouts.length, 'search', 'searches'),
  );
  document.table(null, searchesView, fanouts);
}

const searchesView: TableView<Fanout> = {
  noun: 'searches on record in this window',
  columns: [
    text('search', ({ query }) => query, { room: 'flexible' }),
    yesNo(label('repeatsPrompt'), ({ is_echo }) => is_echo),
    count(label('answers'), ({ runs }) => runs),
    count('prompts', ({ prompts }) => prompts.length),
    count('volume', ({ volume }) => volume),
    text('prompt ids', ({ prompts }) => prompts.join(', '), { room: 'spare' }),
    engines,
  ],
};
