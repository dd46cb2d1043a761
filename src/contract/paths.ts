/** The paths of the server that no version of a protocol defines. */

/** The root of the REST API. */
export const API_ROOT = '/api/v1';
/** The OpenAPI document of the REST API. */
export const OPENAPI_PATH = '/openapi.json';
/** The page that shows it. */
export const DOCS_PATH = '/docs';
