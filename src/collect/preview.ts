/** What a collection will send and cost, before anything is sent. */

import { leastDays } from '../contract/enough-days.js';
import { WINDOW_DAYS } from '../contract/limits.js';
import { nonAnswers, type Surface } from '../contract/surfaces.js';
import { addDays, windowEnding } from '../server/base/days.js';
import { roundedUsd } from '../server/base/language-model.js';
import { type CallKind, type Estimate, estimateOf, kindId, mostOf, mostOutput, spentIn } from './budget.js';
import { extractionInput } from './extraction/reply.js';
import type { History } from './journal.js';
import type { CollectPlan, Endpoint, Target } from './plan/plan.js';
import { capabilityOf, isProvider, providerTable, surfaceOf } from './protocols/capabilities.js';
import { protocolOf } from './protocols/index.js';
import { inputOf, type ScheduledRun } from './schedule.js';

/** How a call ends whose run is not asked again by itself. `--resume` asks after the first two, `--retry` after the others. */
export const heldOutcomes = ['failed', 'lost', ...nonAnswers] as const;
export type HeldOutcome = (typeof heldOutcomes)[number];

export interface PlannedCalls {
  /** Null: the extraction. */
  readonly engine: string | null;
  readonly region: string | null;
  /** The model; of a provider: the engine that it shows. */
  readonly model: string;
  /** How the answers are collected; null: the extraction. */
  readonly surface: Surface | null;
  readonly protocol: string;
  /** Where the prompts and the key go. */
  readonly host: string;
  /** The variable with the key; null: none is sent. */
  readonly key_env: string | null;
  /** Runs that exist, and runs that were asked without an answer. */
  readonly stored: number;
  readonly held: number;
  /** Runs that were sent, and whose answers are fetched without a further charge. */
  readonly open: number;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null: a price is not stated. */
  readonly cost_usd: number | null;
  /** The most that one call costs by what its request allows, which `--max-usd` reserves; null: a price is not stated. */
  readonly call_most_usd: number | null;
  /** Earlier calls that the estimate is made from; 0: it is an assumption. */
  readonly observed_calls: number;
}

export interface Preview {
  readonly targets: readonly PlannedCalls[];
  /** `api.openai.com with OPENAI_API_KEY`: each host that gets calls, with the variable whose key it gets. */
  readonly receivers: readonly string[];
  readonly calls: number;
  /** Null: a price is not stated. */
  readonly cost_usd: number | null;
  /** What the calls of the journal cost so far, as far as it is known or was reserved. */
  readonly spent_usd: number;
  /** Runs that were asked without an answer, by how that ended. */
  readonly held: Readonly<Record<HeldOutcome, number>>;
  readonly notes: readonly string[];
}

export const askKind = (target: Target): CallKind => ({
  step: 'ask',
  endpoint: target,
  search: target.search,
});
/** The kind of the calls that find names in answers. */
export const extractKind = (endpoint: Endpoint): CallKind => ({ step: 'extract', endpoint, search: false });

/** Counts what is left of the schedule, and estimates its calls and their cost in US dollars. */
export function previewOf(plan: CollectPlan, schedule: readonly ScheduledRun[], history: History): Preview {
  const estimate = (kind: CallKind) => estimateOf(kind, history.usages(kindId(kind)));
  const count = (runs: readonly ScheduledRun[], ...progress: ScheduledRun['progress'][]) =>
    runs.filter((run) => progress.includes(run.progress)).length;
  const mostOfAsk = (target: Target) => {
    const asked = schedule.filter((run) => run.target === target && run.progress === 'ask');
    return dearest(asked.map((run) => mostOf(askKind(target), inputOf(run)).usd));
  };
  const targets = plan.targets.map((target) => {
    const own = schedule.filter((run) => run.target === target);
    const { engine, region, model, protocol } = target;
    const place = { engine, region, model, protocol, surface: surfaceOf(target), ...receiverOf(target) };
    const done = {
      stored: count(own, 'stored'),
      held: count(own, 'held'),
      open: count(own, 'fetch'),
    };
    const most = mostOfAsk(target);
    return plannedCalls({ ...place, ...done }, count(own, 'ask'), estimate(askKind(target)), most);
  });
  if (plan.extraction !== null) {
    const { model, protocol } = plan.extraction;
    const named = { engine: null, region: null, model, protocol, surface: null };
    const place = { ...named, ...receiverOf(plan.extraction), stored: 0, held: 0, open: 0 };
    const kind = extractKind(plan.extraction);
    const answerTokens = Math.max(...plan.targets.map((target) => mostOutput(askKind(target))));
    const most = mostOf(kind, extractionInput(''), answerTokens).usd;
    targets.push(plannedCalls(place, count(schedule, 'ask', 'fetch', 'extract'), estimate(kind), most));
  }
  const costs = targets.map(({ cost_usd }) => cost_usd);
  return {
    targets,
    receivers: receiversOf(targets),
    calls: targets.reduce((sum, { calls }) => sum + calls, 0),
    cost_usd: costs.includes(null) ? null : roundedUsd(costs.reduce<number>((sum, cost) => sum + cost!, 0)),
    spent_usd: roundedUsd(spentIn(history, kindsOf(plan)).usd),
    held: heldOf(schedule),
    notes: notesOn(plan),
  };
}

const receiverOf = ({ baseUrl, keyEnv }: Endpoint) => ({ host: new URL(baseUrl).host, key_env: keyEnv });

const receiversOf = (targets: readonly PlannedCalls[]): string[] => [
  ...new Set(
    targets
      .filter(({ calls, open }) => calls + open > 0)
      .map(({ host, key_env }) => `${host} ${key_env === null ? 'without a key' : `with ${key_env}`}`),
  ),
];

export const kindsOf = ({ targets, extraction }: CollectPlan): CallKind[] => [
  ...targets.map(askKind),
  ...(extraction ? [extractKind(extraction)] : []),
];

/** Null: there is none, or one is not known. */
const dearest = (costs: readonly (number | null)[]): number | null =>
  costs.length === 0 || costs.includes(null) ? null : Math.max(...costs.map((cost) => cost!));

function heldOf(schedule: readonly ScheduledRun[]): Record<HeldOutcome, number> {
  const held = schedule.filter(({ progress }) => progress === 'held');
  const counts = heldOutcomes.map((outcome) => [
    outcome,
    held.filter((run) => run.outcome === outcome).length,
  ]);
  return Object.fromEntries(counts) as Record<HeldOutcome, number>;
}

type Placed = Pick<
  PlannedCalls,
  'engine' | 'region' | 'model' | 'surface' | 'protocol' | 'host' | 'key_env' | 'stored' | 'held' | 'open'
>;

const plannedCalls = (
  placed: Placed,
  calls: number,
  estimate: Estimate,
  mostUsd: number | null,
): PlannedCalls => ({
  ...placed,
  calls,
  input_tokens: calls * estimate.input,
  output_tokens: calls * estimate.output,
  cost_usd: calls === 0 ? 0 : estimate.costUsd === null ? null : roundedUsd(calls * estimate.costUsd),
  call_most_usd: calls === 0 || mostUsd === null ? null : roundedUsd(mostUsd),
  observed_calls: estimate.observed,
});

function notesOn({ targets, extraction }: CollectPlan): string[] {
  const labels = targets.filter(
    ({ protocol, provider, region, search }) =>
      provider === null && region !== 'global' && !(protocolOf(protocol).statesCountry && search),
  );
  return [
    ...(extraction === null
      ? [
          'No extraction model: only tracked names are found, without tones, and ranks count only tracked names.',
        ]
      : []),
    ...targets.flatMap(providerNote),
    ...labels.map(
      ({ engine, protocol, region, search }) =>
        `${engine}: ${search ? `the protocol ${protocol}` : 'a call without search'} cannot state a place, so the engine does not know that its runs are labelled ${region}.`,
    ),
  ];
}

/** What a provider states of an engine, and what a kill costs. */
function providerNote({ engine, region, protocol, provider }: Target): string[] {
  const row = isProvider(protocol) ? capabilityOf(protocol, engine) : undefined;
  if (!isProvider(protocol) || !row) return [];
  const { label, keepsHours, paidOnce } = providerTable[protocol];
  const parts = (['citations', 'searches', 'ads', 'carousels'] as const).filter(
    (part) => row[part] !== 'never',
  );
  const once = provider?.live
    ? 'A live call that is killed may be paid again.'
    : `Fetched for ${keepsHours} hours; ${paidOnce}.`;
  return [`${engine} ${region}: ${SURFACES[row.surface]} by ${label}, with ${parts.join(', ')}. ${once}`];
}

const SURFACES = { ui: 'the product as people use it', serp: 'the result page of a search engine' } as const;

// When a verdict (up, down, no clear change) is first possible: it needs days with answers in two windows.

/**
 * The first day from today on whose windows have enough days with answers, if each later day has answers.
 * @param days Those with answers so far.
 * @returns Null: verdicts are possible already.
 */
export function firstVerdictDay(days: ReadonlySet<string>, today: string): string | null {
  const hasAnswers = (day: string) => day > today || days.has(day);
  const daysOf = (end: string) =>
    Array.from({ length: WINDOW_DAYS }, (_, back) => addDays(end, -back)).filter(hasAnswers).length;
  for (let ahead = 0; ; ahead++) {
    const { start, end } = windowEnding(addDays(today, ahead));
    const least = leastDays(WINDOW_DAYS);
    if (hasAnswers(end) && daysOf(end) >= least && daysOf(addDays(start, -1)) >= least)
      return ahead === 0 ? null : end;
  }
}
