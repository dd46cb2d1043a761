/** Writes the committed files that are derived from sources. */
import { writeFileSync } from 'node:fs';
import { intervalsPicture } from './intervals-picture.js';
import { sdkTypes } from './sdk-types.js';

const root = new URL('../../', import.meta.url);
writeFileSync(new URL('src/sdk/types.ts', root), await sdkTypes());
writeFileSync(new URL('docs/intervals.svg', root), intervalsPicture());
