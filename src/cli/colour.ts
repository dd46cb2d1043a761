import { styleText } from 'node:util';

export type Format = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'blue';

/** Whether colours may be written: to a terminal, unless NO_COLOR is set or the terminal is dumb. */
export const takesColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

/** The text in colour where the stream takes it, else as it is. */
export function styled(formats: readonly Format[], text: string, stream: NodeJS.WriteStream): string {
  return takesColour(stream) ? styleText([...formats], text, { validateStream: false }) : text;
}
