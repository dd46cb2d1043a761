import { styleText } from 'node:util';

export type Format = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'blue';

/**
 * Whether colours may be written: to a terminal, unless NO_COLOR is set or the terminal is dumb. FORCE_COLOR decides before
 * both, as for Node itself: 0 and false are no, anything else is yes.
 */
export function takesColour(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR);
  return stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

/** The text in colour where the stream takes it, else as it is. */
export function styled(formats: readonly Format[], text: string, stream: NodeJS.WriteStream): string {
  return takesColour(stream) ? styleText([...formats], text, { validateStream: false }) : text;
}
