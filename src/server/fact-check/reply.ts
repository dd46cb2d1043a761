/** Parses and validates the reply of the language model. */
import { z } from 'zod';
import { severities } from '../../contract/reads/fact-check.js';
import { replyJson } from '../../language-models/reply-json.js';
import { name } from '../dataset/records/fields.js';

/** A reply that exceeds these limits is malformed. */
const MOST = { discrepancies: 100, characters: 2000 } as const;

const brief = name.refine(({ length }) => length <= MOST.characters);

/** The schema of the reply. It allows only the engines of the compared answers. */
export const replySchema = (engines: readonly string[]) =>
  z.strictObject({
    discrepancies: z
      .array(
        z.strictObject({
          engine: z.enum(engines as readonly [string, ...string[]]),
          claim: brief,
          truth: brief,
          severity: z.enum(severities),
        }),
      )
      .refine(({ length }) => length <= MOST.discrepancies),
  });

export type Discrepancies = z.infer<ReturnType<typeof replySchema>>['discrepancies'];

/** The tokens of a request that the endpoint charges for. */
export interface Usage {
  readonly input: number;
  readonly output: number;
}

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
const stated = z.object({
  usage: z.object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0) }),
});

/** The discrepancies of a body of chat completions; null: malformed. */
export function discrepanciesOf(body: string, engines: readonly string[]): Discrepancies | null {
  const { data } = completion.safeParse(replyJson(body));
  const content = data && replyJson(data.choices[0]!.message.content);
  return replySchema(engines).safeParse(content).data?.discrepancies ?? null;
}

/** The usage of a request; null: the endpoint did not state it. */
export function usageOf(body: string): Usage | null {
  const { data } = stated.safeParse(replyJson(body));
  return data ? { input: data.usage.prompt_tokens, output: data.usage.completion_tokens } : null;
}
