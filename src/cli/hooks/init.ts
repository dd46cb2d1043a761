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
  const typed = words.join(' ');
  const known = config.commands.filter(({ hidden }) => !hidden).map((each) => each.id.replaceAll(':', ' '));
  const name = command?.join(' ');
  const near = nearest(
    typed,
    name === undefined ? known : known.filter((each) => each.startsWith(`${name} `)),
  );
  const advice = near === undefined ? '' : ` Did you mean ${bin} ${near}?`;
  if (name === undefined) return new CommandError('usage', `Unknown command: ${typed}.${advice}`, { hint });
  const rest = typed.slice(name.length + 1);
  return new CommandError('usage', `${bin} ${name} takes no argument: ${rest}${advice && `.${advice}`}`, {
    hint,
  });
}
