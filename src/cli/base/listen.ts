import { integer, string } from '@oclif/core/flags';

/** The flags for the address and port of a server. */
export const listenFlags = {
  port: integer({ description: 'Port to listen on (default 8080); 0: any free one', min: 0, max: 65_535 }),
  host: string({ description: 'Address to listen on (default 127.0.0.1)', helpValue: 'ADDRESS' }),
};
