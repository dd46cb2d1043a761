/** A server whose brand can be fact-checked, with a loopback model. */
import type { RunFactCheck } from '../../../../../src/contract/reads/run-fact-check.js';
import type { ModelConfig } from '../../../../../src/server/alerts/fact-check/model.js';
import type { Logger } from '../../../../../src/server/base/log.js';
import type { Database } from '../../../../../src/server/database/database.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../../../support/server.js';
import { call, textOf } from '../../../web/mcp/support/rpc.js';
import { type ModelServer, startModelServer } from './model-server.js';

export const NOW = new Date('2026-11-20T12:00:00Z');
export const MODEL_KEY = 'sk-model-secret-0123456789';

export const modelSettings = {
  apiKey: MODEL_KEY,
  model: 'checker',
  inputUsdPerMtok: 2.5,
  outputUsdPerMtok: 10,
  timeoutMs: 60_000,
};

/** A run that mentions the brand and has answer text. */
export const answered = (id: string, engine: string, collected_at: string, fields: object = {}) => ({
  type: 'run',
  id,
  brand: 'acme',
  prompt: 'p1',
  engine,
  region: 'us',
  collected_at,
  mentions: [{ name: 'Acme', order: 1 }],
  citations: [],
  answer: `${engine} says in ${id} that Acme is cheap.`,
  ...fields,
});

export const market: readonly object[] = [
  { type: 'workspace', id: 'w', name: 'W', plan: 'starter' },
  {
    type: 'brand',
    id: 'acme',
    workspace: 'w',
    name: 'Acme',
    domain: 'acme.example',
    created_at: '2026-01-01T00:00:00Z',
  },
  {
    type: 'brand',
    id: 'later',
    workspace: 'w',
    name: 'Later',
    domain: 'later.example',
    created_at: '2026-02-01T00:00:00Z',
  },
  { type: 'prompt', id: 'p1', brand: 'acme', text: 'Which Acme?', created_at: '2026-01-01T00:00:00Z' },
];
export const knowledge = { type: 'knowledge_base', brand: 'acme', text: 'Acme costs 99 dollars.' };
export const answers: readonly object[] = [
  answered('r1', 'chatgpt', '2026-11-19T10:00:00Z'),
  answered('r2', 'gemini', '2026-11-18T10:00:00Z'),
];

export interface CheckedMarket {
  readonly server: TestServer;
  readonly model: ModelServer;
  /** The tool's payload; an error is thrown with its words. */
  check(args?: object, key?: string): Promise<RunFactCheck>;
  /** The words of the refusal that a call must end with. */
  refusal(args?: object, key?: string): Promise<string>;
  /** The whole body of the refusal. */
  failure(args?: object): Promise<Record<string, unknown>>;
  /** Moves the clock. */
  later(seconds: number): void;
  close(): Promise<void>;
}

interface Options {
  /** What differs in the model's settings; null: no model is configured. */
  readonly model?: Partial<ModelConfig> | null;
  readonly records?: readonly object[];
  readonly database?: Database;
  readonly log?: Logger;
  readonly logLevel?: string;
}

export async function checkedMarket({
  model: changed = {},
  records = [...market, knowledge, ...answers],
  ...surroundings
}: Options = {}): Promise<CheckedMarket> {
  const model = await startModelServer();
  const config: ModelConfig | null = changed && {
    ...modelSettings,
    baseUrl: model.baseUrl,
    ...changed,
  };
  const server = await testServer({ now: NOW, factCheckModel: config, ...surroundings });
  if (records.length > 0) await server.load(records);
  const result = async (args: object, key = OPERATOR_KEY) => {
    const { text, isError } = await calledBy(server, args, key);
    return { body: JSON.parse(text), isError };
  };
  return {
    server,
    model,
    check: async (args = {}, key) => {
      const { body, isError } = await result(args, key);
      if (isError) throw new Error(body.error);
      return body;
    },
    refusal: async (args = {}, key) => {
      const { body, isError } = await result(args, key);
      if (!isError) throw new Error(`no refusal but ${JSON.stringify(body)}`);
      return body.error;
    },
    failure: async (args = {}) => (await result(args)).body,
    later: (seconds) => server.pass(seconds * 1000),
    close: async () => {
      await server.close();
      await model.close();
    },
  };
}

async function calledBy(server: TestServer, args: object, key: string) {
  const result = await call(server, 'run_fact_check', args, { key });
  return { text: textOf(result), isError: result.isError ?? false };
}
