/** What the provider of a target cannot do, by the table of what each can. */
import { ExpectedError } from '../../contract/failure.js';
import { capabilityOf, forms, isProvider, type ProviderName } from '../protocols/capabilities.js';
import { countries, isCountry } from '../protocols/countries.js';
import type { CollectPlan } from './plan.js';

export interface ProviderFault {
  readonly field: string;
  readonly message: string;
}

/** @param stated A target with any values; those that no target can have are other faults. */
export function providerFaults(stated: Readonly<Record<string, unknown>>, samples: unknown): ProviderFault[] {
  const { protocol, engine: asked, live = false } = stated;
  const row = isProvider(protocol) ? capabilityOf(protocol, String(asked)) : undefined;
  if (!isProvider(protocol) || !row) return [];
  const faults: ProviderFault[] = [];
  const form = live === true ? 'live' : 'queued';
  if (row.usd[form] === undefined) {
    const other = forms.find((each) => row.usd[each] !== undefined)!;
    const reason = other === 'live' ? 'has no queue for it' : 'has only a queue for it';
    faults.push({
      field: 'live',
      message: `expected ${other === 'live'} for ${String(asked)} by ${protocol}, which ${reason}, got ${live}`,
    });
  }
  const own = ownFields(protocol, String(asked));
  for (const field of ['zone', 'dataset'] as const) {
    if (stated[field] != null && field !== own.allowed) {
      faults.push({ field, message: `expected none for ${String(asked)} by ${protocol}` });
    }
  }
  if (own.required && stated[own.required] == null) {
    faults.push({
      field: own.required,
      message: `expected the ${own.required} of the account for ${String(asked)} by ${protocol}, got nothing`,
    });
  }
  const { region } = stated;
  if (typeof region === 'string' && /^[A-Za-z]{2}$/.test(region)) {
    const place = "expected a country of which the place in Google's list is known";
    if (!isCountry(region))
      faults.push({ field: 'region', message: `expected the code of a country, such as gb, got ${region}` });
    else if (protocol === 'dataforseo' && !countries.includes(region.toUpperCase()))
      faults.push({ field: 'region', message: `${place}, got ${region}` });
  }
  if (typeof samples === 'number' && cacheFault(protocol, live === true, samples)) {
    faults.push({
      field: 'samples',
      message: `expected 1, or live = true for ${String(asked)} by ${protocol}, ${CACHED}, got ${samples}`,
    });
  }
  return faults;
}

const CACHED = 'which answers equal searches of one hour from a cache';

/** Whether several samples would be one answer. */
const cacheFault = (protocol: string, live: boolean, samples: number): boolean =>
  protocol === 'serpapi' && !live && samples > 1;

/**
 * Why the plan cannot be used with its number of samples, which a flag may have changed; null: it can.
 */
export function sampleFault({ targets, samples }: CollectPlan): string | null {
  const cached = targets.find(({ protocol, provider }) =>
    cacheFault(protocol, provider?.live ?? false, samples),
  );
  return cached
    ? `--samples ${samples} needs live = true for ${cached.engine} by ${cached.protocol}, ${CACHED}.`
    : null;
}

/** The fields that only Bright Data has: data sets, and zones for result pages. */
function ownFields(
  protocol: ProviderName,
  asked: string,
): { allowed?: 'zone' | 'dataset'; required?: 'zone' } {
  if (protocol !== 'brightdata') return {};
  return asked === 'aio' ? { allowed: 'zone', required: 'zone' } : { allowed: 'dataset' };
}

const MAX_LISTED = 20;

/** @throws ExpectedError `usage` that names every prompt which a target cannot take. */
export function requireShortPrompts(
  { targets }: CollectPlan,
  prompts: readonly { readonly id: string; readonly text: string }[],
): void {
  const faults = targets.flatMap(({ protocol, engine }, at) => {
    const most = isProvider(protocol) ? capabilityOf(protocol, engine)?.longestPrompt : undefined;
    if (most === undefined) return [];
    return prompts.flatMap(({ id, text }) => {
      const length = [...text].length;
      return length > most
        ? [
            `target[${at}]: ${engine} by ${protocol} takes ${most} characters, and the prompt ${id} has ${length}`,
          ]
        : [];
    });
  });
  if (faults.length === 0) return;
  const more = faults.length > MAX_LISTED ? [`and ${faults.length - MAX_LISTED} more`] : [];
  throw new ExpectedError(
    'usage',
    ['The plan cannot be used:', ...faults.slice(0, MAX_LISTED), ...more].join('\n'),
  );
}
