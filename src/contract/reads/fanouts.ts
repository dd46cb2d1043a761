import { engineIds } from '../engines.js';
import { TOOL_CAPS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, totalRows, windowDays } from '../read.js';
import { count, flag, headed, list, nullable, number, object, oneOfOrNewer, part, text } from '../schema.js';
import { measuredDays, measuredWindow, windowRange } from '../slice.js';
import { allEngines } from '../wording.js';

export const fanout = part('A search that engines ran behind answers', {
  query: text('The search, exactly as the engine stated it', 'search'),
  runs: count('Answers that it was run behind', {
    what: 'How many answers an engine ran the search for.',
    formula: `distinct answers; the ${TOOL_CAPS.fanouts} most frequent searches are listed`,
    unit: 'runs',
    empty: 'never null: only searches that ran are listed',
  }),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that ran it'),
  prompts: headed('prompt ids', list(text('Prompt id'), 'Prompts that it was run for, by id')),
  is_echo: flag('It only repeats one of its prompts: equal but for case, white space and punctuation'),
  volume: nullable(
    number('Measured search volume; null: not measured, never estimated', {
      what: 'How often people search it.',
      formula: 'as the dataset states it',
      unit: 'searches a month',
      scale: '0 and up',
      empty: 'null: not measured, never estimated',
    }),
  ),
});

export const fanouts = defineRead({
  tool: 'list_fanouts',
  group: 'coverage',
  mainRows: { at: ['fanouts'] },
  summary:
    'The searches that assistants ran behind answers, echoes of the prompt flagged, measured volumes only',
  guide: `What do assistants search for before they answer? Up to ${TOOL_CAPS.fanouts}, on ${allEngines}. is_echo: only repeats a prompt. volume is measured or null, never estimated.`,
  needsRuns: false,
  params: { brand, ...windowRange },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    total: count('Distinct searches in the window', totalRows),
    fanouts: list(fanout, `By runs descending, then by query; at most ${TOOL_CAPS.fanouts}; every engine`),
    window: measuredWindow,
    measured: measuredDays,
    ...caveats,
  }),
});
