/** Makes the record of a run from an answer and the names in it. */
import { type RecordOf, records } from '../server/dataset/records/index.js';
import type { Mention } from './extraction/mentions.js';
import type { Answer, Citation } from './protocols/protocol.js';
import type { ScheduledRun } from './schedule.js';

interface Parts {
  readonly brand: string;
  /** When the answer arrived. */
  readonly at: string;
  readonly answer: Answer;
  readonly citations: readonly Citation[];
  readonly mentions: Mention[];
}

/** The record; null: the engine sent something that the dataset format does not accept. */
export function buildRun({ id, prompt, target }: ScheduledRun, parts: Parts): RecordOf<'run'> | null {
  const { brand, at, answer, citations, mentions } = parts;
  const run = {
    type: 'run',
    id,
    brand,
    prompt: prompt.id,
    engine: target.engine,
    ...(answer.model && { model: answer.model }),
    region: target.region,
    surface: 'api',
    collected_at: at,
    answer: answer.text,
    mentions,
    citations,
    ...(answer.fanouts.length > 0 && { fanouts: answer.fanouts }),
  };
  return records.run.safeParse(run).data ?? null;
}
