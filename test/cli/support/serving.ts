import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Environment, start } from './run.js';

/** Starts a serving command and waits for its line; `stop` sends a signal and returns the exit code. */
export async function serving(args: string[], env: Environment) {
  const child = start(args, env);
  const output: string[] = [];
  const ended = once(child, 'close').then(([code]) => code as number);
  const lines = createInterface({ input: child.stdout! });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      output.push(line);
      if (line.startsWith('svc listening on ')) resolve(line.slice('svc listening on '.length));
    });
    void ended.then((code) => reject(new Error(`exit ${code}: ${output.join('\n')}`)));
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { url, stop, output: () => output.join('\n') };
}
