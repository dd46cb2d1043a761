/** Sends bodies of 10 MB to a server, one after another, until it gets a message; then reports how many were accepted. */
import { makeCombinedLog } from './make-log.js';

const [url = '', key = ''] = process.argv.slice(2);
const logs = Array.from({ length: 8 }, (_, seed) => makeCombinedLog({ bytes: 10_000_000, seed }));
const headers = { Authorization: `Bearer ${key}` };
let bodies = 0;
let shipping = true;
process.on('message', () => {
  shipping = false;
});
process.send?.('ready');
while (shipping) {
  const body = logs[bodies % logs.length] as Buffer<ArrayBuffer>;
  const response = await fetch(`${url}/api/v1/crawler-events`, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  bodies++;
}
process.send?.(bodies);
process.disconnect();
