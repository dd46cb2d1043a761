import { label } from '../../contract/glossary.js';
import type { fanout } from '../../contract/reads/fanouts.js';
import type { BodyOf } from '../../contract/registry.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { engines } from '../render/shared-columns.js';
import { count, type TableView, text, yesNo } from '../render/view.js';
import { datesText, listed } from '../render/wording.js';

type Data = BodyOf<'fanouts'>;

type Fanout = Infer<typeof fanout>;

export default class Fanouts extends readCommand('fanouts', {
  view: {
    table: () => searchesView,
    draw,
  },
}) {
  static override description =
    'Before it answers, an assistant runs searches of its own. Some only repeat the prompt; the others ' +
    'show what else the assistant searched for. Volumes are measured or unknown, never estimated.';
  static override examples = ['<%= config.bin %> fanouts', '<%= config.bin %> fanouts --format csv'];
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
