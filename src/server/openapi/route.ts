/** GET /openapi.json: the document, without a key. */
import { OPENAPI_PATH } from '../../contract/paths.js';
import { serveStatic } from '../http/static-file.js';
import type { Handler } from '../state.js';
import { openApiDocument } from './document.js';

/** @param publicUrl The address of the server for its users; null: the one from which the document is loaded. */
export const openApiRoute = (publicUrl: string | null): [path: string, Handler] => [
  OPENAPI_PATH,
  serveStatic('application/json', () => JSON.stringify(openApiDocument(publicUrl ?? undefined))),
];
