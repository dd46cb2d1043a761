import { integer, string } from '@oclif/core/flags';

/** Where a server listens. */
export const listenFlags = {
  port: integer({ description: 'Port to listen on (default 8080); 0: any free one', min: 0, max: 65_535 }),
  host: string({ description: 'Address to listen on (default 127.0.0.1)', helpValue: 'ADDRESS' }),
};
