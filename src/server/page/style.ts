/** The one stylesheet of the page, made of several files, under an address that changes with its content. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { etagOf } from '../http/conditional.js';

/** The files in `style`, in the order of the cascade. */
const PARTS = [
  'colours',
  'base',
  'frame',
  'forms',
  'scorecard',
  'charts',
  'tables',
  'words',
  'brands',
  'narrow',
  'print',
] as const;

let loaded: { readonly bytes: Buffer; readonly path: string } | undefined;

function style(): { readonly bytes: Buffer; readonly path: string } {
  if (!loaded) {
    const folder = join(import.meta.dirname, 'style');
    const bytes = Buffer.concat(PARTS.map((part) => readFileSync(join(folder, `${part}.css`))));
    loaded = { bytes, path: `/page-${etagOf(bytes).slice(1, 13)}.css` };
  }
  return loaded;
}

export const styleBytes = (): Buffer => style().bytes;
export const stylePath = (): string => style().path;
