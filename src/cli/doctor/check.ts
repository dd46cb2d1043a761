import { printable } from '../../contract/printable.js';
import { type Format, styled, wrapped } from '../render/terminal.js';

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failure';
  /** What was found, in one sentence. */
  readonly finding: string;
  /** What to do about it, in one sentence; null: nothing. */
  readonly remedy: string | null;
}

export const ok = (name: string, finding: string): Check => ({ name, status: 'ok', finding, remedy: null });
/** A check that found something to mend, with which the command works. */
export const warning = (name: string, finding: string, remedy: string): Check => ({
  name,
  status: 'warning',
  finding,
  remedy,
});
/** A check that found why the command or the server does not work. */
export const failure = (name: string, finding: string, remedy: string): Check => ({
  name,
  status: 'failure',
  finding,
  remedy,
});

export const worst = (checks: readonly Check[]): Check['status'] =>
  (['failure', 'warning'] as const).find((status) => checks.some((check) => check.status === status)) ?? 'ok';

export const sentence = ({ finding, remedy }: Check): string =>
  remedy === null ? finding : `${finding} ${remedy}`;

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

export const checksJson = (checks: readonly Check[]): object => ({
  status: worst(checks),
  checks: checks.map(({ name, status, finding, remedy }) => ({ check: name, status, finding, remedy })),
});

export function summary(checks: readonly Check[]): string {
  const count = (status: Check['status']) => checks.filter((check) => check.status === status).length;
  return `${checks.length} checks: ${count('failure')} failed, ${count('warning')} with a warning.`;
}
