/** Every error of the API: its code, its status and its exact message. */
import { engineIds } from './engines.js';
import { type Plan, planLabel } from './keys.js';
import { INGEST_LIMITS, LIVE_HORIZON_DAYS, RANGE_DAYS_MAX, RATE_LIMIT } from './limits.js';
import { averagedMeasures } from './measures.js';
import { escapeControls } from './printable.js';
import { surfaces } from './surfaces.js';

/** A refused request, whose response body is `{"error": message, "code": code, "parameters": […], ...extra}`. */
export interface Refusal {
  /** What programs recognise: the name of the error, as `unknown_brand`. Messages may be reworded. */
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** The parameters that the request has to change; if omitted, none does. */
  readonly parameters?: readonly string[];
  /** The value that is unknown, for a face that knows more of it; it is not sent. */
  readonly value?: string;
  /** The message in tools, where it differs. */
  readonly toolMessage?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal without its code, which derives from the name of its definition. */
type Uncoded = Omit<Refusal, 'code'>;

const refusal = (
  status: number,
  message: string,
  rest: Omit<Uncoded, 'status' | 'message'> = {},
): Uncoded => ({
  status,
  message,
  ...rest,
});

/** A 400 whose parameters have to change. */
const wrong = (parameters: string | readonly string[], message: string): Uncoded =>
  refusal(400, message, { parameters: [parameters].flat() });

/** A 400 for a value of a filter that the brand does not have. @param where What has the known ones. */
const unknownValue = (filter: string, value: string, where: string): Uncoded => ({
  ...wrong(filter, `Unknown ${filter}: ${quoted(value)}. ${where}`),
  value,
});

/** In the unit of the message: 1024² bytes. */
const MAX_BODY_MB = INGEST_LIMITS.bodyBytes / 1024 ** 2;

/** Why a request that is sent again later was refused, in one sentence without the time. */
const passing = {
  rateLimited: (per: 'API key' | 'link' = 'API key') =>
    `Rate limit exceeded: ${RATE_LIMIT.perMinute} requests per minute per ${per}`,
  tooManyWrongKeys: () => 'Too many unknown API keys came from this address',
  ingestBusy: () => 'Too many log bodies are on their way',
  serverBusy: () => 'The server is busy with other requests',
  changesPaused: () =>
    'The database accepts no changes at present: an import is about to replace an embedded database, or the database server is a standby',
} as const;

const definitions = {
  apiDisabled: () => refusal(503, 'API disabled — set API_ACCESS_KEY'),
  mcpDisabled: () => refusal(503, 'MCP disabled — set API_ACCESS_KEY'),
  originNotAllowed: (origin: string) => refusal(403, `Origin ${quoted(origin)} may not call this endpoint.`),
  unauthorized: () => refusal(401, 'Unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } }),
  keyExpired: (date: string) =>
    refusal(401, `This API key expired on ${date}.`, { headers: { 'WWW-Authenticate': 'Bearer' } }),
  ingestOnly: () =>
    refusal(403, 'This API key is ingest-only: it may call POST /api/v1/crawler-events and nothing else.'),
  feedOnly: () =>
    refusal(403, 'This API key is for feeds: it may call GET /api/v1/moves.atom?key=KEY and nothing else.'),
  notForAddresses: (kind: string) =>
    refusal(
      403,
      `A feed needs an API key of kind feed in its address; this one is of kind ${kind}, and others can see it there.`,
    ),
  readOnly: () => refusal(403, 'This API key is read-only: it may not ingest crawler logs.'),
  factCheckNotGranted: () =>
    refusal(403, 'This assistant was not granted fact checks. Connect it again, and allow them.'),
  grantAddresses: () =>
    refusal(
      403,
      'This API key may be used from some addresses only. An assistant calls from the addresses of its vendor, so the key cannot be granted to it: sign in with another one.',
    ),
  connectionExpired: () =>
    refusal(
      404,
      'This request to connect has expired, or began in another browser. Start again in your assistant.',
    ),
  signInExpired: () =>
    refusal(400, 'This sign-in has expired, was used already, or began in another browser. Begin again.'),
  /** @param said The error as the provider names it. */
  providerRefused: (host: string, said: string) =>
    refusal(403, `${host} did not sign you in: ${quoted(said)}. Nothing was granted.`),
  providerUnreachable: (host: string) =>
    refusal(503, `${host} does not answer. Begin again in a moment, or sign in with an API key.`, {
      headers: { 'Retry-After': '10' },
    }),
  providerInvalid: (host: string, detail: string) =>
    refusal(
      502,
      `The answer of ${host} cannot be used: ${quoted(detail)}. Nothing was granted; tell whoever operates this server.`,
    ),
  assistantChanged: () =>
    refusal(
      404,
      'What describes this assistant cannot be read any more, so nothing can be granted to it. Start again in your assistant.',
    ),
  addressNotAllowed: (address: string) =>
    refusal(403, `This API key may not be used from ${escapeControls(address)}.`),
  planTooLow: (subject: string, needed: Plan, actual: Plan) =>
    refusal(
      403,
      `${subject} needs the ${planLabel(needed)} plan or above; this workspace is on ${planLabel(actual)}.`,
    ),
  noBrands: () => refusal(404, 'No brands exist'),
  /** @param id The given one, else that of the default brand. */
  unknownBrand: (id = '') =>
    refusal(404, 'Unknown brand', { toolMessage: `Unknown brand id: ${escapeControls(id)}` }),
  unknownRun: (id: string) =>
    refusal(404, 'Unknown run', { parameters: ['run_id'], toolMessage: `Unknown run id: ${quoted(id)}` }),
  unknownMark: (id: string) =>
    refusal(
      404,
      `Unknown mark: ${quoted(id)}. No mark of this brand has that id; marks (list_marks) has the ids.`,
      { parameters: ['mark'] },
    ),
  /** @param names The parameters that do not go together. @param problem The same in words; null: none was given. */
  effectOfWhat: (names: readonly string[], problem: string | null) =>
    wrong(
      names,
      `${problem ?? 'Nothing was given.'} Give mark; or since with one of prompt, topic and tag; or plan with one of them.`,
    ),
  sinceTooLate: (name: string, value: string, last: string) =>
    wrong(
      name,
      `Invalid ${name}: ${value} is after ${last}, the last complete day (UTC). Give that day or an earlier one.`,
    ),
  /** @param known The ids that there are. */
  unknownNeed: (id: string, known: readonly string[]) =>
    refusal(
      404,
      `Unknown need: ${quoted(id)}. ${known.length === 0 ? 'There is none.' : `Give one of ${listed(known)}`}`,
    ),
  mayNotSetAside: (kind: string) =>
    refusal(403, `This API key is of kind ${kind}: only a full key sets needs aside and brings them back.`),
  mayNotChangePlan: (kind: string) =>
    refusal(
      403,
      `This API key is of kind ${kind}: only a full key reads and changes the settings of a brand.`,
    ),
  unknownShare: (id: string) =>
    refusal(404, `Unknown link: ${quoted(id)}. Give the id of a link of this key that works.`),
  tooManyShares: (most: number) =>
    refusal(409, `This API key has ${most} links that work. Revoke one, or wait until one expires.`),
  parametersInBody: () =>
    refusal(400, 'Parameters are taken from the address, not from a body. Send none: POST /shares?brand=ID.'),
  unknownResource: (names: readonly string[]) =>
    refusal(404, `Unknown resource. Valid resources: ${names.join(', ')}`),
  notFound: () => refusal(404, 'Not found'),
  methodNotAllowed: (method: string, allowed: readonly string[]) =>
    refusal(405, `Method ${method} is not allowed here. Use ${allowed.join(' or ')}.`, {
      headers: { Allow: allowed.join(', ') },
    }),
  rateLimited: (seconds: number, per?: 'API key' | 'link') =>
    refusal(429, `${passing.rateLimited(per)}. Retry after ${seconds}s.`, {
      headers: { 'Retry-After': String(seconds) },
      extra: { retry_after_seconds: seconds },
    }),
  tooManyWrongKeys: (seconds: number) =>
    refusal(429, `${passing.tooManyWrongKeys()}. Retry after ${seconds}s.`, {
      headers: { 'Retry-After': String(seconds) },
      extra: { retry_after_seconds: seconds },
    }),
  repeatedParam: (name: string, times: number) =>
    wrong(name, `Parameter ${name} was given ${times} times. Give it once.`),
  invalidInteger: (name: string, value: string, minimum: number, maximum: number) =>
    wrong(name, `Invalid ${name}: ${quoted(value)}. Give an integer from ${minimum} to ${maximum}.`),
  /** `ofBrand` is false for a list that does not belong to one brand. */
  invalidCursor: (resource: string, value: string, ofBrand = true) =>
    wrong(
      'cursor',
      `Invalid cursor: ${quoted(value)}. Give the next_cursor of a page of ${resource}${ofBrand ? ' of the same brand' : ''}.`,
    ),
  unknownEngine: (value: string) =>
    wrong('engine', `Unknown engine: ${quoted(value)}. Known engines: ${engineIds.join(', ')}`),
  emptyListElement: (name: string, value: string) =>
    wrong(
      name,
      `Empty element in ${name}: ${quoted(value)}. Give ids with one comma between, or leave ${name} out.`,
    ),
  unknownPrompt: (value: string) =>
    unknownValue(
      'prompt',
      value,
      'No prompt of this brand has that id; prompts (list_prompts) has the ids of the active ones.',
    ),
  unknownTopic: (value: string) =>
    unknownValue(
      'topic',
      value,
      'No topic folder of this brand has that id; prompts (list_prompts) has the topic_id of each prompt.',
    ),
  unknownTag: (value: string) =>
    unknownValue(
      'tag',
      value,
      'No prompt of this brand carries it; prompts (list_prompts) has the tags of each prompt.',
    ),
  unknownRegion: (value: string, known: readonly string[]) =>
    wrong(
      'region',
      `Unknown region: ${quoted(value)}. ${known.length === 0 ? 'No run of this brand was ever collected.' : `Regions of this brand’s runs: ${listed(known)}`}`,
    ),
  unknownSurface: (value: string) =>
    wrong('surface', `Unknown surface: ${quoted(value)}. Known surfaces: ${surfaces.join(', ')}`),
  filterNeedsLiveDays: (name: string, from: string, horizon: string) =>
    wrong(
      name,
      `${name} cannot be applied from ${from} on: before ${horizon} (the ${LIVE_HORIZON_DAYS} days that end today) only daily statistics per engine are stored. Give a range from ${horizon} on, or leave ${name} out.`,
    ),
  filterNotOnPage: (name: string) =>
    wrong(name, `${name} cannot be chosen on this page, whose address names one. Leave ${name} out.`),
  unknownFilterValue: (name: string, value: string, known: readonly string[]) =>
    wrong(
      name,
      `Unknown ${name}: ${quoted(value)}. ${known.length === 0 ? `This brand has no ${name}.` : `Known for this brand: ${listed(known)}`}`,
    ),
  invalidPage: (value: string) =>
    wrong(
      'url',
      `Invalid url: ${quoted(value)}. Give the address of a page with https://, such as https://example.com/guide.`,
    ),
  invalidCitation: (value: string) =>
    wrong(
      'cites',
      `Invalid cites: ${quoted(value)}. Give a domain, such as example.com, or the address of a page with https://.`,
    ),
  tooManyValues: (name: string, values: number, most: number) =>
    wrong(name, `${name} has ${values} values. Give at most ${most}.`),
  valueTooLong: (name: string, value: string, most: number) =>
    wrong(
      name,
      `Invalid ${name}: ${quoted(value)} has ${value.length} characters. Give one of at most ${most}.`,
    ),
  runsPruned: (names: readonly string[], needed: string, since: string) => {
    const [needs, less] =
      names.length === 1
        ? [`${names[0]} needs`, `leave ${names[0]} out`]
        : [`${names.slice(0, -1).join(', ')} and ${names.at(-1)} together need`, 'leave one of them out'];
    return wrong(
      names,
      `${needs} the runs of every day from ${needed} on, the window before included where it is compared, and runs before ${since} were deleted. Give a later or shorter range, or ${less}.`,
    );
  },
  invalidChoice: (name: string, value: string, allowed: readonly (string | number)[]) =>
    wrong(name, `Invalid ${name}: ${quoted(value)}. Give one of ${allowed.join(', ')}.`),
  cutDoesNotFit: (by: string, metric: string, fitting: readonly string[]) =>
    wrong(
      ['by', 'metric'],
      `by=${by} does not fit metric=${metric}. Give one of ${fitting.join(', ')}, or another metric.`,
    ),
  missingParam: (name: string, wanted: string) => wrong(name, `Missing ${name}. Give ${wanted}.`),
  unknownArguments: (names: readonly string[], known: readonly string[]) =>
    wrong(
      names,
      `Unknown ${names.length === 1 ? 'argument' : 'arguments'}: ${quoted(names.join(', '))}. ${known.length === 0 ? 'This tool takes none.' : `Known arguments: ${known.join(', ')}`}`,
    ),
  invalidArgument: (name: string, value: string, wanted: string) =>
    wrong(name, `Invalid ${name}: ${quoted(value)}. Give ${wanted}.`),
  invalidDate: (name: string, value: string) =>
    wrong(name, `Invalid ${name}: ${quoted(value)}. Give a date from 1970 to 2999 as YYYY-MM-DD.`),
  noSuchDate: (name: string, value: string) =>
    wrong(name, `Invalid ${name}: ${value}. There is no such date; give one that exists as YYYY-MM-DD.`),
  daysWithRange: (days: number) =>
    wrong(
      ['days', 'from', 'to'],
      `days=${days} was given together with from or to. Give either days, or from and to.`,
    ),
  halfRange: (given: string, value: string, missing: string) =>
    wrong(given, `${given}=${value} was given without ${missing}. Give both from and to.`),
  reversedRange: (from: string, to: string) =>
    wrong(['from', 'to'], `Invalid range: from ${from} is after to ${to}. Give a from that is not after to.`),
  rangeTooLong: (from: string, to: string, days: number) =>
    wrong(
      ['from', 'to'],
      `Invalid range: ${from} to ${to} are ${days} days. Give at most ${RANGE_DAYS_MAX} days, both ends counted.`,
    ),
  metricNotDerivable: (metric: string, from: string, horizon: string) =>
    wrong(
      ['metric', 'from', 'to'],
      `${metric} over several engines cannot be derived for ${from}: before ${horizon} (the ${LIVE_HORIZON_DAYS} days that end today) only daily statistics per engine are stored, without denominators. Ask for a single engine, as engine=${engineIds[0]}, for metric=${averagedMeasures.join(' or ')}, or for a range from ${horizon} on.`,
    ),
  notHttp: () => refusal(400, 'This is not an HTTP request'),
  headersTooLarge: () => refusal(431, 'Request headers are too large'),
  chunkExtensionsTooLarge: () => refusal(413, 'Chunk extensions are too large'),
  requestTimeout: () => refusal(408, 'The request was not all there in time'),
  missingHost: () => refusal(400, 'Missing Host header.'),
  repeatedHost: (times: number) => refusal(400, `Host header was given ${times} times. Give it once.`),
  unmetExpectation: (expected: string) =>
    refusal(417, `Unsupported Expect: ${quoted(expected)}. Use 100-continue or none.`),
  emptyBody: () => refusal(400, 'Empty body'),
  corruptBody: (encoding: string) => refusal(400, `Corrupt body: it is not valid ${encoding}.`),
  incompleteBody: () => refusal(400, 'Incomplete body: the connection ended before it was all there.'),
  bodyTimeout: (seconds: number) =>
    refusal(408, `Body too slow: it was not all there after ${seconds}s. Nothing was stored.`),
  bodyTooLarge: () => refusal(413, `Body over ${MAX_BODY_MB} MB — ship smaller batches`),
  formTooLarge: () => refusal(413, 'The form is too large.'),
  messageTooLarge: () => refusal(413, 'Body over 1 MiB — send fewer or smaller messages'),
  ingestBusy: (seconds: number) =>
    refusal(503, `${passing.ingestBusy()}. Nothing of this one was stored; retry after ${seconds}s.`, {
      headers: { 'Retry-After': String(seconds) },
    }),
  unsupportedEncoding: (encoding: string, supported: readonly string[]) =>
    refusal(415, `Unsupported Content-Encoding: ${quoted(encoding)}. Use ${supported.join(', ')} or none.`, {
      headers: { 'Accept-Encoding': supported.join(', ') },
    }),
  unsupportedCompression: (compression: string, supported: readonly string[]) =>
    refusal(
      415,
      `The body is compressed with ${compression}. Send it as it is, or compressed with ${supported.join(', ')}.`,
      { headers: { 'Accept-Encoding': supported.join(', ') } },
    ),
  mayNotRunFactCheck: () => refusal(403, 'This API key is read-only: it may not run a fact check.'),
  noKnowledgeBase: () => refusal(409, 'No knowledge base for this brand. Add one first.'),
  factCheckJustRan: (seconds: number) =>
    refusal(429, `A fact check for this brand just ran. Retry in ${seconds}s.`),
  factCheckCap: (perDay: number) =>
    refusal(
      429,
      `Fact check refused: daily cap reached (${perDay}/day). It starts anew at midnight UTC; get_fact_check keeps working.`,
    ),
  noModel: () =>
    refusal(501, 'No language model is configured. Set FACT_CHECK_BASE_URL and FACT_CHECK_MODEL.'),
  noAnswers: () => refusal(409, 'No answer with text mentions this brand yet.'),
  modelTimeout: (seconds: number, counts: boolean) =>
    refusal(504, `The language model did not answer within ${seconds}s. ${counted(counts)}`),
  modelRefused: (status: number, counts: boolean) =>
    refusal(502, `The language model’s endpoint answered with status ${status}. ${counted(counts)}`),
  modelUnreachable: (counts: boolean) =>
    refusal(502, `The language model’s endpoint could not be reached, or broke off. ${counted(counts)}`),
  modelMalformed: (replies: number) =>
    refusal(502, `The language model gave no usable reply, asked ${replies} times. ${counted(true)}`),
  serverStopping: (counts: boolean) => refusal(503, `The server is stopping. ${counted(counts)}`),
  serverBusy: (seconds: number) =>
    refusal(503, `${passing.serverBusy()}. Retry after ${seconds}s.`, {
      headers: { 'Retry-After': String(seconds) },
    }),
  changesPaused: () =>
    refusal(503, `${passing.changesPaused()}. Retry after 5s.`, { headers: { 'Retry-After': '5' } }),
  databaseUnavailable: () => refusal(503, 'Database unavailable', { headers: { 'Retry-After': '5' } }),
  internal: (requestId: string) => refusal(500, 'Internal error', { extra: { request_id: requestId } }),
} as const satisfies Record<string, (...args: never[]) => Uncoded>;

export type ErrorName = keyof typeof definitions;

/** The code of an error: `unknown_brand` for `unknownBrand`. To rename an error changes a released code. */
export const errorCode = (name: ErrorName): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Why a refusal with this code is only for now, where its message has a time too; undefined: its message has none. */
export const passingReason = (code: unknown): string | undefined =>
  (Object.keys(passing) as (keyof typeof passing)[])
    .filter((name) => errorCode(name) === code)
    .map((name) => passing[name]())[0];

export const errors = Object.fromEntries(
  Object.entries<(...args: never[]) => Uncoded>(definitions).map(([name, define]) => [
    name,
    (...args: never[]): Refusal => ({ ...define(...args), code: errorCode(name as ErrorName) }),
  ]),
) as { readonly [N in ErrorName]: (...args: Parameters<(typeof definitions)[N]>) => Refusal };

/** Whether a failed run counts towards the limit of the day; the stored result is kept in both cases. */
const counted = (counts: boolean): string =>
  `This run ${counts ? 'counts' : 'does not count'} towards the daily cap; the cached result is as it was.`;

/** Known values for a message, at most so many. */
const LISTED_AT_MOST = 20;
const listed = (values: readonly string[]): string =>
  values.slice(0, LISTED_AT_MOST).map(quoted).join(', ') + (values.length > LISTED_AT_MOST ? ', …' : '');

/**
 * The received value, shortened so that an error never returns a long input, and without characters that a
 * terminal executes; an empty value is written as (empty).
 */
function quoted(value: string): string {
  if (value === '') return '(empty)';
  return escapeControls(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}
