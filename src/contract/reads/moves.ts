import { AS_METRIC, type Definition } from '../definition.js';
import { engineIds } from '../engines.js';
import { CAPS, TOOL_CAPS } from '../limits.js';
import { estimators, measureNames } from '../measures.js';
import { CONFIRMING_NIGHTS, directions, MOVE_DAYS, moveKinds, moveRoles } from '../moves.js';
import { brand, paging } from '../params.js';
import { brandRef, caveats, defineRead, windowLength } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  oneOfOrNewer,
  pair,
  part,
  text,
} from '../schema.js';

const IN_METRIC = { unit: AS_METRIC, empty: 'null: the move is not about a metric' } as const;

const value = (at: 'before' | 'after'): Definition => ({
  name: `moves.${at}`,
  what: `The metric that moved, ${at === 'before' ? 'in the days before' : 'in the window'}.`,
  formula: `the formula of the metric, over ${at === 'before' ? 'the days of equal length just before' : 'the window'}`,
  denominator: AS_METRIC,
  scale: AS_METRIC,
  rounding: '0.1; shares 0.001',
  ...IN_METRIC,
});

export const move = part('What happened, told once', {
  id: text('Id'),
  kind: oneOfOrNewer(moveKinds, 'What it is about'),
  day: text('The last day that it describes, YYYY-MM-DD'),
  detected_at: text('When it was told, RFC 3339'),
  text: text('One sentence'),
  current: flag('Not reverted, and not older than 28 days', {
    name: 'moves.current',
    what: 'Whether a move still stands.',
    formula: `no later move about the same in the other direction, and not older than ${MOVE_DAYS} days`,
    empty: 'never null',
  }),
  metric: nullable(oneOf(measureNames, 'Metric; null: not about one')),
  direction: nullable(oneOf(directions, 'Of the metric; robots: up lets in; null: none')),
  entity: nullable(text('Id of the brand or competitor; null likewise')),
  engine: nullable(oneOfOrNewer(engineIds, 'Engine id; null: blended, or not about one')),
  agent: nullable(text('Crawler; null: not about one')),
  window: nullable(
    object(
      {
        start: text('First day'),
        end: text('Last day'),
        days: count('Days from start to end', windowLength),
      },
      'Compared with the days before; null: not about a metric',
    ),
  ),
  before: nullable(number('The metric in the days before; null likewise', value('before'))),
  after: nullable(number('The metric in the window; null likewise', value('after'))),
  difference: nullable(
    number('after − before, in its unit; null likewise', {
      name: 'moves.difference',
      what: 'How much the metric moved.',
      formula: 'after − before, of unrounded values',
      scale: 'negative: it fell',
      rounding: '0.1; shares 0.001',
      ...IN_METRIC,
    }),
  ),
  interval: nullable(
    pair(
      number('In its unit', {
        name: 'moves.interval',
        what: 'The range that covers the difference of a metric that moved; 95 % of such intervals do, of this metric alone.',
        formula: `difference ± t(G₁ + G₂ − 2) · √V, V = V₁ + V₂ (${estimators.variance}; ${estimators.leastVariance})`,
        scale: 'negative: it fell',
        rounding: '0.1; shares 0.001',
        ...IN_METRIC,
      }),
      '95 % interval of difference; null likewise',
    ),
  ),
  because: nullable(text('Drivers, in a sentence; null: none is more than chance')),
  why: nullable(
    object(
      {
        metric: oneOf(measureNames, 'Metric'),
        engine: nullable(text('Engine; null: none')),
        from: text('First day'),
        to: text('Last day'),
      },
      'Parameters of why for the drivers; null: not about a metric of the brand',
    ),
  ),
  group: text('Id of what is told together: one message a night'),
  role: oneOfOrNewer(moveRoles, 'In its group; folded: another one says it already'),
});

export const moves = defineRead({
  path: 'moves',
  tool: 'list_moves',
  group: 'moves',
  summary: 'What moved by more than chance explains, and what else happened: told once, newest first',
  guide: `What happened? Told once: verdicts that held ${CONFIRMING_NIGHTS} nights in a row, new models, silent crawlers … Pass why to explain_change.`,
  toolCap: TOOL_CAPS.moves,
  needsRuns: false,
  params: { brand, ...paging },
  rows: 'moves',
  response: object({
    brand: brandRef,
    moves: list(move, `Newest night first, by worth, at most ${CAPS.moves} unpaged`),
    ...caveats,
  }),
});

export type Move = Infer<typeof move>;
export type Moves = Infer<typeof moves.response>;
