/** Responses as the vendors' type definitions describe them. */
import type { ProtocolName } from '../../../src/collect/protocols/index.js';

export interface Reply {
  readonly text: string;
  readonly model: string;
  /** Pages that the answer cites. */
  readonly cited: readonly { readonly url: string; readonly title?: string }[];
  /** Pages that were only retrieved. */
  readonly retrieved: readonly string[];
  readonly searches: readonly string[];
  readonly input: number;
  readonly output: number;
  /** The value of the protocol's own field for the end of an answer. */
  readonly finish: string;
  /** A refusal in the protocol's own form. */
  readonly refusal: string;
  /** The reply to an extraction. */
  readonly extracted: unknown;
}

export const USED = { input: 100, output: 200 } as const;

const filled = (reply: Partial<Reply>) => {
  const { extracted } = reply;
  const json = typeof extracted === 'string' ? extracted : JSON.stringify(extracted);
  return {
    ...{
      text: 'Fleetfoot and Stride are both fine.',
      model: 'loopback-1',
      cited: [],
      retrieved: [],
      searches: [],
    },
    ...USED,
    ...reply,
    ...(extracted !== undefined && { text: json }),
  };
};

const annotation = ({ url, title }: Reply['cited'][number]) => ({
  url,
  title: title ?? '',
  start_index: 0,
  end_index: 4,
});

export const replies: { readonly [N in ProtocolName]: (reply: Partial<Reply>) => unknown } = {
  'openai-responses': (reply) => {
    const { text, model, cited, retrieved, searches, input, output, finish, refusal } = filled(reply);
    const sources = retrieved.map((url) => ({ type: 'url', url }));
    return {
      id: 'resp_1',
      object: 'response',
      status: finish ? 'incomplete' : 'completed',
      incomplete_details: finish ? { reason: finish } : null,
      model,
      output: [
        ...searches.map((query) => ({
          id: 'ws_1',
          type: 'web_search_call',
          status: 'completed',
          action: { type: 'search', queries: [query], query, sources },
        })),
        {
          type: 'message',
          role: 'assistant',
          content: [
            refusal
              ? { type: 'refusal', refusal }
              : {
                  type: 'output_text',
                  text,
                  annotations: cited.map((page) => ({ type: 'url_citation', ...annotation(page) })),
                },
          ],
        },
      ],
      usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    };
  },
  'openai-chat': (reply) => {
    const { text, model, cited, input, output, finish, refusal } = filled(reply);
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model,
      choices: [
        {
          index: 0,
          finish_reason: finish ?? 'stop',
          message: {
            role: 'assistant',
            content: refusal ? null : text,
            refusal: refusal ?? null,
            annotations: cited.map((page) => ({ type: 'url_citation', url_citation: annotation(page) })),
          },
        },
      ],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    };
  },
  anthropic: (reply) => {
    const { text, model, cited, retrieved, searches, input, output, finish, extracted } = filled(reply);
    const citations = cited.map(({ url, title }) => ({
      ...{ type: 'web_search_result_location', url, title: title ?? null, cited_text: text.slice(0, 20) },
      encrypted_index: 'e',
    }));
    const results = retrieved.map((url) => ({ type: 'web_search_result', url, title: 'Retrieved' }));
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      stop_reason: finish ?? (extracted === undefined ? 'end_turn' : 'tool_use'),
      content: [
        ...searches.flatMap((query) => [
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query } },
          { type: 'web_search_tool_result', tool_use_id: 's1', content: results },
        ]),
        extracted === undefined || typeof extracted === 'string'
          ? { type: 'text', text, citations }
          : { type: 'tool_use', id: 't1', name: 'mentions', input: extracted },
      ],
      usage: {
        input_tokens: input,
        output_tokens: output,
        server_tool_use: { web_search_requests: searches.length },
      },
    };
  },
  gemini: (reply) => {
    const { text, model, cited, retrieved, searches, input, output, finish, refusal } = filled(reply);
    const chunks = [
      ...retrieved.map((uri) => ({ uri, title: '' })),
      ...cited.map(({ url, title }) => ({ uri: url, title })),
    ];
    if (refusal)
      return { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: input } };
    return {
      modelVersion: model,
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'A thought.', thought: true }, { text }] },
          finishReason: finish ?? 'STOP',
          groundingMetadata: {
            webSearchQueries: searches,
            groundingChunks: chunks.map((web) => ({ web })),
            groundingSupports: cited.map((_, at) => ({
              segment: { text: text.slice(0, 10) },
              groundingChunkIndices: [retrieved.length + at],
            })),
          },
        },
      ],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
    };
  },
  perplexity: (reply) => {
    const { text, model, cited, retrieved, input, output, finish } = filled(reply);
    const sources = [...retrieved.map((url) => ({ url, title: 'Retrieved' })), ...cited];
    const marks = cited.map((_, at) => `[${retrieved.length + at + 1}]`).join('');
    return {
      id: 'p1',
      model,
      citations: sources.map(({ url }) => url),
      search_results: sources,
      choices: [
        { index: 0, finish_reason: finish ?? 'stop', message: { role: 'assistant', content: text + marks } },
      ],
      usage: {
        prompt_tokens: input,
        completion_tokens: output,
        cost: { total_cost: 0.006 },
      },
    };
  },
};
