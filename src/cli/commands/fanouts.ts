import { label } from '../../contract/glossary.js';
import { fanouts } from '../../contract/reads/fanouts.js';
import { readCommand } from '../base/read-command.js';
import { count, engines, text, yesNo } from '../render/view.js';
import { datesText, listed } from '../render/wording.js';

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
      text('search', ({ query }) => query, { room: 'flexible' }),
      yesNo(label('repeatsPrompt'), ({ is_echo }) => is_echo),
      count(label('answers'), ({ runs }) => runs),
      count('prompts', ({ prompts }) => prompts.length),
      count('volume', ({ volume }) => volume),
      text('prompt ids', ({ prompts }) => prompts.join(', '), { room: 'spare' }),
      engines,
    ],
  },
});
