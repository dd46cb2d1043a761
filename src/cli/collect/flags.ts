import { boolean, custom, integer, string } from '@oclif/core/flags';
import { MOST_SAMPLES } from '../../contract/limits.js';
import { type NonAnswer, nonAnswers } from '../../contract/surfaces.js';

const dollars = custom<number>({
  helpValue: 'USD',
  parse: async (text) => {
    const value = /^\d{1,7}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    // The parser puts the name of the flag before the message.
    if (Number.isNaN(value))
      throw new Error(`expected US dollars, such as 5 or 0.5, got ${text.slice(0, 40)}.`);
    return value;
  },
});

const answers = custom<NonAnswer[]>({
  helpValue: 'KIND,...',
  parse: async (text) => {
    const kinds = text.split(',').map((kind) => kind.trim());
    const known = nonAnswers.filter((kind) => kinds.includes(kind));
    if (known.length === 0 || kinds.some((kind) => !known.some((each) => each === kind)))
      throw new Error(`expected ${nonAnswers.join(', ')}, or several with commas, got ${text.slice(0, 40)}.`);
    return known;
  },
});

export const collectFlags = {
  plan: string({ description: 'The plan: engines, models, prices', helpValue: 'FILE', required: true }),
  brand: string({ description: 'Id of the brand whose prompts are asked', helpValue: 'ID', required: true }),
  dataset: string({
    description: 'Dataset file with brand and prompts, instead of the database; needs --out',
    helpValue: 'FILE',
  }),
  out: string({
    description: 'Write the runs to this dataset file, and import nothing; the journal is FILE.journal',
    helpValue: 'FILE',
  }),
  samples: integer({
    description: 'Runs per prompt, engine and region; overrides the plan',
    min: 1,
    max: MOST_SAMPLES,
  }),
  'max-usd': dollars({
    description: 'Send a call only if the most that it may cost fits into this, for all calls of the journal',
  }),
  'max-calls': integer({ description: 'Stop after this many calls in the journal', min: 0 }),
  resume: boolean({ description: 'Send calls again that failed or were lost, and may have been charged' }),
  retry: answers({
    description: `Ask again for answers that are no runs, and pay again: ${nonAnswers.join(', ')}`,
  }),
  'keep-raw': string({ description: 'Keep the raw responses in this folder', helpValue: 'FOLDER' }),
  'dry-run': boolean({ description: 'Print calls and cost; send and write nothing' }),
  yes: boolean({ char: 'y', description: 'Do not ask before sending' }),
  quiet: boolean({ char: 'q', description: 'Show no progress and no notes' }),
};
