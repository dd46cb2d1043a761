import { integer } from '@oclif/core/flags';
import { CommandError } from './command-error.js';

/** Where a server listens. */
export const listenFlags = {
  port: integer({ description: 'Port to listen on (default 8080); 0: any free one', min: 0, max: 65_535 }),
};

/** Says in one line that the port is taken, or that it may not be used. */
export async function portInUse<T>(port: number, listening: Promise<T>): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'bind') throw error;
    if (code === 'EADDRINUSE')
      throw new CommandError('unexpected', `Port ${port} is in use. Choose another with --port.`);
    throw new CommandError('unexpected', `Cannot listen on port ${port} (${code}).`);
  }
}
