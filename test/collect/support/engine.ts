/** A loopback engine that speaks every protocol over HTTP, counts what it was asked, and misbehaves on request. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ProtocolName, protocolNames } from '../../../src/collect/protocols/index.js';
import { listening } from '../../support/listening.js';
import { type Reply, replies } from './replies.js';

export interface Asked {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
  /** The text of the user. */
  readonly prompt: string;
  /** Whether it is a call of the extraction. */
  readonly isExtraction: boolean;
}

/** What the engine does with a request. If omitted, it replies. */
export type Misbehave = (asked: Asked, response: ServerResponse, count: number) => boolean | Promise<boolean>;

export interface LoopbackEngine {
  readonly url: string;
  /** In the order in which they arrived. */
  readonly asked: Asked[];
  /** Requests being answered. */
  readonly inFlight: number;
  /** The reply to a call. */
  answer: (asked: Asked) => Partial<Reply>;
  /** What a call used, of the engine or of the extraction; without it, what its answer states. */
  used: (asked: Asked) => Partial<Pick<Reply, 'input' | 'output' | 'searches'>>;
  /** What the extraction finds; a string is sent as it is. */
  extract: (answer: string) => unknown;
  /** Returns true if it dealt with the request. */
  misbehave: Misbehave | undefined;
  base(protocol: ProtocolName): string;
  close(): Promise<void>;
}

/** Where each protocol is asked, below its base URL: `/NAME` of this server. */
const PATHS: Readonly<Record<ProtocolName, RegExp>> = {
  'openai-responses': /^\/responses$/,
  'openai-chat': /^\/chat\/completions$/,
  anthropic: /^\/messages$/,
  gemini: /^\/models\/[^/]+:generateContent$/,
  perplexity: /^\/chat\/completions$/,
};

export async function loopbackEngine(): Promise<LoopbackEngine> {
  let inFlight = 0;
  const server = createServer((request, response) => {
    inFlight++;
    response.on('close', () => inFlight--);
    void handle(engine, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const { url, close } = await listening(server);
  const engine: LoopbackEngine = {
    url,
    asked: [],
    get inFlight() {
      return inFlight;
    },
    answer: () => ({}),
    used: () => ({}),
    extract: () => ({ mentions: [] }),
    misbehave: undefined,
    base: (protocol) => `${url}/${protocol}`,
    close,
  };
  return engine;
}

async function handle(engine: LoopbackEngine, request: IncomingMessage, response: ServerResponse) {
  const path = request.url!;
  const redirect = /^\/redirect\?to=(.*)$/.exec(path);
  if (redirect) return response.writeHead(302, { location: decodeURIComponent(redirect[1]!) }).end();
  const protocol = protocolNames.find(
    (name) => path.startsWith(`/${name}/`) && PATHS[name].test(path.slice(name.length + 1)),
  );
  if (!protocol) return response.writeHead(404).end('{}');
  const body = JSON.parse(await text(request)) as Record<string, unknown>;
  const prompt = promptOf(protocol, body);
  const isExtraction = prompt.startsWith('{"answer":');
  const asked = { protocol, path, headers: request.headers, body, prompt, isExtraction };
  engine.asked.push(asked);
  if (await engine.misbehave?.(asked, response, engine.asked.length)) return;
  const extracted = () => engine.extract((JSON.parse(prompt) as { answer: string }).answer);
  const reply = isExtraction ? { extracted: extracted() } : engine.answer(asked);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(replies[protocol]({ ...reply, ...engine.used(asked) })));
}

function promptOf(protocol: ProtocolName, body: Record<string, unknown>): string {
  if (protocol === 'openai-responses') return body.input as string;
  if (protocol === 'gemini') {
    return (body.contents as { parts: { text: string }[] }[])[0]!.parts[0]!.text;
  }
  return (body.messages as { content: string }[]).at(-1)!.content;
}
