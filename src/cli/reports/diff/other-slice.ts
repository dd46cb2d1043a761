/** The slice that `svc diff --with` names: the first one with some parameters changed. */
import { CommandError } from '../../failure/command-error.js';
import { suggestion } from '../../failure/suggestion.js';

/** Parameters of a request, by their names in the contract. */
export interface SliceParams {
  readonly [name: string]: unknown;
}

const HINT = 'As in: --with engine=perplexity, or --with from=2026-10-01 --with to=2026-10-07.';

/**
 * @param slice The first slice.
 * @param changes `NAME=VALUE`; without a value the parameter is absent.
 * @param names The parameters of a slice.
 * @throws CommandError `usage` for another form, an unknown name, a name that is given twice, and for the same slice.
 */
export function otherSlice(
  slice: SliceParams,
  changes: readonly string[],
  names: readonly string[],
): SliceParams {
  const changed = new Map<string, string>();
  for (const change of changes) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(change) ?? [];
    if (name === undefined) throw usage(`--with ${change}: it takes NAME=VALUE.`);
    if (!names.includes(name))
      throw usage(`--with: unknown name: ${name}. Known are ${names.join(', ')}.${suggestion(name, names)}`);
    if (changed.has(name)) throw usage(`--with ${name} is given twice. Separate several values by commas.`);
    changed.set(name, value!);
  }
  const { ...other }: { [name: string]: unknown } = slice;
  for (const [name, value] of changed) {
    if (value === '') delete other[name];
    else other[name] = value;
  }
  if (names.every((name) => other[name] === slice[name]))
    throw usage(`--with ${changes.join(' --with ')} is the same slice: there is nothing to compare.`);
  return other;
}

const usage = (message: string): CommandError => new CommandError('usage', message, { hint: HINT });
