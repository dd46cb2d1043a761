/** A standard input that calls itself a terminal, at which somebody types one line after the other. */
import { Readable } from 'node:stream';

/** Runs with these lines as what is typed; after them the input ends. */
export async function typing<T>(lines: readonly string[], use: () => Promise<T>): Promise<T> {
  const left = [...lines];
  const input = new Readable({
    highWaterMark: 1,
    read() {
      // Not before the question before it is closed, because the reader of that question would take this line too.
      setImmediate(() => this.push(left.length > 0 ? `${left.shift()}\n` : null));
    },
  });
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  Object.defineProperty(process, 'stdin', {
    value: Object.assign(input, { isTTY: true }),
    configurable: true,
  });
  try {
    return await use();
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
  }
}
