/** Which errors an operation of the REST API may respond with, and when: a sample of each. */
import { crawlerEvents } from './crawler-events.js';
import { engineIds } from './engines.js';
import { type ErrorName, errors, type Refusal } from './errors.js';
import type { Plan } from './keys.js';
import { type Operation, operations } from './operations.js';
import { type Param, wantedValue } from './params.js';
import type { EntityFilter } from './reads/answers.js';
import { cutsOf } from './reads/why.js';
import { resourceNames } from './registry.js';
import { type RunFilter, runFilterNames } from './slice.js';

export interface ErrorCase {
  readonly name: ErrorName;
  readonly refusal: Refusal;
  /** When it occurs, where the message does not state it; may be empty. */
  readonly when: string;
  /** Whether the key of the request is known then, so that the response has its headers. */
  readonly keyed: 'yes' | 'no' | 'maybe';
}
type Sample = Omit<ErrorCase, 'keyed'>;

/** A sample of an error, from the arguments of its function. */
function sample<N extends ErrorName>(name: N, when: string, ...args: Parameters<(typeof errors)[N]>): Sample {
  const make = errors[name] as (...args: unknown[]) => Refusal;
  return { name, when, refusal: make(...args) };
}

interface Stage {
  readonly keyed: ErrorCase['keyed'];
  readonly samples: (operation: Operation) => readonly Sample[];
}

const switchedOff = () => [
  sample('apiDisabled', 'the operator has not switched the API on'),
  sample('unauthorized', 'no key, or an unknown or revoked one'),
  sample('tooManyWrongKeys', 'more than 960 unknown keys; keys that exist are served', 1),
];

const keyRefused = ({ lane }: Operation) => [
  sample('keyExpired', '', '2026-11-01'),
  sample('addressNotAllowed', 'the address is not on the key’s allowlist', '192.0.2.7'),
  sample('rateLimited', 'with `retry_after_seconds` in the body', 1),
  lane === 'reads'
    ? sample('ingestOnly', 'a read with an ingest key')
    : sample('readOnly', 'crawler-events with a read key'),
  sample('feedOnly', 'a key of kind feed'),
];

/** The plan that the sample of a plan error states: the one below a plan for which a read may ask. */
const LOWER_PLAN: Plan = 'starter';

const planOrBrandRefused = ({ plan, planSubject = '', planOf, params, needsRuns }: Operation) => [
  ...(plan ? [sample('planTooLow', '', planSubject, plan, LOWER_PLAN)] : []),
  ...(planOf
    ? [sample('planTooLow', `${planOf.param}=${planOf.value}`, planOf.planSubject, planOf.plan, LOWER_PLAN)]
    : []),
  sample('noBrands', 'the key can see no brand'),
  ...('brand' in params ? [sample('unknownBrand', unknownBrandWhen(needsRuns))] : []),
];

const unknownBrandWhen = (needsRuns: boolean): string =>
  `no such brand, or the key cannot see it${needsRuns ? '; for reads of runs also a brand that never had one' : ''}`;

const paramRefused = ({ name, params, rows, response }: Operation) => {
  const names = Object.keys(params);
  return [
    sample('repeatedParam', '', names.at(-1)!, 2),
    ...Object.entries(params).flatMap(([param, each]) => ofParam(param, each)),
    ...(rows
      ? [sample('invalidCursor', 'malformed, or of another read or brand', name, 'zzz', 'brand' in params)]
      : []),
    ...('by' in params ? [sample('cutDoesNotFit', '', 'rival', 'visibility', cutsOf('visibility'))] : []),
    ...('mark' in params
      ? [
          sample('unknownMark', 'the brand has no mark of this id', 'x'),
          sample('effectOfWhat', '', ['tag'], 'tag was given without since.'),
          sample('sinceTooLate', '', 'since', '2026-11-20', '2026-11-19'),
        ]
      : []),
    ...('run_id' in params ? [sample('unknownRun', 'the brand has no run of this id', 'x')] : []),
    ...('from' in params ? ofRange('days' in params) : []),
    ...('source' in response.fields
      ? [
          sample('metricNotDerivable', '', 'citation_share', '2026-08-01', '2026-09-26'),
          sample(
            'filterNeedsLiveDays',
            `any of ${runFilterNames.join(', ')}`,
            'tag',
            '2026-08-01',
            '2026-09-26',
          ),
        ]
      : []),
    ...('slice' in response.fields && !('source' in response.fields)
      ? [sample('runsPruned', 'a choice that no roll-up has', ['tag', 'engine'], '2026-08-01', '2026-09-26')]
      : []),
  ];
};

function ofParam(name: string, param: Param): Sample[] {
  const missing = param.required ? [sample('missingParam', '', name, wantedValue(param))] : [];
  return [...missing, ...wrongValues(name, param)];
}

function wrongValues(name: string, param: Param): Sample[] {
  switch (param.kind) {
    case 'text':
      if (name === 'url') return [sample('invalidPage', '', 'example.com')];
      return name === 'cites' ? [sample('invalidCitation', '', 'not a domain')] : [];
    case 'integer':
      return [sample('invalidInteger', '', name, '0', param.minimum, param.maximum)];
    case 'choice':
      return [sample('invalidChoice', 'any choice', name, 'x', param.values)];
    case 'boolean':
      return [sample('invalidChoice', 'any choice', name, 'x', ['true', 'false'])];
    case 'date':
      return [sample('invalidDate', '', name, '1.1.2026'), sample('noSuchDate', '', name, '2026-02-30')];
    case 'engines':
      return [
        sample('unknownEngine', '', 'bing'),
        sample('emptyListElement', '', name, `${engineIds.at(0)},`),
      ];
    case 'values':
      return [sample('emptyListElement', '', name, 'x,'), ...unknownValue(name as RunFilter | EntityFilter)];
  }
}

function unknownValue(name: RunFilter | EntityFilter): Sample[] {
  switch (name) {
    case 'names':
    case 'without':
      return [sample('unknownFilterValue', '', name, 'x', ['acme', 'globex'])];
    case 'prompt':
      return [sample('unknownPrompt', '', 'x')];
    case 'topic':
      return [sample('unknownTopic', '', 'x')];
    case 'tag':
      return [sample('unknownTag', '', 'x')];
    case 'region':
      return [sample('unknownRegion', '', 'x', ['gb', 'us'])];
    case 'surface':
      return [sample('unknownSurface', '', 'x')];
  }
}

const ofRange = (orDays: boolean) => [
  ...(orDays ? [sample('daysWithRange', '', 7)] : []),
  sample('halfRange', '', 'from', '2026-11-01', 'to'),
  sample('reversedRange', '', '2026-11-05', '2026-11-01'),
  sample('rangeTooLong', '', '2024-01-01', '2026-11-01', 1036),
];

const bodyRefused = ({ lane }: Operation) =>
  lane === 'ingest'
    ? [
        sample('emptyBody', ''),
        sample('corruptBody', '', 'gzip'),
        sample('incompleteBody', ''),
        sample('bodyTimeout', '', 20),
        sample('bodyTooLarge', ''),
        sample('unsupportedEncoding', '', 'zstd', crawlerEvents.encodings),
        sample(
          'unsupportedCompression',
          'by the first bytes of the body: bzip2, xz, zstd, snappy, zip',
          'bzip2',
          crawlerEvents.encodings,
        ),
        sample('changesPaused', 'after a wait of 20 seconds'),
        sample('ingestBusy', 'a key has at most half of what a server holds', 5),
      ]
    : [];

const busy = ({ lane }: Operation): Sample[] =>
  lane === 'reads'
    ? [
        sample(
          'serverBusy',
          'a key has at most half of what a server computes at once; cached bodies never wait',
          5,
        ),
      ]
    : [];

const failed = () => [
  sample('databaseUnavailable', 'try again after `Retry-After` seconds'),
  sample('internal', 'the server’s log has the cause', '06543f32-1772-4aa5-a364-e8fe028c4ed7'),
];

const httpRefused = () => [
  sample('notHttp', ''),
  sample('missingHost', ''),
  sample('repeatedHost', '', 2),
  sample('requestTimeout', 'headers that do not end within a minute, bodies within five'),
  sample('chunkExtensionsTooLarge', ''),
  sample('unmetExpectation', '', 'x'),
  sample('headersTooLarge', 'headers and path together over 16 KiB'),
];

/** In the order in which a request passes them; those of HTTP itself are last, because they are rare. */
const stages: readonly Stage[] = [
  { keyed: 'no', samples: switchedOff },
  { keyed: 'yes', samples: keyRefused },
  { keyed: 'yes', samples: planOrBrandRefused },
  { keyed: 'yes', samples: paramRefused },
  { keyed: 'yes', samples: bodyRefused },
  { keyed: 'yes', samples: busy },
  { keyed: 'maybe', samples: failed },
  { keyed: 'no', samples: httpRefused },
];

const casesOf = ({ keyed, samples }: Stage, operation: Operation): ErrorCase[] =>
  samples(operation).map((each) => ({ ...each, keyed }));

/** Every error that the operation may respond with. */
export const errorCasesOf = (operation: Operation): readonly ErrorCase[] =>
  stages.flatMap((stage) => casesOf(stage, operation));

export interface GeneralCase extends ErrorCase {
  /** The operations that may respond with it; empty: requests that reach no operation. */
  readonly of: readonly Operation[];
}

/** Every error of the REST API once, with the operations that have it. */
export function allErrorCases(): readonly GeneralCase[] {
  const byName = new Map<ErrorName, { first: ErrorCase; of: Set<Operation> }>();
  for (const stage of stages) {
    for (const operation of operations) {
      for (const each of casesOf(stage, operation)) {
        const known = byName.get(each.name) ?? { first: each, of: new Set() };
        byName.set(each.name, { ...known, of: known.of.add(operation) });
      }
    }
  }
  const ofOperations = [...byName.values()].map(({ first, of }) => ({ ...first, of: [...of] }));
  return [...ofOperations, ...elsewhere.map((each) => ({ ...each, keyed: 'maybe' as const, of: [] }))];
}

const elsewhere = [
  sample('methodNotAllowed', 'any other method; `Allow` lists those that work', 'PUT', ['GET', 'HEAD']),
  sample('unknownResource', 'any other path below `/api/v1`', resourceNames),
  sample('notFound', 'any other path'),
];
