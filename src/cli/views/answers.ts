import type { Answer } from '../../contract/reads/answers.js';
import { date } from '../render/columns.js';
import { count, type TableView, words, yesNo } from '../render/view.js';

export const answersView: TableView<Answer> = {
  noun: 'answers',
  columns: [
    date(),
    words('engine', (row) => row.engine),
    // Whole, so that it is found among the prompts.
    words('prompt id', (row) => row.prompt_id),
    yesNo('brand', (row) => row.brand_present),
    words('mentions, by rank', (row) => row.mentions.map(({ name }) => name).join(', '), {
      room: 'flexible',
    }),
    count('citations', (row) => row.citations.length),
    words('region', (row) => row.region, { room: 'spare' }),
    words('model', (row) => row.model, { room: 'spare' }),
    words('id', (row) => row.id, { room: 'spare' }),
  ],
};
