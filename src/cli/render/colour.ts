import { styleText } from 'node:util';

export type Format =
  | ('bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'blue')
  | ('yellowBright' | 'magentaBright' | 'greenBright');

/**
 * Whether a stream gets colours: on a terminal, unless NO_COLOR is set or the terminal is dumb. FORCE_COLOR overrides both, as
 * in Node: 0 and false mean no, any other value means yes.
 */
export function takesColour(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR);
  return stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

/** The text in colour if the stream gets colours, else unchanged. */
export function styled(formats: readonly Format[], text: string, stream: NodeJS.WriteStream): string {
  return takesColour(stream) ? styleText([...formats], text, { validateStream: false }) : text;
}
