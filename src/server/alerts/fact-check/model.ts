/** Reads the settings of the language model for fact checks from the environment. */
import type { ReadVariable } from '../../base/read-variable.js';

/** Any OpenAI-compatible chat endpoint. */
export interface ModelConfig {
  /** As https://api.example.com/v1. Requests go to `/chat/completions` below it. */
  readonly baseUrl: string;
  /** Null: the endpoint needs no key. */
  readonly apiKey: string | null;
  readonly model: string;
  /** USD per million tokens; null: not stated, so the cost is unknown. */
  readonly inputUsdPerMtok: number | null;
  readonly outputUsdPerMtok: number | null;
  /** The time limit of one request to the endpoint. */
  readonly timeoutMs: number;
}

const VARIABLES = { baseUrl: 'FACT_CHECK_BASE_URL', model: 'FACT_CHECK_MODEL' } as const;
/** Below the time limit of fetch for response headers. */
const MAX_TIMEOUT_MS = 240_000;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Null: no model is configured. An address without a name, or a name without an address, is a fault. */
export function readModelConfig(read: ReadVariable, fault: (text: string) => void): ModelConfig | null {
  const baseUrl = read<string | null>(
    VARIABLES.baseUrl,
    null,
    'an http or https address without user, password and query, such as https://api.example.com/v1',
    endpoint,
  );
  const model = read<string | null>(
    VARIABLES.model,
    null,
    'the name of a model',
    (value) => value.trim() || undefined,
  );
  const rest = {
    apiKey: read<string | null>('FACT_CHECK_API_KEY', null, 'a key without white space', (value) =>
      /^[\x21-\x7e]+$/.test(value) ? value : undefined,
    ),
    inputUsdPerMtok: price(read, 'FACT_CHECK_INPUT_USD_PER_MTOK'),
    outputUsdPerMtok: price(read, 'FACT_CHECK_OUTPUT_USD_PER_MTOK'),
    timeoutMs: read(
      'FACT_CHECK_TIMEOUT_MS',
      DEFAULT_TIMEOUT_MS,
      `milliseconds, 1 to ${MAX_TIMEOUT_MS}`,
      milliseconds,
    ),
  };
  if (baseUrl !== null && model !== null) return { baseUrl, model, ...rest };
  if (baseUrl !== null)
    fault(`${VARIABLES.model}: expected the name of a model, as ${VARIABLES.baseUrl} is set`);
  if (model !== null)
    fault(`${VARIABLES.baseUrl}: expected the model's address, as ${VARIABLES.model} is set`);
  return null;
}

/** The settings with the key masked. */
export const maskedModelConfig = (model: ModelConfig | null) =>
  model && { ...model, apiKey: model.apiKey === null ? null : '(set)' };

const price = (read: ReadVariable, name: string): number | null =>
  read<number | null>(name, null, 'US dollars per million tokens, such as 0.15', (value) =>
    /^\d{1,6}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined,
  );

function milliseconds(value: string): number | undefined {
  const ms = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  return ms >= 1 && ms <= MAX_TIMEOUT_MS ? ms : undefined;
}

function endpoint(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return undefined;
  return value.replace(/\/+$/, '');
}
