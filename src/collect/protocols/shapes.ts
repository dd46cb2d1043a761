/** Schemas that the protocols share. Unknown fields are ignored; a field of another type makes the response malformed. */
import { z } from 'zod';
import type { Answer, Citation, Reply, Usage } from './protocol.js';

/** A field that may be absent or null. */
export const maybe = <S extends z.ZodType>(schema: S) => schema.nullish();

/** No call uses more tokens or dollars than this. */
const LARGEST_AMOUNT = 1e9;
/** A count or a cost. A value that cannot be one counts as not stated, because the answer was paid anyway. */
export const amount = maybe(z.number().min(0).max(LARGEST_AMOUNT)).catch(null);
/** What a response states about its cost, with the same rule. */
export const stated = <S extends z.ZodRawShape>(fields: S) => maybe(z.object(fields)).catch(null);

export const NO_USAGE: Usage = { input: null, output: null, searches: null, costUsd: null };

/** A citation without a title if the engine states none, or an empty one. */
export const citationOf = (url: string, title: string | null | undefined): Citation =>
  title == null || title === '' ? { url } : { url, title };

/** The answer if it has a text, else a malformed reply. */
export function answered(answer: Answer, usage: Usage): Reply {
  if (answer.text.trim() !== '') return { kind: 'answered', answer, usage };
  return { kind: 'malformed', detail: 'the response has no text', usage };
}

/** The headers of a key as OpenAI expects it. */
export const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { Authorization: `Bearer ${key}` };

/** The field if it is set. */
export const given = <K extends string, V>(name: K, value: V | null | undefined): { [N in K]?: V } =>
  (value == null ? {} : { [name]: value }) as { [N in K]?: V };
