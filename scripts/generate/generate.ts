/** Writes what is derived from src/contract and committed. */
import { writeFileSync } from 'node:fs';
import { sdkTypes } from './sdk-types.js';

writeFileSync(new URL('../../src/sdk/types.ts', import.meta.url), await sdkTypes());
