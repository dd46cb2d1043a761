import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { prompt, prompts } from '../../contract/reads/prompts.js';
import { listCommand } from '../base/read-command.js';
import { columnsOf, grouped } from '../render/view.js';

const column = columnsOf(prompt);

export default listCommand(prompts, {
  inHelp: { group: 'VISIBILITY', place: 6 },
  request: (svc) => svc.prompts,
  view: {
    noun: 'prompts',
    uncertain: (row) => row.run_count < LOW_CONFIDENCE_BELOW_RUNS,
    columns: [
      // Never shortened, because answers and other reads refer to prompts by it.
      column('id'),
      column('text', { room: 'flexible' }),
      column('visibility', { text: ({ visibility }) => visibility?.toFixed(0) ?? null }),
      column('presence_rate'),
      column('avg_position'),
      column('run_count'),
      // The em-dash of the contract for a prompt without a stage looks like “not measured”.
      column('stage', { text: (row) => row.stage.replace(/^—$/, ''), room: 'spare' }),
      column('topic', { text: (row) => row.topic_name ?? row.topic, room: 'spare' }),
      column('est_volume_band', {
        text: (row) => row.est_volume_band?.map(grouped).join('–') ?? null,
        align: 'right',
        room: 'spare',
      }),
      column('tags', { text: (row) => row.tags.join(', '), room: 'spare' }),
    ],
  },
});
