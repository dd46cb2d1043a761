/** Stand-ins of the providers on the loopback address, made from their documents, each with a ledger of what it was paid for. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ProviderName } from '../../../src/collect/protocols/capabilities.js';
import type { EngineId } from '../../../src/contract/engines.js';
import { listening } from '../../support/listening.js';
import { brightdataForm, cloroForm, dataforseoForm, type Seen, serpapiForm } from './provider-forms.js';

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

const PAGES: readonly (readonly [path: string, engine: EngineId])[] = [
  ['/serp/google/ai_mode/', 'aimode'],
  ['/serp/google/organic/', 'aio'],
  ['/ai_optimization/chat_gpt/llm_scraper/', 'chatgpt'],
  ['/ai_optimization/gemini/llm_scraper/', 'gemini'],
];
const taskOf = (status_code: number, more: object = {}) => ({
  body: {
    status_code: 20_000,
    status_message: 'Ok.',
    tasks: [{ status_code, status_message: `Status ${status_code}`, cost: 0, ...more }],
  },
});

const dataforseo: Service = {
  isPaid: (method, path) => method === 'POST' && !path.endsWith('/id_list'),
  serve({ method, path, body }, state) {
    const [asked] = (body ?? []) as { keyword: string; tag: string; datetime_from?: string }[];
    if (path.endsWith('/id_list')) {
      const result = [...state.tasks.values()].map(({ id, name }) => ({
        id,
        status: '20000',
        cost: 0.002,
        metadata: { tag: name },
      }));
      return taskOf(20_000, { result });
    }
    const [, engine] = PAGES.find(([start]) => path.startsWith(start)) ?? [];
    if (!engine) return taskOf(40_400);
    const answerOf = (task: Task) =>
      taskOf(20_000, { result: [dataforseoForm(state.show(task), engine, task.prompt)] });
    if (method === 'POST') {
      const prompt = asked!.keyword.replaceAll('%2B', '+').replaceAll('%25', '%');
      const task = accept(state, { prompt, engine, name: asked!.tag });
      const live = answerOf(task).body.tasks[0]!;
      return path.endsWith('/live/advanced')
        ? taskOf(20_000, { ...live, cost: 0.002 })
        : taskOf(20_100, { id: task.id, cost: 0.002 });
    }
    const task = state.tasks.get(path.split('/').at(-1)!);
    if (!task) return taskOf(40_403);
    if (task.looks++ < state.queued) return taskOf(task.looks > 1 ? 40_601 : 40_602);
    return state.failed(task) ? taskOf(40_101) : answerOf(task);
  },
};

const DATA_SETS: Readonly<Record<string, EngineId>> = {
  ...{
    gd_m7aof0k82r803d5bjm: 'chatgpt',
    gd_m7dhdot1vw9a7gc1n: 'perplexity',
    gd_m7di5jy6s9geokz8w: 'copilot',
  },
  ...{ gd_mbz66arm2mf9cu856y: 'gemini', gd_mcswdt6z2elth3zqr2: 'aimode' },
};

const brightdata: Service = {
  isPaid: (method) => method === 'POST',
  serve({ path, body }, state) {
    const url = new URL(path, 'http://h');
    if (url.pathname === '/request') {
      const prompt = new URL((body as { url: string }).url).searchParams.get('q')!;
      const task = accept(state, { prompt, engine: 'aio', name: '' });
      return { body: brightdataForm(state.show(task), 'aio', prompt) };
    }
    const records = (task: Task) => ({ body: [brightdataForm(state.show(task), task.engine, task.prompt)] });
    if (url.pathname === '/datasets/v3/trigger' || url.pathname === '/datasets/v3/scrape') {
      const [{ prompt }] = body as [{ prompt: string }];
      const engine = DATA_SETS[url.searchParams.get('dataset_id')!]!;
      const task = accept(state, { prompt, engine, name: '' });
      return url.pathname.endsWith('scrape') && state.queued === 0
        ? records(task)
        : { body: { snapshot_id: task.id } };
    }
    const task = state.tasks.get(url.pathname.split('/').at(-1)!);
    if (!task) return { status: 404, body: 'Snapshot does not exist' };
    if (url.pathname.includes('/snapshot/')) {
      // Written after it is ready.
      return task.looks++ > state.queued + 2
        ? records(task)
        : { status: 202, body: { status: 'building', message: 'Try again' } };
    }
    if (state.failed(task)) return { body: { snapshot_id: task.id, status: 'failed' } };
    return { body: { snapshot_id: task.id, status: task.looks++ < state.queued ? 'running' : 'ready' } };
  },
};

const serpapi: Service = {
  isPaid: (_, path) => path.startsWith('/search.json'),
  serve({ path }, state) {
    const { pathname, searchParams: query } = new URL(path, 'http://h');
    const prompt = query.get('q') ?? '';
    const token = query.get('page_token');
    const shownTask = (task: Task) => ({
      search_metadata: { id: task.id, status: state.failed(task) ? 'Error' : 'Success' },
      ...serpapiForm(
        state.show(task),
        task.engine,
        state.show(task).second ? `token of ${task.prompt}` : undefined,
      ),
    });
    if (pathname === '/search.json' && token) {
      const own = token.replace('token of ', '');
      // An equal search is answered from the cache.
      const isKnown = [...state.tasks.values()].some(({ name }) => name === token);
      const task = isKnown ? null : accept(state, { prompt: own, engine: 'aio', name: token });
      return { body: serpapiForm(state.show(task ?? { prompt: own, engine: 'aio' }), 'aio') };
    }
    if (pathname === '/search.json') {
      const engine = query.get('engine') === 'google' ? 'aio' : 'aimode';
      const name = `${engine} ${prompt} ${query.get('gl')}`;
      const isCached = query.get('no_cache') !== 'true';
      const known = isCached ? [...state.tasks.values()].find((task) => task.name === name) : undefined;
      const task = known ?? accept(state, { prompt, engine, name });
      return {
        body:
          query.get('async') === 'true'
            ? { search_metadata: { id: task.id, status: 'Processing' } }
            : shownTask(task),
      };
    }
    const task = state.tasks.get(pathname.split('/').at(-1)!.replace('.json', ''));
    if (!task) return { status: 410, body: { error: 'The search expired.' } };
    return {
      body:
        task.looks++ < state.queued
          ? { search_metadata: { id: task.id, status: 'Processing' } }
          : shownTask(task),
    };
  },
};

const services: Readonly<Record<ProviderName, Service>> = { cloro, dataforseo, brightdata, serpapi };

export async function standIn(provider: ProviderName): Promise<StandIn> {
  const service = services[provider];
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const state: StandIn = {
    ...(await listening(server)),
    ...{ exchanges: [], tasks: new Map(), ledger: new Map(), queued: 1 },
    show: ({ prompt }) => ({
      text: `${prompt} Fleetfoot.`,
      cited: [{ url: 'https://a.example/1', title: 'One' }],
    }),
    failed: () => false,
    change: (body) => body,
    ...{ before: undefined, after: undefined },
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
