/** Writes the committed files that are derived from src/contract. */
import { writeFileSync } from 'node:fs';
import { sdkTypes } from './sdk-types.js';

writeFileSync(new URL('../../src/sdk/types.ts', import.meta.url), await sdkTypes());
