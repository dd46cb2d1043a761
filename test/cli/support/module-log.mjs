/**
 * Writes the address of every script that the process loads to file descriptor 3, modules and CommonJS alike, as the
 * debugger of V8 reports them.
 */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params: { url } }) => {
  if (url !== '') writeSync(3, `${url}\n`);
});
session.post('Debugger.enable');
