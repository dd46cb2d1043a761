/** Parses the reply of the extraction model. Nothing in it is trusted: `mentions.ts` compares all of it with the answer. */
import { z } from 'zod';
import { type Tone, tones } from '../../contract/reads/answers.js';

/** What the model claims to have found. */
export interface ClaimedName {
  readonly name: string;
  readonly tone: Tone | null;
  readonly evidence: string | null;
}

/** A longer list is malformed: no answer names so many products. */
const MOST_NAMES = 1000;

const claimed = z.object({
  name: z.string(),
  // Another word for a tone is a missing tone.
  sentiment: z.enum(tones).nullish().catch(null),
  evidence: z.string().nullish().catch(null),
});
const reply = z.object({ mentions: z.array(claimed).max(MOST_NAMES) });

/** The names of a reply; null: it is malformed. */
export function claimedNames(text: string): ClaimedName[] | null {
  const { data } = reply.safeParse(parsed(withoutFence(text)));
  return data
    ? data.mentions.map(({ name, sentiment, evidence }) => ({
        name,
        tone: sentiment ?? null,
        evidence: evidence ?? null,
      }))
    : null;
}

/** Removes the thoughts and the code fence that some models put around JSON. */
const withoutFence = (text: string): string =>
  text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').replace(/^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/, '$1');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
