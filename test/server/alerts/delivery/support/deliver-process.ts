/**
 * A server that only delivers, as a process of its own, to be killed: DATABASE (a URL or a folder), the time, and `enqueue` to
 * commit an event and then wait without delivering it.
 */

import { startDeliveries } from '../../../../../src/server/alerts/delivery/deliveries.js';
import { enqueue } from '../../../../../src/server/alerts/delivery/outbox.js';
import { createLog } from '../../../../../src/server/base/log.js';
import { openDatabase } from '../../../../../src/server/database/database.js';
import { eventOf } from './events.js';

const [location = '', time = '', task = ''] = process.argv.slice(2);
const { knex: db } = await openDatabase(
  location.startsWith('postgres') ? { url: location } : { folder: location },
);
if (task === 'enqueue') {
  await db.transaction((trx) => enqueue(trx, [eventOf('killed')]));
  process.stdout.write('committed\n');
  setInterval(() => {}, 1000);
} else {
  const settings = { allowPrivate: true, mail: null, publicUrl: null };
  startDeliveries(db, createLog('warn'), settings, { clock: () => new Date(time), everyMs: 20 });
  process.stdout.write('delivers\n');
  setInterval(() => {}, 1000);
}
