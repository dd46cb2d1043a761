import { type ResourceName, resourceNames, resources } from '../../../src/contract/registry.js';
import type { Resource } from '../../../src/contract/resource.js';

/** Every read that can be asked for without a parameter. */
export const plainReads: readonly ResourceName[] = resourceNames.filter((name) => {
  const { params }: Resource = resources[name];
  return Object.values(params).every((param) => !param.required);
});

/** The reads that can be had in pages. */
export const lists = plainReads.filter((name) => 'rows' in resources[name]);
