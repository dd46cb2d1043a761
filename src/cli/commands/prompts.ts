import { label } from '../../contract/glossary.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { prompts } from '../../contract/reads/prompts.js';
import { listCommand } from '../base/read-command.js';
import { count, grouped, percent, position, score, text } from '../render/view.js';

export default listCommand(prompts, {
  inHelp: { group: 'VISIBILITY', place: 6 },
  request: (svc) => svc.prompts,
  view: {
    noun: 'prompts',
    uncertain: (row) => row.run_count < LOW_CONFIDENCE_BELOW_RUNS,
    columns: [
      // Never shortened, because answers and other reads refer to prompts by it.
      text('id', (row) => row.id),
      text(label('prompt'), (row) => row.text, { room: 'flexible' }),
      score(label('visibility'), (row) => row.visibility, 0),
      percent(label('presence_rate'), (row) => row.presence_rate),
      position(label('avg_position'), (row) => row.avg_position),
      count(label('answers'), (row) => row.run_count),
      // The em-dash of the contract for a prompt without a stage looks like “not measured”.
      text('stage', (row) => row.stage.replace(/^—$/, ''), { room: 'spare' }),
      text('topic', (row) => row.topic_name ?? row.topic, { room: 'spare' }),
      {
        head: 'asks a month',
        text: (row) => row.est_volume_band?.map(grouped).join('–') ?? null,
        align: 'right',
        room: 'spare',
      },
      text('tags', (row) => row.tags.join(', '), { room: 'spare' }),
    ],
  },
});
