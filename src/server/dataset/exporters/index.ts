/**
 * The exporter of each record type. Each module exports its exporters under the names of their types, so that the
 * compiler reports a type of `records` that has none.
 */
import type { RecordType } from '../records/index.js';
import * as catalog from './catalog.js';
import type { Exporter } from './exporter.js';
import * as observed from './observed.js';
import * as runs from './runs.js';
import * as watchedPages from './watched-pages.js';

export const exporters: { readonly [T in RecordType]: Exporter<T> } = {
  ...catalog,
  ...runs,
  ...observed,
  ...watchedPages,
};
