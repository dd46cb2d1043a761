/** What a day of a plan costs, before it has ever collected. */
import { roundedUsd } from '../server/base/language-model.js';
import { estimateOf } from './budget.js';
import type { CollectPlan } from './plan/plan.js';
import { askKind, extractKind } from './preview.js';

export interface DayCost {
  /** The engine of a target; null: the extraction. */
  readonly engine: string | null;
  readonly model: string;
  readonly calls: number;
  /** Null: a price is not stated. */
  readonly cost_usd: number | null;
}

/** A row for each target and for the extraction, whose tokens are assumptions. */
export function dayCosts({ targets, extraction, samples }: CollectPlan, prompts: number): DayCost[] {
  const runs = prompts * samples;
  const kinds = [
    ...targets.map((target) => ({ engine: target.engine, calls: runs, kind: askKind(target) })),
    ...(extraction ? [{ engine: null, calls: runs * targets.length, kind: extractKind(extraction) }] : []),
  ];
  return kinds.map(({ engine, calls, kind }) => {
    const { costUsd } = estimateOf(kind, []);
    const cost_usd = costUsd === null ? null : roundedUsd(calls * costUsd);
    return { engine, model: kind.endpoint.model, calls, cost_usd };
  });
}

/** Null: the cost of a row is not known. */
export const sumOf = (costs: readonly DayCost[]): number | null =>
  costs.some(({ cost_usd }) => cost_usd === null)
    ? null
    : roundedUsd(costs.reduce((sum, { cost_usd }) => sum + cost_usd!, 0));
