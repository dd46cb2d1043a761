import { AS_METRIC, type Definition } from '../definition.js';
import { engineIds } from '../engines.js';
import { EFFECT_DAYS, LEAST_CONTROLS, LEAST_EFFECT_DAYS } from '../limits.js';
import { type MeasureName, scales, verdicts } from '../measures.js';
import type { NoteCode } from '../notes.js';
import { brand, DAY_FORMS, type Param } from '../params.js';
import { brandRef, caveats, defineRead, fact } from '../read.js';
import {
  count,
  fraction,
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
import { blendedOrEngines, runFilters, slice } from '../slice.js';
import { mark } from './marks.js';

/** The metrics whose denominators are answers, so that each prompt has its own. */
export const effectMetrics = ['visibility', 'presence_rate'] as const satisfies readonly MeasureName[];
const [DEFAULT_METRIC] = effectMetrics;

/** Why there is no verdict. */
const effectReasons = [
  'too_few_days',
  'too_few_controls',
  'no_treated_prompts',
  'surfaces_moved',
  'moved_before',
  'nothing_done',
] as const satisfies readonly NoteCode[];
export type EffectReason = (typeof effectReasons)[number];

const IN_METRIC = { unit: AS_METRIC, scale: AS_METRIC, rounding: 'none' } as const;
const SIGNED = { ...IN_METRIC, scale: 'negative: less' } as const;
const TOO_LITTLE = `null: fewer than ${LEAST_EFFECT_DAYS} days with answers on either side, fewer than ${LEAST_CONTROLS} controls, no treated prompt, or other surfaces`;

const LINE =
  'y = a + b·x by least squares over the n controls, b cut to 0 to 1; x and y are the metric of a prompt before and after';
const VARIANCE =
  'se² = s²·(1/m + 1/n + (x̄_T − x̄_C)² / Sxx) for m treated prompts, s² = RSS / (n − 2) of the line. Where treated or controls have fewer than 5 answers that name the brand in both windows together, se² is at least p(1 − p)·(1/A_T + 1/B_T + 1/A_C + 1/B_C) with A answers after and B before, p = (named + 1) / (answers + 2)';

const beforeDefinition: Definition = {
  name: 'effect.before',
  what: 'The metric before; of a group the mean over its prompts, each once.',
  formula: 'the formula of the metric over the answers to a prompt in the window before',
  denominator: 'answers',
  ...IN_METRIC,
  empty: 'null: no prompt of the group was asked in both windows',
};
const afterDefinition: Definition = {
  ...beforeDefinition,
  name: 'effect.after',
  what: 'The metric after; of a group the mean over its prompts, each once.',
  formula: 'the same in the window after',
};
const predictedDefinition: Definition = {
  name: 'effect.predicted',
  what: 'What the controls’ line says of the prompts after, from what they were before.',
  formula: `a + b·x, of all treated prompts a + b·x̄_T; ${LINE}`,
  ...IN_METRIC,
  empty: TOO_LITTLE,
};
const effectDefinition: Definition = {
  name: 'effect.effect',
  what: 'How far the prompts that something was done for are beyond what prompts nobody touched predict. A comparison, which proves no cause.',
  formula: `ȳ_T − (a + b·x̄_T); ${LINE} (analysis of covariance: Vickers and Altman 2001)`,
  ...SIGNED,
  empty: TOO_LITTLE,
};
const intervalDefinition: Definition = {
  name: 'effect.interval',
  what: 'The range that covers the effect in windows like these; 95 % of such intervals do.',
  formula: `effect ± t(n − 2)·se; ${VARIANCE}`,
  ...SIGNED,
  empty: TOO_LITTLE,
};
const bounds = (description: string) =>
  nullable(pair(number('In the unit of the metric', intervalDefinition), description));

const groupCounts = {
  prompts: count('Active prompts that were asked in both windows on the same engines', {
    name: 'effect.prompts',
    what: 'The prompts of the group.',
    formula: 'active prompts with an answer in both windows on engines that were asked in both',
    unit: 'prompts',
    empty: '0: none',
  }),
  runs_before: count('Their answers before', {
    name: 'effect.runs_before',
    what: 'The answers to the prompts of the group before.',
    formula: 'collected answers in the window before',
    unit: 'runs',
    empty: '0: none',
  }),
  runs_after: count('Their answers after', {
    name: 'effect.runs_after',
    what: 'The answers to the prompts of the group after.',
    formula: 'collected answers in the window after',
    unit: 'runs',
    empty: '0: none',
  }),
};

const group = (what: string) =>
  object(
    {
      ...groupCounts,
      before: nullable(
        number('Mean of the metric over these prompts before; null: no prompt', beforeDefinition),
      ),
      after: nullable(number('The same after; null: no prompt', afterDefinition)),
    },
    what,
  );

const bothEnds = (what: string) =>
  object({ start: text('First day, YYYY-MM-DD'), end: text('Last day, inclusive') }, what);

export const effectPrompt = part('A prompt that something was done for', {
  id: text('Prompt id'),
  text: text('Text of the prompt', 'prompt'),
  before: number('The metric before', beforeDefinition),
  after: number('The metric after', afterDefinition),
  predicted: nullable(number('What the controls predict; null: not known', predictedDefinition)),
  beyond: nullable(
    number('after − predicted; null: not known', {
      name: 'effect.beyond',
      what: 'How far the prompt is beyond what the controls predict.',
      formula: 'after − predicted',
      ...SIGNED,
      empty: TOO_LITTLE,
    }),
  ),
});

export const effectPage = part('A page that the mark states', {
  url: text('Canonical URL'),
  answers: nullable(
    count('Answers that cite it in the window after; null: not known', {
      name: 'effect.answers',
      what: 'How many answers cite the page in the window after.',
      formula: 'answers with a citation of the page, on the same engines',
      unit: 'answers',
      empty:
        'null: there is no window after, or the answers of a choice that no daily sums have were deleted',
    }),
  ),
  of: nullable(
    count('All answers of the brand there; null: not known', {
      name: 'effect.of',
      what: 'The answers that could cite the page.',
      formula: 'all answers of the brand in the window after, on the same engines',
      unit: 'answers',
      empty: 'null: likewise',
    }),
  ),
  share: nullable(
    fraction('The part of all answers, 0 to 1; null: no answer', {
      name: 'effect.share',
      what: 'How often answers cite the page.',
      formula: 'answers / of',
      denominator: 'answers of the brand in the window after',
      unit: 'fraction_0_1',
      empty: 'null: no answer',
    }),
  ),
  interval: nullable(
    pair(
      fraction('A share', {
        name: 'effect.pages.interval',
        what: 'The range that covers the share of a page, if answers were independent.',
        formula: 'Wilson’s interval (1927) with n = of',
        unit: 'fraction_0_1',
        empty: 'null: no answer',
      }),
      '95 % interval of share; null: no answer',
    ),
  ),
  engines: list(oneOfOrNewer(engineIds, 'Engine id'), 'Engines that cite it there'),
  first_day: nullable(text('The first day there on which it is cited; null: on none', 'first cited')),
});

const plannedEffect = part('What windows of so many days would show', {
  days: count('Days of each window', {
    name: 'effect.days',
    what: 'The days of each of the two windows of a plan.',
    formula: '7, 14, 28 and 56',
    unit: 'days',
    empty: 'never null',
  }),
  value: nullable(
    number('The smallest effect that they show in four of five cases; null: no such windows', {
      name: 'effect.value',
      what: 'The smallest effect that so many prompts and days would show in four of five cases.',
      formula: '(t(0.975) + t(0.8))·se, of the windows of so many days that end yesterday and just before',
      ...IN_METRIC,
      empty: 'null: answers do not reach back so far, or too few prompts',
    }),
  ),
});

const metric = {
  kind: 'choice',
  component: 'EffectMetric',
  values: effectMetrics,
  default: DEFAULT_METRIC,
  description: `The metric: ${effectMetrics.join(', ')} (default ${DEFAULT_METRIC})`,
  brief: 'Metric',
} as const satisfies Param;

const given = (name: 'prompt' | 'topic' | 'tag', what: string) =>
  ({
    ...runFilters[name],
    component: `Effect${what}`,
    description: `${what} that something was done for since that day, or several separated by commas`,
    flag: `${what} that something was done for, or several separated by commas; with --since or --plan`,
  }) as const satisfies Param;

export const effect = defineRead({
  path: 'effect',
  tool: 'measure_effect',
  group: 'effects',
  mainRows: { at: ['prompts'] },
  summary: 'Whether what was done helped: its prompts compared with those nobody touched',
  sdkNote: 'Give a mark, or a day with prompts, a topic or a tag.',
  guide:
    'Did it help? What the prompts of a mark did beyond what untouched ones predict: no cause. Give mark, or since with prompt, topic or tag. Only up and down are effects.',
  needsRuns: false,
  params: {
    brand,
    mark: { kind: 'text', description: 'Mark id; marks has the ids', brief: 'Mark id' },
    since: {
      kind: 'date',
      description:
        'The day on which it was done, YYYY-MM-DD, with one of prompt, topic and tag, instead of a mark',
      flag: `The day on which it was done: ${DAY_FORMS}; with --prompt, --topic or --tag, instead of a mark`,
      brief: 'Day, not with mark',
    },
    prompt: given('prompt', 'Prompt id'),
    topic: given('topic', 'Topic folder id'),
    tag: given('tag', 'Tag'),
    metric,
    days: {
      kind: 'integer',
      component: 'EffectDays',
      minimum: EFFECT_DAYS.minimum,
      maximum: EFFECT_DAYS.maximum,
      description: `Days of each window, ${EFFECT_DAYS.minimum} to ${EFFECT_DAYS.maximum} (default ${EFFECT_DAYS.default})`,
      brief: 'Default 28',
    },
    until: {
      kind: 'date',
      description: 'The last day that is looked at, YYYY-MM-DD; default: yesterday (UTC)',
      flag: `The last day that is looked at: ${DAY_FORMS}; default: yesterday (UTC)`,
      brief: 'Last day',
    },
    engine: blendedOrEngines,
    region: runFilters.region,
    surface: runFilters.surface,
    plan: {
      kind: 'boolean',
      description: 'true: what could be detected, before anything is done; with one of prompt, topic and tag',
      flag: 'What could be detected, before anything is done; with --prompt, --topic or --tag',
      brief: 'Only plan',
    },
  },
  response: object({
    brand: brandRef,
    metric: oneOf(effectMetrics, 'The metric asked for'),
    unit: oneOf([scales.score.unit, scales.fraction.unit], 'Its scale'),
    mark: nullable({ ...mark, description: 'The mark asked for; null: a day or a plan was' }),
    since: nullable(text('The day on which it was done, which is in neither window; null: a plan')),
    windows: object(
      {
        before: nullable(bothEnds('The days just before; null: a plan')),
        after: nullable(bothEnds('The days just after, at most to the last complete one; null: none yet')),
      },
      'What is compared',
    ),
    slice: nullable(slice),
    treated: group('The prompts that something was done for'),
    control: group('The others'),
    left_out: count('Other prompts that another mark of these days is about', {
      name: 'effect.left_out',
      what: 'The prompts that are no controls because something else was done for them.',
      formula:
        'prompts of other marks from the first day before to the last day after, without the treated ones',
      unit: 'prompts',
      empty: '0: none',
    }),
    predicted: nullable(
      number('What the controls predict of the treated prompts after; null: not known', predictedDefinition),
    ),
    effect: nullable(
      number('treated.after − predicted, in the unit of the metric; null: not known', effectDefinition),
    ),
    interval: bounds('95 % interval of effect; null: not known'),
    verdict: oneOf(
      verdicts,
      'up or down: beyond what the others predict by more than chance explains; no_clear_change: that may be chance; unknown: reason says why',
      {
        name: 'effect.verdict',
        what: 'Whether the prompts did better than prompts nobody touched, by more than chance explains.',
        formula:
          'up or down if interval excludes 0, else no_clear_change; unknown if the interval of prior excludes 0 on the side of the effect',
        empty: 'unknown: too little is known, or the prompts moved before; reason says which',
      },
    ),
    reason_code: nullable(oneOfOrNewer(effectReasons, 'Why the verdict is unknown; null with others')),
    reason: nullable(text('The same in a sentence; null with other verdicts')),
    reason_fact: nullable({ ...fact, description: 'The reason as a fact; null with every other verdict' }),
    prior: nullable(
      object(
        {
          effect: number('The same between the two windows before', {
            ...effectDefinition,
            name: 'effect.prior.effect',
            what: 'How far the same prompts had moved away from the others before anything was done.',
            formula:
              'the same computation for the window before against the one before that, over the same prompts',
            empty: 'null: too little is known of the days before',
          }),
          interval: pair(number('In the unit of the metric', intervalDefinition), 'Its 95 % interval'),
        },
        'One window earlier, when nothing was done; null: not known',
      ),
    ),
    detectable: nullable(
      number(
        'The smallest effect that so many prompts and days show in four of five cases; null: not known',
        {
          name: 'effect.detectable',
          what: 'The smallest effect that so many prompts and days show in four of five cases.',
          formula: `(t(0.975) + t(0.8))·se with n − 2 degrees of freedom; ${VARIANCE}`,
          ...IN_METRIC,
          empty: TOO_LITTLE,
        },
      ),
    ),
    prompts: list(effectPrompt, 'The treated prompts, by the size of beyond, then id'),
    pages: list(effectPage, 'The pages of the mark, as it states them'),
    plan: nullable(
      object(
        { detectable: list(plannedEffect, 'By days') },
        'What could be detected before anything is done; null: plan was not asked for',
      ),
    ),
    ...caveats,
  }),
});

export type Effect = Infer<typeof effect.response>;
export type EffectPrompt = Infer<typeof effectPrompt>;
export type EffectPage = Infer<typeof effectPage>;
