/** The shape of a plan file, in the names of the file, and what the collector makes of it. */
import { z } from 'zod';
import { engineIds } from '../../contract/engines.js';
import { MAX_SAMPLES } from '../../contract/limits.js';
import { EXPECTED } from '../../server/intake/dataset/lines.js';
import { isOwnVariable } from '../../server/run/config.js';
import { isProvider, providerNames, providerTable } from '../protocols/capabilities.js';
import { languageOf } from '../protocols/countries.js';
import { protocolNames, targetProtocols } from '../protocols/index.js';
import { collectable } from './engine-access.js';
import { type Endpoint, GLOBAL, type Target } from './plan.js';

/** Below the time limit of fetch for response headers. */
const MAX_TIMEOUT_SECONDS = 280;
const DEFAULT_TIMEOUT_SECONDS = 180;
const MAX_CALLS_AT_ONCE = 64;
const DEFAULT_CONCURRENCY = 4;
const MAX_SEARCHES = 50;

const from1To = (most: number) =>
  z
    .int({ error: `expected a whole number from 1 to ${most}` })
    .min(1)
    .max(most);
export const usd = z
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

const address = z
  .string()
  .refine(isEndpoint, 'expected an http or https address without user, password, query and fragment');

const endpointFields = {
  protocol: z.enum(protocolNames, { error: `expected one of ${protocolNames.join(', ')}` }),
  base_url: address,
  model: text,
  concurrency: from1To(MAX_CALLS_AT_ONCE).default(DEFAULT_CONCURRENCY),
  key_env: z
    .string()
    .regex(
      /^[A-Z_][A-Z0-9_]*$/,
      'expected the name of an environment variable, such as OPENAI_API_KEY, not a key',
    )
    .refine(
      (name) => !isOwnVariable(name),
      'expected a variable with a key of a vendor, not one of svc itself',
    )
    .nullable()
    .default(null),
  input_usd_per_mtok: usd.nullable().default(null),
  output_usd_per_mtok: usd.nullable().default(null),
  call_usd: usd.nullable().default(null),
  timeout_seconds: from1To(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
  max_output_tokens: from1To(1_000_000).nullable().default(null),
};

const endpoint = z.strictObject(endpointFields);

const engine = z.enum(engineIds as readonly [string, ...string[]], {
  error: `expected one of ${collectable.map((each) => each.engine).join(', ')}`,
});

/** Whether the engine is asked. One that is not keeps its place in the file. */
const enabled = z.boolean().default(true);

const modelTarget = z.strictObject({
  ...endpointFields,
  enabled,
  protocol: z.enum(protocolNames, { error: `expected one of ${targetProtocols.join(', ')}` }),
  engine,
  search: z.boolean().default(false),
  max_searches: from1To(MAX_SEARCHES).nullable().default(null),
  region: z
    .string()
    .regex(/^(?:[A-Za-z]{2}|global)$/, 'expected a two-letter country code, such as us, or global')
    .default(GLOBAL),
});

/** A queue takes many questions at the same time. */
const QUEUE_CONCURRENCY = 16;
const DEFAULT_WAIT_MINUTES = 60;
const name = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'expected 1 to 100 letters, digits, _ or -')
  .nullable()
  .default(null);

/** A provider shows an engine as people see it: its answer has no model to choose, and no search to allow. */
const providerTarget = z.strictObject({
  engine,
  enabled,
  protocol: z.enum(providerNames),
  region: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'expected a two-letter country code, such as us: a page is shown in a country'),
  base_url: address.nullable().default(null),
  key_env: endpointFields.key_env,
  call_usd: endpointFields.call_usd,
  concurrency: endpointFields.concurrency.unwrap().default(QUEUE_CONCURRENCY),
  timeout_seconds: endpointFields.timeout_seconds,
  live: z.boolean().default(false),
  wait_minutes: from1To(24 * 60).default(DEFAULT_WAIT_MINUTES),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, 'expected a language, such as en or pt-BR')
    .nullable()
    .default(null),
  zone: name,
  dataset: name,
});

/** Which fields a target has depends on its protocol. */
const target = z.unknown().transform((stated, context) => {
  const { protocol } = (stated ?? {}) as { readonly protocol?: unknown };
  const shape = isProvider(protocol) ? providerTarget : modelTarget;
  const { data, error } = shape.safeParse(stated, EXPECTED);
  for (const issue of error?.issues ?? []) context.issues.push(issue as (typeof context.issues)[number]);
  return data ?? z.NEVER;
});

export const TARGETS_EXPECTED = 'expected one or more [[target]]';

export const planShape = z.strictObject({
  samples: from1To(MAX_SAMPLES).default(1),
  target: z.array(target, { error: TARGETS_EXPECTED }).min(1, TARGETS_EXPECTED),
  extraction: endpoint.nullable().default(null),
});

type StatedEndpoint = z.infer<typeof endpoint>;

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** The endpoint as the collector uses it, without a slash at the end of its address. */
export const endpointOf = (stated: StatedEndpoint): Endpoint => ({
  protocol: stated.protocol,
  baseUrl: withoutSlash(stated.base_url),
  model: stated.model,
  concurrency: stated.concurrency,
  keyEnv: stated.key_env,
  inputUsdPerMtok: stated.input_usd_per_mtok,
  outputUsdPerMtok: stated.output_usd_per_mtok,
  callUsd: stated.call_usd,
  timeoutSeconds: stated.timeout_seconds,
  maxOutputTokens: stated.max_output_tokens,
  provider: null,
});

export const targetOf = (stated: z.infer<typeof modelTarget> | z.infer<typeof providerTarget>): Target =>
  isProviderTarget(stated) ? ofProvider(stated) : ofModel(stated);

const isProviderTarget = (
  stated: z.infer<typeof modelTarget> | z.infer<typeof providerTarget>,
): stated is z.infer<typeof providerTarget> => isProvider(stated.protocol);

/** A provider counts questions, not tokens. */
const ofProvider = (stated: z.infer<typeof providerTarget>): Target => ({
  engine: stated.engine as Target['engine'],
  protocol: stated.protocol,
  baseUrl: withoutSlash(stated.base_url ?? providerTable[stated.protocol].baseUrl),
  model: stated.engine,
  concurrency: stated.concurrency,
  keyEnv: stated.key_env,
  inputUsdPerMtok: 0,
  outputUsdPerMtok: 0,
  callUsd: stated.call_usd,
  maxOutputTokens: null,
  timeoutSeconds: stated.timeout_seconds,
  search: true,
  maxSearches: null,
  region: stated.region,
  provider: {
    live: stated.live,
    waitMinutes: stated.wait_minutes,
    language: stated.language ?? languageOf(stated.region.toUpperCase()),
    zone: stated.zone,
    dataset: stated.dataset,
  },
});

const ofModel = (stated: z.infer<typeof modelTarget>): Target => ({
  ...endpointOf(stated),
  engine: stated.engine as Target['engine'],
  search: stated.search,
  maxSearches: stated.max_searches,
  region: stated.region,
});
