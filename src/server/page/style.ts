/** The one stylesheet of the page, under an address that changes with its content. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { etagOf } from '../reads/read-cache.js';

let loaded: { readonly bytes: Buffer; readonly path: string } | undefined;

function style(): { readonly bytes: Buffer; readonly path: string } {
  if (!loaded) {
    const bytes = readFileSync(join(import.meta.dirname, 'style.css'));
    loaded = { bytes, path: `/page-${etagOf(bytes).slice(1, 13)}.css` };
  }
  return loaded;
}

export const styleBytes = (): Buffer => style().bytes;
export const stylePath = (): string => style().path;
