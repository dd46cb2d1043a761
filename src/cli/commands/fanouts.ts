import { fanout, fanouts } from '../../contract/reads/fanouts.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf, engines, grouped } from '../render/view.js';
import { datesText, listed } from '../render/wording.js';

const column = columnsOf(fanout);

export default readCommand(fanouts, {
  inHelp: { group: 'CITATIONS', place: 8 },
  description:
    'Before it answers, an assistant runs searches of its own. Some only repeat the prompt; the others ' +
    'show what else the assistant searched for. Volumes are measured or unknown, never estimated.',
  title: ({ brand, total, fanouts, ...days }) => [
    `Searches behind the answers · ${brand.name} · ${datesText(days)}`,
    ...listed(total, fanouts.length, 'search', 'searches'),
  ],
  table: {
    noun: 'searches on record in this window',
    columns: [
      column('query', { room: 'flexible' }),
      column('is_echo'),
      column('runs'),
      column('prompts', {
        head: 'prompts',
        text: ({ prompts }) => grouped(prompts.length),
        align: 'right',
      }),
      column('volume', { as: 'count' }),
      column('prompts', { text: ({ prompts }) => prompts.join(', '), room: 'spare' }),
      engines,
    ],
  },
});
