/** Stand-ins of the providers on the loopback address, made from their documents, each with a ledger of what it was paid for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ProviderName } from '../../../src/collect/protocols/capabilities.js';
import type { EngineId } from '../../../src/contract/engines.js';
import { cloroForm, type Seen } from './provider-forms.js';

export interface Task {
  readonly id: string;
  readonly prompt: string;
  readonly engine: EngineId;
  /** What the client calls it. */
  readonly name: string;
  /** How often it was looked at. */
  looks: number;
}

export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** Whether it puts a question, and so costs. */
  readonly isPaid: boolean;
}

export interface StandIn {
  readonly url: string;
  readonly exchanges: Exchange[];
  readonly tasks: Map<string, Task>;
  /** Prompts that were paid for, with how often. */
  readonly ledger: Map<string, number>;
  /** Looks at a task before its answer is there. */
  queued: number;
  /** What the engine shows. */
  show: (task: Pick<Task, 'prompt' | 'engine'>) => Seen;
  /** The state in which a task ends; without it the answer. */
  failed: (task: Task) => boolean;
  /** Changes a body before it is sent. */
  change: (body: unknown, exchange: Exchange) => unknown;
  /** Before a request is dealt with; true: it was dealt with. */
  before: ((exchange: Exchange, response: ServerResponse) => boolean | Promise<boolean>) | undefined;
  /** After a request was dealt with and before it is answered; true: it gets no answer. */
  after: ((exchange: Exchange, response: ServerResponse) => boolean | Promise<boolean>) | undefined;
  close(): Promise<void>;
}

/** The reply to a request. */
interface Served {
  readonly status?: number;
  readonly body: unknown;
}

export interface Service {
  isPaid(method: string, path: string): boolean;
  serve(exchange: Exchange, state: StandIn): Served;
}

/** Adds a task that is paid. */
export function accept(state: StandIn, task: Omit<Task, 'looks' | 'id'>): Task {
  const added = { ...task, id: `task-${state.tasks.size + 1}`, looks: 0 };
  state.tasks.set(added.id, added);
  state.ledger.set(task.prompt, (state.ledger.get(task.prompt) ?? 0) + 1);
  return added;
}

const ENGINES: Readonly<Record<string, EngineId>> = {
  ...{ CHATGPT: 'chatgpt', GOOGLE: 'aio', AIMODE: 'aimode', COPILOT: 'copilot', PERPLEXITY: 'perplexity' },
  ...{ GEMINI: 'gemini', GROK: 'grok' },
};

const cloro: Service = {
  isPaid: (method) => method === 'POST',
  serve({ method, path, body }, state) {
    if (method === 'POST') {
      const { taskType, idempotencyKey, payload } = body as {
        taskType: string;
        idempotencyKey: string;
        payload: { prompt?: string; query?: string };
      };
      const isKnown = [...state.tasks.values()].some(({ name }) => name === idempotencyKey);
      if (isKnown)
        return { status: 409, body: { error: { code: 'CONFLICT', message: 'Duplicate idempotencyKey' } } };
      const prompt = payload.prompt ?? payload.query!;
      const { id } = accept(state, { prompt, engine: ENGINES[taskType]!, name: idempotencyKey });
      return {
        body: {
          success: true,
          task: { id, status: 'QUEUED' },
          credits: { creditsToCharge: 5, creditsCharged: 0 },
        },
      };
    }
    const task = state.tasks.get(path.split('/').at(-1)!);
    if (!task) return { status: 404, body: { error: { code: 'NOT_FOUND', message: 'Task not found' } } };
    const { id } = task;
    if (task.looks++ < state.queued)
      return { body: { task: { id, status: task.looks > 1 ? 'PROCESSING' : 'QUEUED' } } };
    if (state.failed(task)) {
      state.ledger.set(task.prompt, state.ledger.get(task.prompt)! - 1);
      return { body: { task: { id, status: 'FAILED' }, response: { error: 'upstream blocked' } } };
    }
    const response = cloroForm(state.show(task), task.engine, task.prompt);
    return { body: { task: { id, status: 'COMPLETED' }, credits: { creditsCharged: 5 }, response } };
  },
};

const services: Partial<Record<ProviderName, Service>> = { cloro };

export async function standIn(provider: ProviderName): Promise<StandIn> {
  const service = services[provider]!;
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ exchanges: [], tasks: new Map(), ledger: new Map(), queued: 1 },
    show: ({ prompt }) => ({
      text: `${prompt} Fleetfoot.`,
      cited: [{ url: 'https://a.example/1', title: 'One' }],
    }),
    failed: () => false,
    change: (body) => body,
    ...{ before: undefined, after: undefined },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const sent = await text(request);
    const body = sent === '' ? null : JSON.parse(sent);
    const exchange = { method, path, headers, body, isPaid: service.isPaid(method, path) };
    state.exchanges.push(exchange);
    if (await state.before?.(exchange, response)) return;
    const served = service.serve(exchange, state);
    if (await state.after?.(exchange, response)) return;
    response.writeHead(served.status ?? 200, { 'content-type': 'application/json' });
    const changed = state.change(served.body, exchange);
    response.end(typeof changed === 'string' ? changed : JSON.stringify(changed));
  }

  return state;
}
