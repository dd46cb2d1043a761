import { engineIds } from '../engines.js';
import { CAPS, SEARCHED_ANSWERS } from '../limits.js';
import { brand, paging } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import { count, type Infer, list, object, oneOfOrNewer, part, text } from '../schema.js';
import { sliced, sliceParams } from '../slice.js';

export const untrackedName = part('A name in answers that nobody tracks', {
  name: text('The name, in the spelling that most answers have'),
  answers: count('Answers that name it, in any case of its letters', {
    group: 'sample',
    name: 'names.answers',
    what: 'How many answers name somebody who is not tracked.',
    formula: 'distinct answers of listed_answers with the name; spellings that differ in case only are one',
    unit: 'answers',
    empty: 'never null: only names of such an answer are listed',
  }),
  prompts: count('Prompts with such an answer', {
    group: 'sample',
    name: 'names.prompts',
    head: 'prompts',
    what: 'How many prompts have answers with a name that is not tracked.',
    formula: 'distinct prompts of the answers',
    unit: 'prompts',
    empty: 'never null: only names of such an answer are listed',
  }),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines with such an answer, in contract order'),
});

export const names = defineRead({
  path: 'names',
  tool: 'list_names',
  summary: 'Names in answers that are neither the brand nor a tracked competitor',
  guide: `Whom do answers name that nobody tracks? The ${CAPS.names} most named. Only answers whose names were all listed count: listed_answers says how many.`,
  needsRuns: true,
  params: { brand, ...paging, ...sliceParams },
  rows: 'names',
  order: ['answers', 'name'],
  response: object({
    brand: brandRef,
    names: list(untrackedName, `The ${CAPS.names} in most answers; pages are ordered by name`),
    listed_answers: count(
      `Answers whose names were all listed, of the newest ${SEARCHED_ANSWERS.toLocaleString('en')}; in others only tracked names were looked for; 0: nothing is known of other names`,
      {
        group: 'sample',
        what: 'The answers in which every name was listed, not only those that are tracked.',
        formula: `the newest ${SEARCHED_ANSWERS.toLocaleString('en')} answers of the window and the slice, without those in which only tracked names were looked for`,
        unit: 'answers',
        empty: '0: there is none',
      },
    ),
    ...sliced,
    ...caveats,
  }),
});

export type UntrackedName = Infer<typeof untrackedName>;
