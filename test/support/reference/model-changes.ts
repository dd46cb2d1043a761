import type { Window } from './days.js';
import { dayOf, isWithin } from './days.js';
import { ENGINES } from './engines.js';
import { expectedMeasured } from './measured.js';
import type { RunRecord } from './records.js';
import { byCodePoint } from './text-order.js';

export interface ExpectedModelChange {
  engine: string;
  model: string;
  since: string;
}

/**
 * Models whose first run on an engine that counts is within the window and after the first run of the engine.
 * @param runs Of all days and engines.
 */
export function expectedModelChanges(
  runs: RunRecord[],
  counts: (engine: string) => boolean,
  window: Window | null,
): ExpectedModelChange[] {
  return ENGINES.filter(counts).flatMap((engine) => {
    const all = runs.filter((run) => run.engine === engine);
    const oldest = expectedMeasured(all.map((run) => dayOf(run.collected_at)))?.first_day;
    const ofEngine = all.filter((run) => run.model);
    const models = [...new Set(ofEngine.map((run) => run.model!))];
    const changes = models.map((model) => {
      const days = ofEngine.filter((run) => run.model === model).map((run) => dayOf(run.collected_at));
      return { engine, model, since: days.sort()[0]! };
    });
    return changes
      .filter(({ since }) => window !== null && isWithin(window, since) && since !== oldest)
      .sort((a, b) => byCodePoint(a.since, b.since) || byCodePoint(a.model, b.model));
  });
}
