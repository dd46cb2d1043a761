/** Sends one request to the language model, by the chat completions API of the endpoint. */

import type { CheckRequest } from './check-request.js';
import type { ModelConfig } from './model-config.js';

/** The outcome of a request to the model: the body of its reply, or why there is no reply. */
export type ModelAnswer =
  | { readonly kind: 'replied'; readonly body: string }
  | { readonly kind: 'timeout' | 'stopped' | 'unreachable' }
  | { readonly kind: 'refused'; readonly status: number };

/** A valid reply has a few kilobytes. A longer one than this is not read to its end. */
const LONGEST_REPLY_BYTES = 1024 * 1024;

/** Sends the request once, without a retry. Never rejects. The client's package is loaded by the first request. */
export async function askModel(
  { baseUrl, apiKey, model, timeoutMs }: ModelConfig,
  { messages, schema }: CheckRequest,
  stop: AbortSignal,
): Promise<ModelAnswer> {
  const { OpenAI, APIError } = await import('openai');
  const client = new OpenAI({
    baseURL: baseUrl,
    // Without these options the client reads its own environment variables.
    apiKey: apiKey ?? 'none',
    ...(apiKey === null && { defaultHeaders: { Authorization: null } }),
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    // The client's time limit covers only the headers. `timeoutMs` below covers the body too and is shorter.
    timeout: 2 * timeoutMs,
    fetch: limitedFetch,
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  const response_format = {
    type: 'json_schema' as const,
    json_schema: { name: 'discrepancies', strict: true, schema: { ...schema } },
  };
  try {
    const signal = AbortSignal.any([timeout, stop]);
    const response = await client.chat.completions
      .create({ model, messages: [...messages], response_format }, { signal })
      .asResponse();
    return { kind: 'replied', body: await response.text() };
  } catch (error) {
    if (stop.aborted) return { kind: 'stopped' };
    if (timeout.aborted) return { kind: 'timeout' };
    if (error instanceof APIError && typeof error.status === 'number')
      return { kind: 'refused', status: error.status };
    if (error instanceof ReplyTooLong) return { kind: 'replied', body: '' };
    return { kind: 'unreachable' };
  }
}

class ReplyTooLong extends Error {}

/** A fetch that limits the length of bodies and refuses redirects. */
const limitedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (!response.body) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > LONGEST_REPLY_BYTES) controller.error(new ReplyTooLong());
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
};
