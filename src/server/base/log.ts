import { pino } from 'pino';
import { printableLines } from '../../contract/printable.js';

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Where lines are written. */
interface Output {
  write(line: string): void;
}

/**
 * Logs to standard error, so that standard output has only what the user or a script reads: lines for people on a terminal,
 * else JSON lines.
 * @param fields In every line.
 */
export function createLog(
  level: string,
  fields: Readonly<Record<string, unknown>> | null = null,
  isForPeople = process.stderr.isTTY === true,
  output: Output = pino.destination({ dest: 2, sync: true }),
): Logger {
  const redact = ['headers.authorization', 'err.config', 'err.bindings'];
  const lines: Output = isForPeople ? { write: (line) => output.write(lineForPeople(line)) } : output;
  return pino({ level, base: fields, redact }, lines);
}

interface Entry extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly message?: unknown; readonly stack?: unknown };
  readonly reason?: unknown;
}

/** `04:00:12Z error  collection failed: OPENAI_API_KEY is not set. brand=shoes day=2026-11-28`, and the stack of an error below. */
function lineForPeople(json: string): string {
  const { level, time, msg = '', err, reason, ...fields } = JSON.parse(json) as Entry;
  const told = err?.message ?? reason;
  const head = `${new Date(time).toISOString().slice(11, 19)}Z ${(pino.levels.labels[level] ?? '').padEnd(5)}`;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
  const text = [msg + (told == null ? '' : `${msg === '' ? '' : ': '}${textOf(told)}`), ...rest].join(' ');
  const frames =
    typeof err?.stack === 'string' ? err.stack.split('\n').filter((each) => /^\s+at /.test(each)) : [];
  return printableLines(`${[`${head} ${text}`, ...frames].join('\n')}\n`);
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/g, ' ');
