/**
 * The Sonar API of Perplexity.
 * https://docs.perplexity.ai/api-reference/chat-completions-post
 */
import { z } from 'zod';
import {
  amount,
  answered,
  bearer,
  type Citation,
  citationOf,
  type EngineInput,
  lenientObject,
  maybe,
  optionalField,
  outputLimit,
  type Protocol,
  type Usage,
} from './protocol.js';

const completion = z.object({
  model: maybe(z.string()),
  choices: z
    .array(z.object({ finish_reason: maybe(z.string()), message: z.object({ content: maybe(z.string()) }) }))
    .min(1),
  citations: maybe(z.array(z.string())),
  search_results: maybe(z.array(z.object({ url: maybe(z.string()), title: maybe(z.string()) }))),
  usage: lenientObject({
    prompt_tokens: amount,
    completion_tokens: amount,
    num_search_queries: amount,
    cost: lenientObject({ total_cost: amount }),
  }),
});
type Completion = z.infer<typeof completion>;

/** `[3]` and `[1, 2]`. */
const MARKS = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

const webSearch = ({ search, country }: EngineInput) => {
  if (!search) return { disable_search: true };
  return country === null ? {} : { web_search_options: { user_location: { country } } };
};

export const perplexity: Protocol = {
  statesCountry: true,
  maxSearches: () => 3,

  request(asked, input, key) {
    const { instructions, prompt, reply } = input;
    const system = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
    const body = {
      model: asked.model,
      messages: [...system, { role: 'user', content: prompt }],
      ...webSearch(input),
      ...optionalField('max_tokens', outputLimit(asked)),
      ...optionalField(
        'response_format',
        reply && { type: 'json_schema', json_schema: { schema: reply.schema } },
      ),
    };
    return { path: '/chat/completions', headers: bearer(key), body };
  },

  reply(body) {
    const data = completion.parse(body);
    const usage = usageOf(data);
    const { finish_reason, message } = data.choices[0]!;
    if (finish_reason === 'content_filter') return { kind: 'filtered', detail: finish_reason, usage };
    if (finish_reason === 'length') return { kind: 'truncated', detail: finish_reason, usage };
    const text = message.content ?? '';
    const answer = { text, model: data.model ?? null, citations: citationsOf(text, data), fanouts: [] };
    return answered(answer, usage);
  },
};

/** The sources whose numbers are in the text, each once. Other sources were only retrieved. */
function citationsOf(text: string, { citations, search_results }: Completion): Citation[] {
  const results = search_results ?? [];
  const titles = new Map(results.map(({ url, title }) => [url, title]));
  const sources = citations?.length ? citations : results.map(({ url }) => url ?? '');
  const numbers = [...text.matchAll(MARKS)].flatMap(([, list]) => list!.split(',').map(Number));
  return [...new Set(numbers)].flatMap((number) => {
    const url = sources[number - 1];
    return url ? [citationOf(url, titles.get(url))] : [];
  });
}

const usageOf = ({ usage }: Completion): Usage => ({
  input: usage?.prompt_tokens ?? null,
  output: usage?.completion_tokens ?? null,
  searches: usage?.num_search_queries ?? null,
  costUsd: usage?.cost?.total_cost ?? null,
});
