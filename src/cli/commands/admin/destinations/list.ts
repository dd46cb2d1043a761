import { Args } from '@oclif/core';
import { alertTypes, eventTypeNames } from '../../../../contract/events.js';
import type { ListedDestination } from '../../../../server/alerts/delivery/destinations.js';
import { rowsCommand } from '../../../base/rows-command.js';
import { count, moment, text } from '../../../render/view.js';

/** The argument of the commands on one destination. */
export const DESTINATION_ID = 'Destination id, as `destinations list` shows it';

export const idArg = { id: Args.string({ description: DESTINATION_ID, required: true, ignoreStdin: true }) };

const time = (at: Date | null): string => (at === null ? '' : moment(at.toISOString()));

/** A destination, and why nothing arrives there. */
interface Row extends ListedDestination {
  readonly failing: string | null;
}

function stateOf({ pausedAt, deliveredAt, failing }: Row): string {
  if (pausedAt !== null) return `paused${failing === null ? '' : `: ${failing}`}`;
  if (failing !== null) return `failing: ${failing}`;
  return deliveredAt === null ? 'nothing sent yet' : 'works';
}

/** The types as few words: most destinations get the default. */
function eventsWords(events: readonly string[]): string {
  const without = (types: readonly string[]) => types.filter((type) => !events.includes(type));
  const missing = without(eventTypeNames);
  if (missing.length === 0) return 'all';
  if (events.length === alertTypes.length && without(alertTypes).length === 0) return 'default';
  return missing.length < events.length ? `all but ${missing.join(', ')}` : events.join(', ');
}

export default rowsCommand<Row>({
  summary: 'List the destinations, whether they work, and what waits for them',
  rows: async (db) => {
    const { failureOf, listDestinations } = await import(
      '../../../../server/alerts/delivery/destinations.js'
    );
    return (await listDestinations(db, {})).map((row) => ({ ...row, failing: failureOf(row) }));
  },
  payload: (rows) => ({ destinations: rows.map(payloadOf) }),
  view: {
    noun: 'destinations',
    columns: [
      text('id', (row) => row.id),
      text('state', stateOf, { room: 'flexible' }),
      text('kind', (row) => row.kind),
      text('address', (row) => row.shown, { room: 'flexible' }),
      text('name', (row) => row.name ?? '', { room: 'spare' }),
      count('waiting', (row) => row.pending, { room: 'spare' }),
      count('given up', (row) => row.givenUp, { room: 'spare' }),
      text('last delivered', (row) => time(row.deliveredAt), { room: 'spare' }),
      text('workspace', (row) => row.workspaceId, { room: 'spare' }),
      text('brands', (row) => row.brandIds?.join(', ') ?? 'all', { room: 'spare' }),
      text('events', (row) => eventsWords(row.events), { room: 'spare' }),
    ],
  },
});

const payloadOf = (row: ListedDestination) => ({
  id: row.id,
  workspace: row.workspaceId,
  kind: row.kind,
  address: row.shown,
  name: row.name,
  brands: row.brandIds,
  events: row.events,
  created_at: row.createdAt,
  paused_at: row.pausedAt,
  pause_reason: row.pauseReason,
  delivered_at: row.deliveredAt,
  failed_at: row.failedAt,
  failure: row.failure,
  waiting: row.pending,
  given_up: row.givenUp,
});
