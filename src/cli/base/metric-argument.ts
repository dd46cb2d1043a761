import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { label } from '../../contract/glossary.js';
import { CommandError } from '../command-error.js';
import type { ReadFlags } from './read.js';

/**
 * The metric of a command: the words behind its name, without quotes, or the flag --metric.
 * @param names The metrics in the words of people.
 * @param known The metric of a word; `where` names the word in the error about an unknown one.
 * @param usual The metric if none is given; if omitted, the server chooses.
 */
export const metricArgument = <M extends string>(
  names: readonly string[],
  known: (word: string, where: string) => M,
  usual?: M,
) => {
  const metrics = `${names.join(', ')} (default ${label('visibility')}), or its name in the API`;
  return {
    strict: false,
    args: { metric: Args.string({ description: `The metric: ${metrics}`, ignoreStdin: true }) },
    flags: { metric: string({ description: `The same as METRIC: ${metrics}`, helpValue: 'METRIC' }) },
    given(flags: ReadFlags, argv: readonly string[]): ReadFlags {
      const word = argv.join(' ');
      const flag = flags.metric as string | undefined;
      const argued = word === '' ? undefined : known(word, 'METRIC');
      const flagged = flag === undefined ? undefined : known(flag, '--metric');
      if (argued !== undefined && flagged !== undefined && argued !== flagged)
        throw new CommandError('usage', `Two metrics are given, ${word} and --metric ${flag}.`);
      const metric = argued ?? flagged ?? usual;
      return metric === undefined ? flags : { ...flags, metric };
    },
  };
};
