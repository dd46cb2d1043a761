/** What a collection will send and cost, before anything is sent. */
import { roundedUsd } from '../../language-models/token-cost.js';
import { type CallKind, type Estimate, estimateOf, kindId } from '../budget/estimate.js';
import type { History } from '../journal/history.js';
import type { CollectPlan, Endpoint, Target } from '../plan/plan.js';
import { protocols } from '../protocols/index.js';
import type { ScheduledRun } from '../schedule.js';

/** The calls to one endpoint. */
export interface PlannedCalls {
  /** Null: the extraction. */
  readonly engine: string | null;
  readonly region: string | null;
  readonly model: string;
  /** Runs that exist, and runs that were asked without an answer. */
  readonly stored: number;
  readonly held: number;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Null: a price is not stated. */
  readonly cost_usd: number | null;
  /** Earlier calls that the estimate is made from; 0: it is an assumption. */
  readonly observed_calls: number;
}

export interface Preview {
  readonly targets: readonly PlannedCalls[];
  readonly calls: number;
  /** Null: a price is not stated. */
  readonly cost_usd: number | null;
  readonly notes: readonly string[];
}

/** The kind of the calls that ask a target. */
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
  const targets = plan.targets.map((target) => {
    const own = schedule.filter((run) => run.target === target);
    const place = { engine: target.engine, region: target.region, model: target.model };
    const done = { stored: count(own, 'stored'), held: count(own, 'held') };
    return plannedCalls({ ...place, ...done }, count(own, 'ask'), estimate(askKind(target)));
  });
  if (plan.extraction !== null) {
    const place = { engine: null, region: null, model: plan.extraction.model, stored: 0, held: 0 };
    const kind = extractKind(plan.extraction);
    targets.push(plannedCalls(place, count(schedule, 'ask', 'extract'), estimate(kind)));
  }
  const costs = targets.map(({ cost_usd }) => cost_usd);
  return {
    targets,
    calls: targets.reduce((sum, { calls }) => sum + calls, 0),
    cost_usd: costs.includes(null) ? null : roundedUsd(costs.reduce<number>((sum, cost) => sum + cost!, 0)),
    notes: notesOn(plan),
  };
}

type Placed = Pick<PlannedCalls, 'engine' | 'region' | 'model' | 'stored' | 'held'>;

const plannedCalls = (placed: Placed, calls: number, estimate: Estimate): PlannedCalls => ({
  ...placed,
  calls,
  input_tokens: calls * estimate.input,
  output_tokens: calls * estimate.output,
  cost_usd: calls === 0 ? 0 : estimate.costUsd === null ? null : roundedUsd(calls * estimate.costUsd),
  observed_calls: estimate.observed,
});

function notesOn({ targets, extraction }: CollectPlan): string[] {
  const labels = targets.filter(
    ({ protocol, region, search }) => region !== 'global' && !(protocols[protocol].statesCountry && search),
  );
  return [
    ...(extraction === null
      ? [
          'No extraction model: only tracked names are found, without tones, and ranks count only tracked names.',
        ]
      : []),
    ...labels.map(
      ({ engine, protocol, region, search }) =>
        `${engine}: the region ${region} only labels the runs: ${search ? `the protocol ${protocol}` : 'a call without search'} sends no location.`,
    ),
  ];
}
