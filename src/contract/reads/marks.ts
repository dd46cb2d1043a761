import { engineIds } from '../engines.js';
import { brand } from '../params.js';
import { brandRef, defineRead } from '../read.js';
import { type Infer, list, nullable, object, oneOfOrNewer, part, text } from '../schema.js';

const chosen = (what: string, item: string) => nullable(list(text(item), `${what}; null: none stated`));

export const mark = part('What somebody did on a day', {
  id: text('Id'),
  day: text('The day on which it was done, YYYY-MM-DD'),
  text: text('What was done'),
  url: nullable(text('Where to read about it; null: not stated')),
  prompts: chosen('The prompts that it was done for', 'Prompt id'),
  topics: chosen('The topic folders whose prompts it was done for', 'Topic folder id'),
  tags: chosen('The tags whose prompts it was done for', 'Tag'),
  pages: chosen('The pages that it made or changed', 'Canonical URL'),
  engines: nullable(
    list(
      oneOfOrNewer(engineIds, 'Engine id'),
      'The engines that it was done for; null: those with a web search',
    ),
  ),
});

export const marks = defineRead({
  path: 'marks',
  tool: 'list_marks',
  group: 'effects',
  mainRows: { at: ['marks'] },
  summary: 'Marks: what was done on which day, and for which prompts',
  guide: 'What was done, and when? Newest first.',
  needsRuns: false,
  params: { brand },
  response: object({
    brand: brandRef,
    marks: list(mark, 'By day, the newest first, then by id'),
  }),
});

export type Mark = Infer<typeof mark>;

/** Whether the mark says which prompts it was done for; else it is only a flag. */
export const isForPrompts = ({ prompts, topics, tags }: Pick<Mark, 'prompts' | 'topics' | 'tags'>): boolean =>
  (prompts ?? topics ?? tags) !== null;
