/** Two answers side by side: the names and pages that only one of them has. */

import { errors } from '../../contract/errors.js';
import { brand } from '../../contract/params.js';
import { brandRef } from '../../contract/read.js';
import { type FullAnswer, fullAnswer } from '../../contract/reads/answer.js';
import type { BodyOf } from '../../contract/registry.js';
import { type Infer, list, object, oneOf, text } from '../../contract/schema.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { CommandError } from '../command-error.js';
import { isRefusedAs } from '../failure/diagnosis.js';

const answerDifference = object({
  what: oneOf(['name', 'page'], 'A name in the answer, or a page that it cites'),
  value: text('The name as the answer wrote it, or the address'),
  only_in: oneOf(['a', 'b'], 'The answer that has it'),
});
export const answerComparison = {
  params: { brand },
  rows: 'differences',
  response: object({
    brand: brandRef,
    a: fullAnswer,
    b: fullAnswer,
    differences: list(answerDifference, 'Names by rank, then pages in captured order, those of a first'),
  }),
} as const;
export type AnswerDifference = Infer<typeof answerDifference>;
export type AnswerComparison = Infer<typeof answerComparison.response>;

/** @throws CommandError `not_found` with the id that the brand does not have. */
export async function readAnswer(
  svc: SvcClient,
  id: string,
  options: CallOptions,
): Promise<BodyOf<'answer'>> {
  try {
    return await svc.answer({ run_id: id }, options);
  } catch (error) {
    if (!isRefusedAs(error, 'unknownRun')) throw error;
    const { toolMessage, status, code } = errors.unknownRun(id);
    const hint = (await isPrompt(svc, id, options))
      ? `That is a prompt: \`svc prompt ${id}\` shows it, and \`svc answers --prompt ${id}\` lists its answers.`
      : '`svc answers` lists the ids of a brand; --brand chooses another brand.';
    throw new CommandError('not_found', `${toolMessage}.`, { status, refusal: code, hint });
  }
}

/** Whether an active prompt has the id; false if that cannot be read. */
async function isPrompt(svc: SvcClient, id: string, options: CallOptions): Promise<boolean> {
  try {
    return (await svc.prompts.top({}, options)).prompts.some((prompt) => prompt.id === id);
  } catch {
    return false;
  }
}

/** Two requests. */
export async function readAnswerComparison(
  svc: SvcClient,
  ids: readonly [string, string],
  options: CallOptions,
): Promise<AnswerComparison> {
  const [first, second] = await Promise.all(ids.map((id) => readAnswer(svc, id, options)));
  const { brand, answer: a } = first!;
  const { answer: b } = second!;
  const entities = new Map(
    [a, b].flatMap(({ spans }) => spans.map((each) => [folded(each.name), each.entity])),
  );
  const differences = [
    ...onlyIn(a, b, 'name', namesOf, (name) => entities.get(folded(name)) ?? folded(name)),
    ...onlyIn(a, b, 'page', pagesOf, (url) => url),
  ];
  return { brand, a, b, differences };
}

const namesOf = ({ mentions }: FullAnswer): string[] => mentions.map(({ name }) => name);
const pagesOf = ({ citations }: FullAnswer): string[] => citations.map(({ url }) => url);

/** One form for the ways to write a name. */
const folded = (name: string): string => name.normalize('NFD').toLowerCase().replace(/\s+/g, ' ').trim();

/** @param keyOf Equal for values that mean the same. */
function onlyIn(
  a: FullAnswer,
  b: FullAnswer,
  what: AnswerDifference['what'],
  valuesOf: (answer: FullAnswer) => readonly string[],
  keyOf: (value: string) => string,
): AnswerDifference[] {
  const rowsOf = (own: FullAnswer, other: FullAnswer, only_in: AnswerDifference['only_in']) => {
    const others = new Set(valuesOf(other).map(keyOf));
    const values = new Map(valuesOf(own).map((value) => [keyOf(value), value]));
    return [...values].flatMap(([key, value]) => (others.has(key) ? [] : [{ what, value, only_in }]));
  };
  return [...rowsOf(a, b, 'a'), ...rowsOf(b, a, 'b')];
}
