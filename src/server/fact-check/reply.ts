/** What the language model replied, checked: whatever is not of the form that was asked for is malformed. */
import { z } from 'zod';
import { severities } from '../../contract/fact-check.js';
import { name } from '../dataset/records/fields.js';

/** The form that the model is held to; it may only name engines whose answers it was given. */
export const replySchema = (engines: readonly string[]) =>
  z.strictObject({
    discrepancies: z.array(
      z.strictObject({
        engine: z.enum(engines as readonly [string, ...string[]]),
        claim: name,
        truth: name,
        severity: z.enum(severities),
      }),
    ),
  });

export type Discrepancies = z.infer<ReturnType<typeof replySchema>>['discrepancies'];

/** Tokens that a request was charged for. */
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
export function discrepanciesOf(body: unknown, engines: readonly string[]): Discrepancies | null {
  const { data } = completion.safeParse(body);
  const content = data && parsed(data.choices[0]!.message.content);
  return replySchema(engines).safeParse(content).data?.discrepancies ?? null;
}

/** Null: the endpoint did not state it. */
export function usageOf(body: unknown): Usage | null {
  const { data } = stated.safeParse(body);
  return data ? { input: data.usage.prompt_tokens, output: data.usage.completion_tokens } : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
