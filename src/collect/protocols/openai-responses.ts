/**
 * The Responses API of OpenAI, which OpenRouter and xAI offer too.
 * https://platform.openai.com/docs/api-reference/responses and https://platform.openai.com/docs/guides/tools-web-search
 */
import { z } from 'zod';
import {
  type Answer,
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
  type Reply,
  type Usage,
} from './protocol.js';

const part = z.object({
  type: z.string(),
  text: maybe(z.string()),
  refusal: maybe(z.string()),
  annotations: maybe(
    z.array(z.object({ type: z.string(), url: maybe(z.string()), title: maybe(z.string()) })),
  ),
});
const action = z.object({
  type: maybe(z.string()),
  query: maybe(z.string()),
  queries: maybe(z.array(z.string())),
});
const item = z.object({
  type: z.string(),
  content: maybe(z.array(part)),
  action: maybe(action),
});
const response = z.object({
  model: maybe(z.string()),
  status: maybe(z.string()),
  incomplete_details: maybe(z.object({ reason: maybe(z.string()) })),
  output: z.array(item),
  usage: lenientObject({ input_tokens: amount, output_tokens: amount, cost: amount }),
});
type Response = z.infer<typeof response>;

const CHARGED_SEARCH = 'web_search_call';

const webSearch = ({ country }: EngineInput) => ({
  type: 'web_search',
  ...optionalField('user_location', country === null ? null : { type: 'approximate', country }),
});

export const openaiResponses: Protocol = {
  statesCountry: true,
  // An assumption: not every server of this form takes `max_tool_calls`, so it is sent only if the plan states it.
  maxSearches: () => 5,

  request(asked, input, key) {
    const { prompt, instructions, reply, search, maxSearches } = input;
    const body = {
      model: asked.model,
      input: prompt,
      // Not kept by the vendor, because nothing refers to it later.
      store: false,
      ...optionalField('instructions', instructions),
      ...optionalField('tools', search ? [webSearch(input)] : null),
      ...optionalField('max_tool_calls', search ? maxSearches : null),
      ...optionalField('max_output_tokens', outputLimit(asked)),
      ...optionalField('text', reply && { format: { type: 'json_schema', strict: true, ...reply } }),
    };
    return { path: '/responses', headers: bearer(key), body };
  },

  reply(body) {
    const data = response.parse(body);
    const usage = usageOf(data);
    return unfinished(data, usage) ?? answered(answerOf(data), usage);
  },
};

const partsOf = ({ output }: Response) =>
  output.filter(({ type }) => type === 'message').flatMap(({ content }) => content ?? []);

function unfinished(data: Response, usage: Usage): Reply | null {
  const reason = data.incomplete_details?.reason;
  if (data.status === 'incomplete') {
    if (reason === 'content_filter') return { kind: 'filtered', detail: 'content_filter', usage };
    return { kind: 'truncated', detail: reason === 'max_output_tokens' ? reason : 'incomplete', usage };
  }
  if (data.status != null && data.status !== 'completed')
    return { kind: 'malformed', detail: 'its status is not completed', usage };
  const isRefused = partsOf(data).some(({ type }) => type === 'refusal');
  return isRefused ? { kind: 'refused', detail: 'refusal', usage } : null;
}

function answerOf(data: Response): Answer {
  const texts = partsOf(data).filter(({ type }) => type === 'output_text');
  return {
    text: texts.map(({ text }) => text ?? '').join(''),
    model: data.model ?? null,
    citations: texts
      .flatMap(({ annotations }) => annotations ?? [])
      .flatMap(({ type, url, title }) => (type === 'url_citation' && url ? [citationOf(url, title)] : [])),
    fanouts: data.output.flatMap(({ type, action }) => (type === CHARGED_SEARCH ? queriesOf(action) : [])),
  };
}

/** `query` is the older field, and is ignored next to `queries`. */
const queriesOf = (action: z.infer<typeof item>['action']): string[] =>
  action?.queries ?? (action?.query ? [action.query] : []);

const usageOf = ({ usage, output }: Response): Usage => ({
  input: usage?.input_tokens ?? null,
  output: usage?.output_tokens ?? null,
  // Opening a page is not charged as a search.
  searches: output.filter(
    ({ type, action }) => type === CHARGED_SEARCH && (action?.type ?? 'search') === 'search',
  ).length,
  costUsd: usage?.cost ?? null,
});
