/** Moves, as the fake server answers. */
import type { Move, Moves } from '../../../src/contract/reads/moves.js';
import { brand } from './fixtures.js';

const NOTHING = {
  ...{ metric: null, direction: null, entity: null, engine: null, agent: null },
  ...{ window: null, before: null, after: null, difference: null, interval: null, because: null, why: null },
} satisfies Partial<Move>;

const rows: Move[] = [
  {
    ...{ id: '0b7e2a31-6f1c-8a2b-8c3d-1f2e3d4c5b6a', kind: 'metric', day: '2026-11-19' },
    detected_at: '2026-11-20T00:03:00.000Z',
    text: 'Presence on ChatGPT fell 14.2 pp, from 51.3 % to 37.1 %, in the 7 days to 2026-11-19.',
    ...{
      current: true,
      metric: 'presence_rate',
      direction: 'down',
      entity: null,
      engine: 'chatgpt',
      agent: null,
    },
    window: { start: '2026-11-13', end: '2026-11-19', days: 7 },
    ...{ before: 0.513, after: 0.371, difference: -0.142, interval: [-0.19, -0.094] },
    because: 'Because of best espresso machine? (−9.8 pp).',
    why: { metric: 'presence_rate', engine: 'chatgpt', from: '2026-11-13', to: '2026-11-19' },
    ...{ group: 'b1f4c1d2-3a5e-8f60-8a7b-9c0d1e2f3a4b', role: 'headline' },
  },
  {
    ...NOTHING,
    ...{ id: '5d0c9be4-91aa-8f07-8b61-0c9d8e7f6a5b', kind: 'crawler_silent', day: '2026-11-17' },
    detected_at: '2026-11-18T00:03:00.000Z',
    text: 'OAI-SearchBot made no request in the 3 days to 2026-11-17, after 412 requests in the 14 days before, some every day.',
    ...{ current: true, agent: 'oai-searchbot' },
    ...{ group: 'c2a5d2e3-4b6f-8071-8b8c-0d1e2f3a4b5c', role: 'headline' },
  },
];

export const moves: Moves = { brand, moves: rows, note: null, notes: [] };

/** A night with two moves that are told, and one that says the same. */
export const groupedMoves: Moves = {
  ...moves,
  moves: [
    rows[0]!,
    { ...rows[1]!, group: rows[0]!.group, role: 'line' },
    { ...rows[0]!, id: '6e1dacf5-a2bb-8018-8c72-1d0e9f8a7b6c', engine: 'grok', role: 'folded' },
  ],
};
