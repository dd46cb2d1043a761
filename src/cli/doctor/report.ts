import { printable } from '../../contract/printable.js';
import { type Format, styled } from '../render/colour.js';
import { wrapped } from '../render/wrap.js';
import { type Check, worst } from './check.js';

const marks: { readonly [S in Check['status']]: readonly [mark: string, look: Format] } = {
  ok: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  failure: ['failure', 'red'],
};
const MARK_WIDTH = 7;
const NAME_WIDTH = 12;
const GAP = '  ';
const INDENT = ' '.repeat(MARK_WIDTH + NAME_WIDTH + 2 * GAP.length);
/** In a narrower terminal the finding begins on a line of its own. */
const NARROW = 60;

/** The lines of a check, at most `width` columns. */
export function checkLines({ name, status, finding, remedy }: Check, width: number | undefined): string {
  const [mark, look] = marks[status];
  const head = styled([look], mark.padEnd(MARK_WIDTH), process.stdout) + GAP + name.padEnd(NAME_WIDTH);
  const isNarrow = width !== undefined && width < NARROW;
  const indent = isNarrow ? GAP : INDENT;
  const lines = [finding, ...(remedy === null ? [] : [`→ ${remedy}`])].flatMap((text) =>
    wrapped(printable(text), width && width - indent.length),
  );
  if (isNarrow) return [head.trimEnd(), ...lines.map((line) => indent + line), ''].join('\n');
  return [head + GAP + lines[0], ...lines.slice(1).map((line) => indent + line), ''].join('\n');
}

/** The JSON of all checks. */
export const checksJson = (checks: readonly Check[]): object => ({
  status: worst(checks),
  checks: checks.map(({ name, status, finding, remedy }) => ({ check: name, status, finding, remedy })),
});

/** One line that sums up the checks. */
export function summary(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  return `${checks.length} checks: ${count('failure')} failed, ${count('warning')} with a warning.`;
}
