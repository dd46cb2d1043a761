import { circumstances } from '../circumstances.js';
import { AS_METRIC, type Definition } from '../definition.js';
import { TOO_FEW_DAYS } from '../enough-days.js';
import { verdict, verdictReason } from '../intervals.js';
import { TOOL_CAPS, WHY_LIMIT } from '../limits.js';
import { estimators, type MeasureName, measureNames, scales } from '../measures.js';
import { brand, type Param } from '../params.js';
import { brandRef, caveats, defineRead } from '../read.js';
import {
  count,
  flag,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  pair,
  part,
  text,
} from '../schema.js';
import { measuredWindow, slice, sliceParams, windowOr } from '../slice.js';

/** What the runs are cut into, and the metrics that the cut fits; null: every metric. */
export const cuts = {
  prompt: { cells: 'prompts', fits: null },
  engine: { cells: 'engines', fits: null },
  topic: { cells: 'topics', fits: null },
  tag: { cells: 'tags', fits: null },
  region: { cells: 'regions', fits: null },
  surface: { cells: 'surfaces', fits: null },
  rival: { cells: 'names', fits: 'share_of_voice_fraction' },
  domain: { cells: 'domains', fits: 'citation_share' },
  page: { cells: 'pages', fits: 'citation_share' },
} as const satisfies Record<string, { readonly cells: string; readonly fits: MeasureName | null }>;
export type Cut = keyof typeof cuts;
export const cutNames = Object.keys(cuts) as Cut[];

/** The cuts that divide the runs; the others divide what is counted in them. */
export type RunCut = { [C in Cut]: (typeof cuts)[C]['fits'] extends null ? C : never }[Cut];

export const fitsMetric = (cut: Cut, metric: MeasureName): boolean =>
  cuts[cut].fits === null || cuts[cut].fits === metric;
export const cutsOf = (metric: MeasureName): Cut[] => cutNames.filter((cut) => fitsMetric(cut, metric));

const DEFAULT_METRIC = 'visibility';

const metric = {
  kind: 'choice',
  component: 'ExplainedMetric',
  values: measureNames,
  default: DEFAULT_METRIC,
  description: `The metric: ${measureNames.join(', ')} (default ${DEFAULT_METRIC})`,
  brief: `Default: ${DEFAULT_METRIC}`,
} as const satisfies Param;

const by = {
  kind: 'choice',
  values: cutNames,
  description: `What to look for the reason in: ${cutNames.join(', ')}; default: that in which few parts make up most of the change, else prompt; rival only with ${cuts.rival.fits}, domain and page only with ${cuts.domain.fits}`,
  brief: `What to look in; default: where few parts make up most of it. rival needs ${cuts.rival.fits}, domain and page ${cuts.domain.fits}`,
} as const satisfies Param;

const limit = {
  kind: 'integer',
  component: 'Drivers',
  minimum: WHY_LIMIT.minimum,
  maximum: WHY_LIMIT.maximum,
  description: `Drivers to list, ${WHY_LIMIT.minimum} to ${WHY_LIMIT.maximum}; default: ${WHY_LIMIT.default}, in tools ${TOOL_CAPS.drivers}`,
  brief: `Drivers; default ${TOOL_CAPS.drivers}`,
} as const satisfies Param;

const IN_METRIC = { unit: AS_METRIC, scale: 'negative: less than before', rounding: 'none' } as const;

const value = (what: string, formula: string): Definition => ({
  name: `why.${what === 'before' ? 'before' : 'after'}`,
  what: `The metric ${what === 'before' ? 'in the window before' : 'in the window'}; of a driver, that of its answers only.`,
  formula,
  denominator: AS_METRIC,
  unit: AS_METRIC,
  scale: AS_METRIC,
  empty: 'null: not measured',
});
const beforeDefinition = value('before', 'the formula of the metric, over the window before, unrounded');
const afterDefinition = value('after', 'the formula of the metric, over the window, unrounded');

const ratePart: Definition = {
  name: 'why.rate',
  what: 'How much of the change is because the answers changed: shares of the asked stay those of both windows.',
  formula:
    '(s₀ + s₁) / 2 · (r₁ − r₀), where r is the ratio of a cell and s its share of the denominator, in the window before (0) and in the window (1)',
  ...IN_METRIC,
  empty: '0: the cell is in one window only; null: the cut has no such part',
};
const mixPart: Definition = {
  name: 'why.mix',
  what: 'How much of the change is because a cell was asked more or less often.',
  formula: '((r₀ + r₁) / 2 − R̄) · (s₁ − s₀), where R̄ is the mean of the metric of both windows',
  ...IN_METRIC,
  empty: '0: the cell is in one window only; null: the cut has no such part',
};
const panelPart: Definition = {
  name: 'why.panel',
  what: 'How much of the change is because prompts, engines or other cells are new or were retired.',
  formula: 's₁ · (r₁ − R̄) of a new cell, −s₀ · (r₀ − R̄) of a retired one',
  ...IN_METRIC,
  empty: '0: the cell is in both windows; null: the cut has no such part',
};
const totalPart: Definition = {
  head: 'part',
  name: 'why.total',
  what: 'The part of the change that the cell accounts for. All cells together are exactly the difference.',
  formula:
    'rate + mix + panel; by rival and domain own Δx · (S̄ − x̄) / (S₀ · S₁), others −x̄ · Δy / (S₀ · S₁), with counts per run x of the brand, y of the cell, S of all, and bars for means of both windows; by page Δx of the page',
  ...IN_METRIC,
  empty: 'null in rest by tag: tags overlap, so that nothing sums',
};
const ownPart: Definition = {
  name: 'why.own',
  what: 'How much of the change is because the brand was named or cited more or less often.',
  formula: 'the total of the brand, by page of its pages together',
  ...IN_METRIC,
  empty: 'null: the cut has no such part',
};
const othersPart: Definition = {
  name: 'why.others',
  what: 'How much of the change is because others were named or cited more or less often.',
  formula: 'the totals of all others',
  ...IN_METRIC,
  empty: 'null: the cut has no such part',
};

const inUnit = (what: string, definition: Definition) => number(what, definition);

const weightDefinition = (window: string): Definition => ({
  name: `why.weight_${window}`,
  what: 'How much the cell counts in the metric of the window.',
  formula: 'its part of the denominator; by rival, domain and page the runs of the window',
  denominator: 'the denominator of the metric in the window',
  unit: 'fraction_0_1; by rival, domain and page runs',
  scale: '0 to 1; by rival, domain and page 0 and up',
  rounding: 'none',
  empty: '0: the cell is not in the window',
});

const intervalBound: Definition = {
  name: 'why.interval',
  what: 'The range that covers the rate of a driver in windows like these; 95 % of such intervals do. It is of this driver only: among many drivers some exclude 0 by chance.',
  formula: `(s₀ + s₁) / 2 · (r₁ − r₀ ± t(ν₀ + ν₁) · √V), V = V₀ + V₁ of the cell by its own days, with few mentions at least W (${estimators.variance}; ${estimators.freedom}; ${estimators.leastVariance}). By rival, domain and page the factor of Δy in total, times its interval; fewer than 5 citations in a window: V is at least μ · (1/n₀ + 1/n₁) with μ = (C₀ + C₁ + 1) / (n₀ + n₁), C citations and n runs`,
  ...IN_METRIC,
  empty: `null: ${TOO_FEW_DAYS} in one of the windows, or the cell is in one window only`,
};

const driverVerdict = nullable(
  oneOf(
    verdict.values,
    'up or down: the answers of the cell changed, by more than chance explains among so many cells; no_clear_change: it may be chance; unknown: too little was measured, or the windows differ in prompts or surfaces; null: the cell is in one window only',
    {
      name: 'why.verdict',
      group: 'uncertainty',
      what: 'Whether the answers of a driver changed by more than chance explains, among all that were looked at.',
      formula:
        'up or down if its interval excludes 0 and its p-value passes the procedure of Benjamini and Hochberg (1995) at q = 0.1 over all cells that have one, listed or not',
      empty: 'null: the cell is in one window only',
    },
  ),
);

const runIds = (window: string) => list(text('Run id'), `Answers of the newest days of ${window}, at most 3`);

export const driver = part('What the change is made of, one part of it', {
  id: nullable(text('Id of the prompt, engine, …; null: runs without one, citations without a domain')),
  name: text('Its name, or the text of the prompt'),
  kind: oneOf(['both', 'new', 'retired'], 'In which windows it is measured: in both, only now, only before'),
  before: nullable(
    number(
      'Its metric in the window before; by rival, domain, page: mentions or citations per run; null: not measured',
      beforeDefinition,
    ),
  ),
  after: nullable(number('The same in the window; null: not measured', afterDefinition)),
  weight_before: number(
    'Its part of the denominator before, 0 to 1; by rival, domain, page: runs',
    weightDefinition('before'),
  ),
  weight_after: number('The same in the window', weightDefinition('after')),
  rate: nullable(inUnit('Because its answers changed; null by rival, domain, page', ratePart)),
  mix: nullable(inUnit('Because it was asked more or less often; null by rival, domain, page', mixPart)),
  panel: nullable(inUnit('Because it is new or retired; null by rival, domain, page', panelPart)),
  total: inUnit('Its part of the difference', totalPart),
  interval: nullable(
    pair(
      number('In the unit of the metric', intervalBound),
      '95 % interval of rate (of total by rival, domain, page), of this driver alone; null: too few days, or in one window only',
    ),
  ),
  verdict: driverVerdict,
  evidence: object(
    { before: runIds('the window before'), after: runIds('the window') },
    'Answers to read: of the cell (of a topic or tag: to the 3 prompts whose counts changed most), or that name or cite it',
  ),
});

/** Null: the cut divides the change in other parts. */
const noted = (what: string, definition: Definition) => nullable(inUnit(what, definition));

export const parts = object(
  {
    rate: noted('The answers changed; null by rival, domain, page', ratePart),
    mix: noted('Some were asked more or less often; null likewise', mixPart),
    panel: noted('Some are new or retired; null likewise', panelPart),
    own: noted('The brand was named or cited more or less; null but by rival, domain, page', ownPart),
    others: noted('Others were; null likewise', othersPart),
  },
  'The parts of the difference, which sum to it; null: not measured, or by tag',
);

export const why = defineRead({
  path: 'why',
  tool: 'explain_change',
  group: 'why',
  mainRows: { at: ['drivers'] },
  summary: 'Why a metric moved: the parts of its change, which sum to it, with answers as evidence',
  sdkNote: 'Parameters choose the metric, what to look for the reason in, and a slice of the runs.',
  guide:
    'Why did a metric move? Parts that sum to the change from the window before, with answers as evidence. rate: answers changed; mix: some were asked more often; panel: some are new or retired; by rival, domain, page own and others. Name as reasons only drivers with verdict up or down. evidence has run ids for get_answer; circumstances prove nothing. sums false: tags overlap.',
  needsRuns: true,
  toolParams: { limit: String(TOOL_CAPS.drivers) },
  params: { brand, metric, by, limit, ...sliceParams },
  response: object({
    brand: brandRef,
    metric: oneOf(measureNames, 'The metric asked for'),
    unit: oneOf(
      [
        ...new Set(Object.values(scales).map(({ unit }) => unit)),
      ] as (typeof scales)[keyof typeof scales]['unit'][],
      'Its scale',
    ),
    by: oneOf(cutNames, 'What the reason was looked for in: as asked for, or by default what tells most'),
    window: measuredWindow,
    previous_window: windowOr('the days of equal length just before'),
    slice: nullable(slice),
    before: nullable(number('The metric in the window before; null: not measured', beforeDefinition)),
    after: nullable(number('The metric in the window; null: not measured', afterDefinition)),
    difference: nullable(
      number('after − before; null: not measured', {
        name: 'why.difference',
        what: 'How much the metric changed, unrounded, so that its parts sum to it.',
        formula: 'after − before',
        ...IN_METRIC,
        empty: 'null: not measured in one of the windows',
      }),
    ),
    verdict,
    ...verdictReason,
    sums: flag('The parts sum to the difference; false by tag, because tags overlap', {
      what: 'Whether the drivers and the rest sum to the difference.',
      formula: 'every cut but tag',
      empty: 'never null',
    }),
    parts: nullable(parts),
    drivers: list(driver, `By size of total, then id; at most ${WHY_LIMIT.default} without limit`),
    rest: object(
      {
        count: count('Cells that are not listed', {
          name: 'why.rest.count',
          what: 'The cells that the list leaves out.',
          formula: 'measured cells − listed ones',
          unit: 'cells',
          empty: '0: all are listed',
        }),
        total: nullable(inUnit('Their totals together; null by tag', totalPart)),
      },
      'What the list leaves out',
    ),
    circumstances,
    ...caveats,
  }),
});

export type Why = Infer<typeof why.response>;
export type Driver = Infer<typeof driver>;
