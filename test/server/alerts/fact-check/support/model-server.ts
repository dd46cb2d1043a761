/** A language model’s endpoint on loopback: it serves chat completions, with the faults that a test chooses. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listening } from '../../../../support/listening.js';

/** What was asked, as far as tests look at it. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format: {
      type: string;
      json_schema: { strict: boolean; schema: { required: string[] } };
    };
  };
}

export type Behaviour = (response: ServerResponse, asked: Asked) => unknown;

export interface ModelServer {
  /** For FACT_CHECK_BASE_URL. */
  readonly baseUrl: string;
  readonly asked: Asked[];
  /** What it does with the requests that come, one after the other; the last goes on for all that follow. */
  behave(...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

export const USAGE = { prompt_tokens: 4000, completion_tokens: 200, total_tokens: 4200 };

/** A completion as the protocol has it. */
export const completion = (content: unknown, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'checker',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
  usage: USAGE,
  ...more,
});

export const sends =
  (body: unknown, status = 200, type = 'application/json'): Behaviour =>
  (response) => {
    response.writeHead(status, { 'Content-Type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Finds these discrepancies. */
export const finds = (discrepancies: unknown, more: object = {}): Behaviour =>
  sends(completion(JSON.stringify({ discrepancies }), more));

export async function startModelServer(): Promise<ModelServer> {
  const asked: Asked[] = [];
  let behaviours: Behaviour[] = [finds([])];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Asked['body'];
    const one = { path: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    const behaviour = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
    behaviour(response, one);
  });
  const { url, close } = await listening(server);
  return {
    baseUrl: `${url}/v1`,
    asked,
    behave: (...next) => {
      behaviours = next;
    },
    close,
  };
}
