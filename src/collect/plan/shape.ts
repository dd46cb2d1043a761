/** The shape of a plan file, in the names of the file. */
import { z } from 'zod';
import { engineIds } from '../../contract/engines.js';
import { MOST_SAMPLES } from '../../contract/limits.js';
import { collectable } from './engine-access.js';
import { type Endpoint, GLOBAL, protocolNames, type Target } from './plan.js';

/** Below the time limit of fetch for response headers. */
const LONGEST_TIMEOUT_SECONDS = 280;
const DEFAULT_TIMEOUT_SECONDS = 180;
const MOST_CALLS_AT_ONCE = 64;
const DEFAULT_CONCURRENCY = 4;
const MOST_SEARCHES = 50;

const from1To = (most: number) =>
  z
    .int({ error: `expected a whole number from 1 to ${most}` })
    .min(1)
    .max(most);
const usd = z
  .number({ error: 'expected US dollars, such as 1.25' })
  .min(0, 'expected US dollars, 0 or more')
  .max(1_000_000, 'expected US dollars, at most 1000000');
const text = z.string().refine((value) => /\S/.test(value) && value.length <= 200, {
  error: 'expected 1 to 200 characters',
});

/** A header can carry any address; what it holds apart from the address would be sent or shown. */
function isEndpoint(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    !url.username &&
    !url.password &&
    !/[?#]/.test(value)
  );
}

const endpointFields = {
  protocol: z.enum(protocolNames, { error: `expected one of ${protocolNames.join(', ')}` }),
  base_url: z
    .string()
    .refine(isEndpoint, 'expected an http or https address without user, password, query and fragment'),
  model: text,
  concurrency: from1To(MOST_CALLS_AT_ONCE).default(DEFAULT_CONCURRENCY),
  key_env: z
    .string()
    .regex(
      /^[A-Z_][A-Z0-9_]*$/,
      'expected the name of an environment variable, such as OPENAI_API_KEY, not a key',
    )
    .nullable()
    .default(null),
  input_usd_per_mtok: usd.nullable().default(null),
  output_usd_per_mtok: usd.nullable().default(null),
  call_usd: usd.nullable().default(null),
  timeout_seconds: from1To(LONGEST_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  max_output_tokens: from1To(1_000_000).nullable().default(null),
};

const endpoint = z.strictObject(endpointFields);

const target = z.strictObject({
  ...endpointFields,
  engine: z.enum(engineIds as readonly [string, ...string[]], {
    error: `expected one of ${collectable.map(({ engine }) => engine).join(', ')}`,
  }),
  search: z.boolean().default(false),
  max_searches: from1To(MOST_SEARCHES).nullable().default(null),
  region: z
    .string()
    .regex(/^(?:[A-Za-z]{2}|global)$/, 'expected a two-letter country code, such as us, or global')
    .default(GLOBAL),
});

export const planShape = z.strictObject({
  samples: from1To(MOST_SAMPLES).default(1),
  target: z
    .array(target, { error: 'expected one or more [[target]]' })
    .min(1, 'expected one or more [[target]]'),
  extraction: endpoint.nullable().default(null),
});

type StatedEndpoint = z.infer<typeof endpoint>;

/** The endpoint as the collector uses it, without a slash at the end of its address. */
export const endpointOf = (stated: StatedEndpoint): Endpoint => ({
  protocol: stated.protocol,
  baseUrl: stated.base_url.replace(/(?<!\/)\/+$/, ''),
  model: stated.model,
  concurrency: stated.concurrency,
  keyEnv: stated.key_env,
  inputUsdPerMtok: stated.input_usd_per_mtok,
  outputUsdPerMtok: stated.output_usd_per_mtok,
  callUsd: stated.call_usd,
  timeoutSeconds: stated.timeout_seconds,
  maxOutputTokens: stated.max_output_tokens,
});

/** The target as the collector uses it. */
export const targetOf = (stated: z.infer<typeof target>): Target => ({
  ...endpointOf(stated),
  engine: stated.engine as Target['engine'],
  search: stated.search,
  maxSearches: stated.max_searches,
  region: stated.region,
});
