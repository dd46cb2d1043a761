/** Events about the market of the tests, and a mail box for them. */
import type { EventData, ToldMove } from '../../../../../src/contract/events.js';
import type { NewEvent } from '../../../../../src/server/alerts/delivery/outbox.js';

export const NOW = new Date('2026-11-20T12:00:00Z');

export const dataOf = (fields: Partial<EventData> = {}): EventData => ({
  brand: { id: 'b', name: 'Acme', domain: 'acme.com' },
  title: 'visibility fell',
  sentence: 'Visibility fell from 50 % to 35 % in the week to 2026-11-15.',
  window: { start: '2026-11-09', end: '2026-11-15' },
  metric: 'visibility',
  engine: null,
  subject: null,
  from: 50,
  to: 35,
  interval: [-21.5, -8.5],
  link: '/brands/b',
  because: null,
  report: null,
  moves: [],
  more_moves: 0,
  test: false,
  ...fields,
});

export const eventOf = (key: string, fields: Partial<NewEvent> = {}): NewEvent => ({
  type: 'move.detected',
  key,
  at: NOW,
  data: dataOf(),
  ...fields,
});

/** A move that is told with others. */
export const moveOf = (title: string, fields: Partial<ToldMove> = {}): ToldMove => {
  const { brand: _, report: __, moves: ___, more_moves: ____, test: _____, ...about } = dataOf();
  return {
    ...{ ...about, type: 'move.detected', title, sentence: `${title}.`, engines: [], rivals: [] },
    ...fields,
  };
};

/** Names that would format, mention, link or end a header if they were not escaped. */
export const HOSTILE =
  '<!channel> <@U123> @everyone <https://evil.example|x> [a](https://evil.example) **b** _c_ `d` ~e~ &amp; {{DATE(2026-01-01T00:00:00Z,SHORT)}} <at>all</at> <b onload="x">\r\nBcc: victim@example.com\r\n\r\n# f\u202e\u0007';
