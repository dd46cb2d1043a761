import type { Read } from '../../../src/contract/read.js';
import { type ResourceName, reads, resourceNames, resources } from '../../../src/contract/registry.js';

/** Every read of which each parameter may be left out. */
export const optionalReads: readonly ResourceName[] = resourceNames.filter((name) => {
  const { params }: Read = resources[name];
  return Object.values(params).every((param) => !param.required);
});

/** Reads without a required parameter that need one of several: `effect` a mark, a day or a plan. */
const needOneOfSeveral: readonly ResourceName[] = ['effect'];

/** Every read that can be requested without a parameter. */
export const plainReads = optionalReads.filter((name) => !needOneOfSeveral.includes(name));

/** The command of a read, which has another name for a few. */
export const commandOf = (name: string): string =>
  ({ 'metrics/history': 'history', briefing: 'summary' })[name] ?? name;

/** The reads that can be had in pages. */
export const lists = plainReads.filter((name) => 'rows' in resources[name]);

/** The tools of the reads that REST does not serve, in the contract's order. */
export const toolsWithoutPath = Object.values(reads).flatMap((read) => ('path' in read ? [] : [read.tool]));
