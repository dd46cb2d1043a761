/** Parses the reply of the extraction model. Nothing in it is trusted: `mentions.ts` compares all of it with the answer. */
import { z } from 'zod';
import { type Tone, tones } from '../../contract/reads/answers.js';
import { replyJson } from '../../language-models/reply-json.js';

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
  const { data } = reply.safeParse(replyJson(withoutThoughts(text)));
  return data
    ? data.mentions.map(({ name, sentiment, evidence }) => ({
        name,
        tone: sentiment ?? null,
        evidence: evidence ?? null,
      }))
    : null;
}

/** Removes the thoughts that some models put before the JSON. */
const withoutThoughts = (text: string): string => text.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
