/** Scorecards whose summary tests read, and the numbers in phrases. */
import type { MetricChange } from '../../../src/contract/intervals.js';
import type { NumberPart, Phrase } from '../../../src/contract/phrase.js';
import type { Overview } from '../../../src/contract/reads/overview.js';
import { overview as measured } from '../../cli/support/fixtures.js';

const same: MetricChange = {
  previous: 0.37,
  delta: 0.01,
  difference: 0.01,
  verdict: 'no_clear_change',
  reason: null,
  reason_fact: null,
};

/** A scorecard of Torvello with a change of its presence. */
export const scorecard = (
  presence: number | null,
  change: Partial<MetricChange> = {},
  rest = {},
): Overview => ({
  ...measured,
  brand: { id: 'b', name: 'Torvello', domain: 'torvello.example' },
  presence_rate: presence,
  change: { ...measured.change, presence_rate: { ...same, ...change } },
  ...rest,
});

export const numbersOf = (phrase: Phrase): NumberPart[] =>
  phrase.filter((part): part is NumberPart => typeof part === 'object' && 'field' in part);

/** The value at `overview.change.presence_rate.previous`, in bodies by the names of their reads. */
export function valueAt(field: string, bodies: { readonly [read: string]: object }): unknown {
  return field.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value.find((one, at) => one.engine === name || String(at) === name);
    return (value as { [name: string]: unknown })[name];
  }, bodies);
}
