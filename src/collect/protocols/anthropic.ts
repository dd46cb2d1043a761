/**
 * The Messages API of Anthropic.
 * https://docs.anthropic.com/en/api/messages and
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool
 */
import { z } from 'zod';
import {
  type Answer,
  amount,
  answered,
  citationOf,
  type EngineInput,
  lenientObject,
  maybe,
  optionalField,
  outputLimit,
  type Protocol,
  type Usage,
} from './protocol.js';

const VERSION = '2023-06-01';
/** The API requires a limit, even if output is free. */
const DEFAULT_MAX_TOKENS = 8192;
const MAX_SEARCHES = 5;

const citation = z.object({ type: z.string(), url: maybe(z.string()), title: maybe(z.string()) });
const block = z.object({
  type: z.string(),
  name: maybe(z.string()),
  text: maybe(z.string()),
  citations: maybe(z.array(citation)),
  input: z.unknown().optional(),
});
const message = z.object({
  model: maybe(z.string()),
  stop_reason: maybe(z.string()),
  content: z.array(block),
  usage: lenientObject({
    input_tokens: amount,
    output_tokens: amount,
    cache_creation_input_tokens: amount,
    cache_read_input_tokens: amount,
    server_tool_use: lenientObject({ web_search_requests: amount }),
  }),
});
type Message = z.infer<typeof message>;

const webSearch = ({ country, maxSearches }: EngineInput) => ({
  type: 'web_search_20250305',
  name: 'web_search',
  max_uses: maxSearches ?? MAX_SEARCHES,
  ...optionalField('user_location', country === null ? null : { type: 'approximate', country }),
});

export const anthropic: Protocol = {
  statesCountry: true,
  maxSearches: () => MAX_SEARCHES,

  request(asked, input, key) {
    const { prompt, instructions, reply, search } = input;
    // A tool that must be called is the oldest way to a reply of a given schema.
    const tools = reply ? [{ name: reply.name, input_schema: reply.schema }] : [webSearch(input)];
    const body = {
      model: asked.model,
      max_tokens: outputLimit(asked) ?? DEFAULT_MAX_TOKENS,
      messages: [{ role: 'user', content: prompt }],
      ...optionalField('system', instructions),
      ...optionalField('tools', search || reply ? tools : null),
      ...optionalField('tool_choice', reply && { type: 'tool', name: reply.name }),
    };
    return {
      path: '/messages',
      headers: { 'anthropic-version': VERSION, ...optionalField('x-api-key', key) },
      body,
    };
  },

  reply(body) {
    const data = message.parse(body);
    const usage = usageOf(data);
    switch (data.stop_reason) {
      case 'refusal':
        return { kind: 'refused', detail: data.stop_reason, usage };
      case 'max_tokens':
      case 'model_context_window_exceeded':
      // The turn goes on only with another request.
      case 'pause_turn':
        return { kind: 'truncated', detail: data.stop_reason, usage };
      default:
        return answered(answerOf(data), usage);
    }
  },
};

function answerOf({ model, content }: Message): Answer {
  const texts = content.filter(({ type }) => type === 'text');
  const forced = content.find(({ type }) => type === 'tool_use');
  return {
    text: forced ? JSON.stringify(forced.input ?? null) : texts.map(({ text }) => text ?? '').join(''),
    model: model ?? null,
    citations: texts
      .flatMap(({ citations }) => citations ?? [])
      .flatMap(({ type, url, title }) =>
        type === 'web_search_result_location' && url ? [citationOf(url, title)] : [],
      ),
    fanouts: content.flatMap(({ type, name, input }) =>
      type === 'server_tool_use' && name === 'web_search' ? queryOf(input) : [],
    ),
  };
}

const searchInput = z.object({ query: z.string() });

function queryOf(input: unknown): string[] {
  const { data } = searchInput.safeParse(input);
  return data ? [data.query] : [];
}

/** Tokens of the cache are input too; at most they cost as much. */
function usageOf({ usage }: Message): Usage {
  const cached = (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
  return {
    input: usage?.input_tokens == null ? null : usage.input_tokens + cached,
    output: usage?.output_tokens ?? null,
    searches: usage ? (usage.server_tool_use?.web_search_requests ?? 0) : null,
    costUsd: null,
  };
}
