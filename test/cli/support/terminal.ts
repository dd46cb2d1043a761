/** Runs with a standard output that calls itself a terminal. */
export async function onTerminal<T>(use: () => Promise<T>): Promise<T> {
  const before = process.stdout.isTTY;
  process.stdout.isTTY = true;
  try {
    return await use();
  } finally {
    process.stdout.isTTY = before;
  }
}
