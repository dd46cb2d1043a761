/** Generates the knowledge base, the fact check and the measured search volumes of the demo. */
import type { DatasetRecord, RecordOf } from '../../server/dataset/records/index.js';
import { daysBefore } from './calendar.js';
import { prompts } from './espresso/prompts.js';
import { topics } from './espresso/topics.js';
import { echoOf } from './fanouts.js';

const KNOWLEDGE_BASE = `Torvello makes espresso machines for the home since 2014, in Turin.
Arco: single boiler, PID, 58 mm basket, heats up in 45 seconds, 1.8 litre tank, $699.
Arco Duo: two boilers, 58 mm basket, plumbed in or with a 2.5 litre tank, $1,149.
Piccola: 14 cm wide, 54 mm basket, 1.1 litre tank, $449.
Tempo: single boiler with a built-in grinder, $899.
Warranty: five years on every machine, ten on boilers. Spare parts are kept for fifteen years.
Steam: since the 2026 model year the Arco builds steam pressure in 25 seconds.`;

const discrepancies: RecordOf<'fact_check'>['discrepancies'] = [
  {
    engine: 'perplexity',
    claim: 'The steam wand of the Arco needs almost a minute to build pressure.',
    truth: 'Since the 2026 model year the Arco builds steam pressure in 25 seconds.',
    severity: 'high',
  },
  {
    engine: 'copilot',
    claim: 'The Torvello Piccola has a two-litre tank.',
    truth: 'The Piccola has a 1.1 litre tank.',
    severity: 'medium',
  },
  {
    engine: 'gemini',
    claim: 'The Arco has a 54 mm basket.',
    truth: 'The Arco has a 58 mm basket.',
    severity: 'low',
  },
];
const CHECKED_DAYS_AGO = 3;
const ENGINES_CHECKED = 7;

/** The volumes of the first searches; the others were never measured. */
const VOLUMES = [8100, 2400, 590, 320, 1300, 210];

function* fanoutVolumes(measured_at: string): Generator<RecordOf<'fanout_volume'>> {
  const searches = topics.flatMap((topic) => topic.searches.slice(0, 1));
  const echoes = prompts.slice(2, 3).map(({ text }) => echoOf(text));
  for (const [i, query] of [...searches, ...echoes].entries()) {
    yield { type: 'fanout_volume', query, volume: VOLUMES[i]!, measured_at };
  }
}

/** The knowledge base, the check of three days ago and the measured volumes. */
export function* facts(brand: string, now: Date): Generator<DatasetRecord> {
  yield { type: 'knowledge_base', brand, text: KNOWLEDGE_BASE };
  yield {
    type: 'fact_check',
    brand,
    checked_at: daysBefore(now, CHECKED_DAYS_AGO),
    answers_checked: ENGINES_CHECKED,
    cost_usd: 0.0132,
    discrepancies,
  };
  yield* fanoutVolumes(daysBefore(now, CHECKED_DAYS_AGO));
}
