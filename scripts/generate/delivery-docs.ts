/** The tables of docs/delivery.md: events, their data, and the pauses between attempts. */
import { DELIVERY, eventData, eventTypeNames, eventTypes } from '../../src/contract/events.js';
import type { Schema } from '../../src/contract/schema.js';
import { code, table, withBlocks } from './markdown.js';

/** The text of docs/delivery.md with its tables made anew. */
export const deliveryDocs = (text: string): string =>
  withBlocks(
    'docs/delivery.md',
    text,
    new Map([
      ['events', eventTable()],
      ['data', dataTable()],
      ['retries', retryTable()],
    ]),
  );

const eventTable = (): string =>
  table(
    ['event', 'when', 'without `--events`'],
    eventTypeNames.map((type) => {
      const { meaning, isAlert } = eventTypes[type];
      return [code(type), meaning, isAlert ? 'yes' : 'no'];
    }),
  );

const dataTable = (): string =>
  table(
    ['field', 'meaning'],
    Object.entries(eventData.fields).map(([name, schema]) => [code(name), meaningOf(schema)]),
  );

/** The description of a field; of an object its fields, too. */
function meaningOf(schema: Schema): string {
  const inner = schema.kind === 'nullable' ? schema.of : schema;
  if (inner.kind !== 'object') return schema.description;
  const fields = Object.entries(inner.fields).map(([name, each]) => `${code(name)}: ${each.description}`);
  const about = inner.about ?? inner.description;
  return `${about}${schema.kind === 'nullable' ? '; null: none' : ''} (${fields.join('; ')})`;
}

const MINUTE = 60;
const HOUR = 3600;

function words(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  return seconds < HOUR ? `${seconds / MINUTE} min` : `${seconds / HOUR} h`;
}

const retryTable = (): string => {
  const pauses = DELIVERY.retryAfterSeconds.map(words);
  return table(
    ['attempt', ...pauses.map((_, at) => String(at + 2)), 'then'],
    [['after', ...pauses, 'given up']],
  );
};
