/** Ids of runs: `DATE.ENGINE.PROMPT.REGION.SAMPLE`. The same plan on the same day makes the same ids. */
import { createHash } from 'node:crypto';

export interface RunKey {
  /** The UTC day, YYYY-MM-DD. */
  readonly date: string;
  readonly engine: string;
  readonly prompt: string;
  readonly region: string;
  /** Counts from 1. */
  readonly sample: number;
}

/** The longest id of the dataset format. */
const LONGEST_ID = 64;
const HASH_DIGITS = 12;

/** The id. A prompt id that is too long is replaced by its beginning and a hash of it. */
export function runId({ date, engine, prompt, region, sample }: RunKey): string {
  const [before, after] = [`${date}.${engine}.`, `.${region}.${sample}`];
  const room = LONGEST_ID - before.length - after.length;
  if (prompt.length <= room) return before + prompt + after;
  const hash = createHash('sha256').update(prompt).digest('hex').slice(0, HASH_DIGITS);
  return `${before}${prompt.slice(0, room - HASH_DIGITS - 1)}-${hash}${after}`;
}
