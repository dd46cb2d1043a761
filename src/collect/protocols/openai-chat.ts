/**
 * The chat completions API of OpenAI, which most other vendors and local servers offer too.
 * https://platform.openai.com/docs/api-reference/chat
 */
import { z } from 'zod';
import {
  amount,
  answered,
  bearer,
  citationOf,
  type EngineInput,
  lenientObject,
  maybe,
  optionalField,
  outputLimit,
  type Protocol,
  type Usage,
} from './protocol.js';

const annotation = z.object({
  type: z.string(),
  url_citation: maybe(z.object({ url: z.string(), title: maybe(z.string()) })),
});
const choice = z.object({
  finish_reason: maybe(z.string()),
  message: z.object({
    content: maybe(z.string()),
    refusal: maybe(z.string()),
    annotations: maybe(z.array(annotation)),
  }),
});
const completion = z.object({
  model: maybe(z.string()),
  choices: z.array(choice).min(1),
  usage: lenientObject({ prompt_tokens: amount, completion_tokens: amount, cost: amount }),
});

const webSearch = ({ country }: EngineInput) =>
  country === null ? {} : { user_location: { type: 'approximate', approximate: { country } } };

export const openaiChat: Protocol = {
  statesCountry: true,
  maxSearches: () => 1,

  request(asked, input, key) {
    const { instructions, prompt, reply, search } = input;
    const system = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
    const body = {
      model: asked.model,
      messages: [...system, { role: 'user', content: prompt }],
      ...optionalField('web_search_options', search ? webSearch(input) : null),
      ...optionalField('max_completion_tokens', outputLimit(asked)),
      ...optionalField(
        'response_format',
        reply && { type: 'json_schema', json_schema: { strict: true, ...reply } },
      ),
    };
    return { path: '/chat/completions', headers: bearer(key), body };
  },

  reply(body) {
    const data = completion.parse(body);
    const usage = usageOf(data);
    const { finish_reason, message } = data.choices[0]!;
    if (message.refusal) return { kind: 'refused', detail: 'refusal', usage };
    if (finish_reason === 'content_filter') return { kind: 'filtered', detail: finish_reason, usage };
    if (finish_reason === 'length') return { kind: 'truncated', detail: finish_reason, usage };
    const citations = (message.annotations ?? []).flatMap(({ type, url_citation }) =>
      type === 'url_citation' && url_citation ? [citationOf(url_citation.url, url_citation.title)] : [],
    );
    const answer = { text: message.content ?? '', model: data.model ?? null, citations, fanouts: [] };
    return answered(answer, usage);
  },
};

const usageOf = ({ usage }: z.infer<typeof completion>): Usage => ({
  input: usage?.prompt_tokens ?? null,
  output: usage?.completion_tokens ?? null,
  searches: null,
  costUsd: usage?.cost ?? null,
});
