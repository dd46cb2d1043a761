import { fanout } from '../../contract/reads/fanouts.js';
import type { Infer } from '../../contract/schema.js';
import type { ToolPayloadOf } from '../../contract/tools.js';
import { engines } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, type TableView, words, yesNo } from '../render/view.js';
import { listed } from '../render/wording.js';

type Fanouts = ToolPayloadOf<'list_fanouts'>;
type Fanout = Infer<typeof fanout>;

export const fanoutsView: SheetView<Fanouts, Fanout> = {
  schema: fanout,
  rows: ({ fanouts }) => fanouts,
  table: () => searchesView,
  draw,
};

function draw({ brand, window_days, total, fanouts }: Fanouts, paper: Paper): void {
  paper.title(
    `Fan-out searches · ${brand.name} · last ${window_days} days`,
    ...listed(total, fanouts.length, 'search', 'searches'),
  );
  paper.table(null, searchesView, fanouts);
}

const searchesView: TableView<Fanout> = {
  noun: 'searches on record in this window',
  columns: [
    words('search', ({ query }) => query, { room: 'flexible' }),
    yesNo('echo', ({ is_echo }) => is_echo),
    count('answers', ({ runs }) => runs),
    count('prompts', ({ prompts }) => prompts.length),
    count('volume', ({ volume }) => volume),
    engines,
    words('prompt ids', ({ prompts }) => prompts.join(', '), { room: 'spare' }),
  ],
};
