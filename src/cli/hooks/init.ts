import type { Hook, Interfaces } from '@oclif/core';
import { CommandError } from '../command-error.js';
import { nearest } from '../suggestion.js';

/** oclif's own words for help and version, which are no commands. */
const known = ['--help', '-h', '--version'];

/**
 * Refuses an unknown command before oclif shows the help of whatever its beginning happens to name.
 * oclif lets hooks stop a run only with errors that state an exit code.
 */
const init: Hook<'init'> = async ({ id, argv, config }) => {
  if (id === undefined || known.includes(id) || argv.some((arg) => known.includes(arg))) return;
  if (config.findCommand(id) || config.findTopic(id)) return;
  throw Object.assign(refusal(id, config), { oclif: { exit: 2 } });
};

export default init;

function refusal(id: string, config: Interfaces.Config): CommandError {
  const { bin } = config;
  const hint = `\`${bin} --help\` lists the commands.`;
  if (id.startsWith('-')) {
    return new CommandError(
      'usage',
      `Unknown flag: ${id}. Flags stand behind the command: ${bin} overview --json`,
      {
        hint,
      },
    );
  }
  const words = id.split(':');
  const command = words
    .map((_, at) => words.slice(0, -at - 1))
    .find((start) => config.findCommand(start.join(':')));
  if (command) {
    const rest = words.slice(command.length).join(' ');
    return new CommandError('usage', `${bin} ${command.join(' ')} takes no argument: ${rest}`, { hint });
  }
  const typed = words.join(' ');
  const near = nearest(
    typed,
    config.commands.filter(({ hidden }) => !hidden).map(({ id }) => id.replaceAll(':', ' ')),
  );
  const advice = near === undefined ? '' : ` Did you mean ${bin} ${near}?`;
  return new CommandError('usage', `Unknown command: ${typed}.${advice}`, { hint });
}
